package evaluate

// add sums counts up.
func (c *Counts) add(o Counts) {
	c.TP += o.TP
	c.FP += o.FP
	c.FN += o.FN
}

// Metric returns precision, recall and F1 of counts, by the exact rules.
func (c Counts) Metric() Metric { return c.metric(Exact) }

// metric returns precision, recall and F1 of counts. F1 is nil where there is no
// true positive and the rules are the paper's, whose code divides 0 by 0 there.
func (c Counts) metric(rules Rules) Metric {
	m := Metric{Counts: c}
	m.Precision = ratio(c.TP, c.TP+c.FP)
	m.Recall = ratio(c.TP, c.TP+c.FN)
	switch {
	case rules == Exact:
		m.F1 = ratio(2*c.TP, 2*c.TP+c.FP+c.FN)
	case c.TP > 0:
		f1 := 2 * *m.Precision * *m.Recall / (*m.Precision + *m.Recall)
		m.F1 = &f1
	}
	return m
}

func ratio(part, whole int) *float64 {
	if whole == 0 {
		return nil
	}
	r := float64(part) / float64(whole)
	return &r
}

// prefix compares two lists by position: what is before the first difference
// is right (section 4.1.1).
func prefix(gold, predicted []string) Counts {
	n := 0
	for n < len(gold) && n < len(predicted) && gold[n] == predicted[n] {
		n++
	}
	return Counts{TP: n, FP: len(predicted) - n, FN: len(gold) - n}
}

// set compares the different texts of two lists.
func set(gold, predicted []string) Counts { return compareCounts(count(gold), count(predicted), true) }

// multiset compares two lists in any order.
func multiset(gold, predicted []string) Counts {
	return compareCounts(count(gold), count(predicted), false)
}

func count(list []string) map[string]int {
	out := map[string]int{}
	for _, text := range list {
		out[text]++
	}
	return out
}

func compareCounts(gold, predicted map[string]int, once bool) Counts {
	var c Counts
	times := func(n int) int {
		if once {
			return min(n, 1)
		}
		return n
	}
	for text, n := range gold {
		g, p := times(n), times(predicted[text])
		c.TP += min(g, p)
		c.FN += g - min(g, p)
		c.FP += p - min(g, p)
	}
	for text, n := range predicted {
		if gold[text] == 0 {
			c.FP += times(n)
		}
	}
	return c
}
