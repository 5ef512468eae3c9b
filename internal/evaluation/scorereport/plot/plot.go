package plot

import (
	_ "embed" // the template
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
)

// MaxSeries is how many series there are colours for.
const MaxSeries = 8

// Figure is a plot with horizontal bars.
type Figure struct {
	Title  string
	X, Y   string   // what the axes are
	Series []string // at most MaxSeries
	Groups []Group
	// Stacked puts a group's bars one behind the other, for parts of a whole.
	Stacked bool
	Note    string // what is not in the figure; may be ""
}

// Group is a label on the y axis and its bars, one for each series, each
// between 0 and 1. A bar without a value is nil.
type Group struct {
	Name   string
	Values []*float64
	// Texts are on or next to the bars instead of the values.
	Texts []string
	// Total is behind a stack.
	Total string
}

// Measures of a drawing, in units of the view box.
const (
	viewWidth unit = 440.0
	plotLeft  unit = 126.0
	plotWidth unit = 254.0
	barHeight unit = 11.0
	stackBar  unit = 17.0
	groupGap  unit = 8.0
	labelRow  unit = 12.0
	legendRow unit = 15.0
	charWidth unit = 6.7 // of a label, in a wide font
)

// labelChars is how many characters of a group's name fit next to its bars, on
// each of two lines.
const labelChars = 18

// unit is a measure in units of the view box. A hundredth is finer than is seen.
type unit float64

func (u unit) String() string {
	return strconv.FormatFloat(math.Round(float64(u)*100)/100, 'f', -1, 64)
}

//go:embed plot.tmpl
var source string

var drawing = template.Must(template.New("plot").Parse(source))

// SVG draws a figure. One with fewer than two groups has nothing to compare and
// is "".
func (f *Figure) SVG() (template.HTML, error) {
	if len(f.Groups) < 2 || len(f.Series) == 0 || len(f.Series) > MaxSeries {
		return "", nil
	}
	var b strings.Builder
	if err := drawing.Execute(&b, f.layout()); err != nil {
		return "", fmt.Errorf("plot %s: %w", f.Title, err)
	}
	return template.HTML(b.String()), nil // html/template has escaped what it is made of
}

// svg is the geometry of a figure, as the template draws it.
type svg struct {
	*Figure
	Label         string
	Width, Height unit
	Legend        []legend
	Ticks         []tick
	Top, Bottom   unit // of the plot's area
	Left, Right   unit
	Middle        unit // of the x axis
	Labels        []label
	Bars          []bar
}

type (
	legend struct {
		X, Y  unit
		Color int
		Name  string
	}
	tick struct {
		X    unit
		Text string
	}
	label struct {
		Lines []textLine
		All   string
	}
	textLine struct {
		Y    unit
		Text string
	}
	bar struct {
		X, Y, Width, Height unit
		Color               int
		Text                string
		TextX, TextY        unit
		Inside              bool
		Tip                 string
	}
)

func (f *Figure) layout() *svg {
	d := &svg{Figure: f, Label: f.label(), Width: viewWidth, Left: plotLeft, Right: plotLeft + plotWidth, Middle: plotLeft + plotWidth/2}
	d.Top = d.layLegend() + 6
	y := d.Top + groupGap/2
	for _, g := range f.Groups {
		lines := labelLines(g.Name)
		height := f.groupHeight()
		room := max(height, labelRow*unit(len(lines)))
		at := label{All: g.Name}
		for i, text := range lines {
			at.Lines = append(at.Lines, textLine{Y: y + room/2 + 4 + labelRow*(unit(i)-unit(len(lines)-1)/2), Text: text})
		}
		d.Labels = append(d.Labels, at)
		if f.Stacked {
			d.stack(g, y+(room-height)/2)
		} else {
			d.side(g, y+(room-height)/2)
		}
		y += room + groupGap
	}
	d.Bottom = y - groupGap/2
	d.Height = d.Bottom + 32
	for _, t := range []unit{0, 0.25, 0.5, 0.75, 1} {
		d.Ticks = append(d.Ticks, tick{X: plotLeft + t*plotWidth, Text: t.String()})
	}
	return d
}

func (f *Figure) groupHeight() unit {
	if f.Stacked {
		return stackBar
	}
	return barHeight * unit(len(f.Series))
}

// layLegend places the names of the series in rows and returns where they end.
// A single series is named by the x axis alone.
func (d *svg) layLegend() unit {
	if len(d.Series) == 1 {
		return 0
	}
	x, y := unit(0), unit(12)
	for i, name := range d.Series {
		width := 24 + charWidth*unit(len([]rune(cut(name, 40))))
		if x > 0 && x+width > viewWidth {
			x, y = 0, y+legendRow
		}
		d.Legend = append(d.Legend, legend{X: x, Y: y, Color: i, Name: cut(name, 40)})
		x += width
	}
	return y + 2
}

// side lays the bars of a group below each other.
func (d *svg) side(g Group, y unit) {
	for i, v := range g.Values {
		at := bar{X: plotLeft, Y: y + barHeight*unit(i), Height: barHeight - 1.5, Color: i, Text: g.text(i)}
		if v != nil {
			at.Width = clamp(*v) * plotWidth
		}
		at.TextX, at.TextY = at.X+at.Width+4, at.Y+barHeight-2.5
		at.Tip = fmt.Sprintf("%s, %s: %s", g.Name, d.Series[i], at.Text)
		d.Bars = append(d.Bars, at)
	}
}

// stack lays the bars of a group behind each other. A number that does not fit
// its bar is left to the tip and the tables.
func (d *svg) stack(g Group, y unit) {
	x := plotLeft
	for i, v := range g.Values {
		if v == nil || *v <= 0 {
			continue
		}
		at := bar{X: x, Y: y, Width: clamp(*v) * plotWidth, Height: stackBar, Color: i, Text: g.text(i), Inside: true}
		at.Tip = fmt.Sprintf("%s, %s: %s", g.Name, d.Series[i], at.Text)
		at.TextX, at.TextY = x+at.Width/2, y+stackBar-5
		if at.Width < charWidth*unit(len(at.Text))+4 {
			at.Text = ""
		}
		x += at.Width
		d.Bars = append(d.Bars, at)
	}
	d.Bars = append(d.Bars, bar{X: x, Y: y, Height: stackBar, Text: g.Total, TextX: x + 4, TextY: y + stackBar - 5})
}

// text is what is next to bar i.
func (g Group) text(i int) string {
	switch {
	case i < len(g.Texts):
		return g.Texts[i]
	case g.Values[i] == nil:
		return "–"
	}
	return fmt.Sprintf("%.2f", *g.Values[i])
}

// label says the whole figure.
func (f *Figure) label() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. Bars of %s by %s.", f.Title, f.X, f.Y)
	for _, g := range f.Groups {
		fmt.Fprintf(&b, " %s:", g.Name)
		sep := " "
		for i := range g.Values {
			if f.Stacked && (g.Values[i] == nil || *g.Values[i] == 0) {
				continue
			}
			fmt.Fprintf(&b, "%s%s %s", sep, f.Series[i], g.text(i))
			sep = ", "
		}
		if g.Total != "" {
			fmt.Fprintf(&b, "%s%s", sep, g.Total)
		}
		b.WriteByte('.')
	}
	return b.String()
}

// labelLines breaks a name into the lines that fit, where it can after a mark
// that names are made with.
func labelLines(name string) []string {
	runes := []rune(name)
	if len(runes) <= labelChars {
		return []string{name}
	}
	end := labelChars
	for i := labelChars; i > labelChars/2; i-- {
		if strings.ContainsRune(" -/_:", runes[i-1]) {
			end = i
			break
		}
	}
	return []string{strings.TrimRight(string(runes[:end]), " "), cut(string(runes[end:]), labelChars)}
}

func clamp(f float64) unit { return unit(min(max(f, 0), 1)) }

// cut shortens a text to n characters.
func cut(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return string(runes[:n-1]) + "…"
}
