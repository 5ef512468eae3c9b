package spec_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// endpoints are tools whose words say how near they are to each other.
func endpoints() []spec.Tool {
	tool := func(name, description string, arguments ...string) spec.Tool {
		properties := map[string]any{}
		for _, a := range arguments {
			properties[a] = map[string]any{"type": "string", "description": "the " + a}
		}
		return spec.Tool{Name: name, Description: description, Parameters: map[string]any{"type": "object", "properties": properties}}
	}
	return []spec.Tool{
		tool("drivers_by_race", "Names of the drivers in a race.", "race"),
		tool("count_drivers_by_race", "How many drivers a race has.", "race"),
		tool("drivers_by_nationality", "Names of the drivers of a nationality.", "nationality"),
		tool("circuits_by_country", "Names of circuits.", "country"),
		tool("champion", "Whoever won."),
		tool("seasons", "Years."),
	}
}

func namesOf(list []spec.Tool) string {
	var out []string
	for _, t := range list {
		out = append(out, t.Name)
	}
	return strings.Join(out, " ")
}

func callsOf(names ...string) []tools.Call {
	var out []tools.Call
	for _, name := range names {
		out = append(out, tools.Call{Name: name})
	}
	return out
}

// TestNearShortlist lists gold calls and which tools their shares have.
func TestNearShortlist(t *testing.T) {
	n := spec.NewNeighbours(endpoints())
	for _, c := range []struct {
		gold    string
		percent int
		answers string
		want    string
	}{
		{"drivers_by_race", 0, "", "drivers_by_race"},
		{"drivers_by_race", 34, "", "drivers_by_race count_drivers_by_race"},
		{"drivers_by_race", 34, "count_drivers_by_race", "drivers_by_race drivers_by_nationality"},
		{"circuits_by_country", 34, "", "drivers_by_nationality circuits_by_country"}, // the names of both; nearer than by race
		{"champion drivers_by_race", 50, "", "drivers_by_race count_drivers_by_race champion"},
		{"champion", 34, "", "drivers_by_race champion"}, // shares no word with any
		{"champion", 100, "", namesOf(endpoints())},
		{"champion", 100, "seasons drivers_by_race", "count_drivers_by_race drivers_by_nationality circuits_by_country champion"},
	} {
		got, err := n.Shortlist(endpoints(), callsOf(strings.Fields(c.gold)...), c.percent, func(t spec.Tool) (bool, error) {
			return slices.Contains(strings.Fields(c.answers), t.Name), nil
		})
		if err != nil || namesOf(got) != c.want {
			t.Errorf("%s, %d%%: %q, %v, want %q", c.gold, c.percent, namesOf(got), err, c.want)
		}
	}
}

// TestNearLimit lists questions and which tools a list of so many has for them.
func TestNearLimit(t *testing.T) {
	n := spec.NewNeighbours(endpoints())
	for _, c := range []struct {
		question string
		limit    int
		answers  string
		want     string
	}{
		{"Which years?", 1, "", "drivers_by_race"},
		{"Which years?", 3, "", "drivers_by_race count_drivers_by_race seasons"},
		{"Which years?", 3, "seasons", "drivers_by_race count_drivers_by_race drivers_by_nationality"},
		{"nothing of it", 3, "count_drivers_by_race", "drivers_by_race drivers_by_nationality circuits_by_country"},
		{"", 9, "", namesOf(endpoints())},
		{"", 0, "champion seasons", "drivers_by_race count_drivers_by_race drivers_by_nationality circuits_by_country"},
	} {
		got, err := n.Limit(endpoints(), callsOf("drivers_by_race"), c.question, c.limit, func(t spec.Tool) (bool, error) {
			return slices.Contains(strings.Fields(c.answers), t.Name), nil
		})
		if err != nil || namesOf(got) != c.want {
			t.Errorf("%s, %d: %q, %v, want %q", c.question, c.limit, namesOf(got), err, c.want)
		}
	}
	failed := errors.New("away")
	if _, err := n.Limit(endpoints(), callsOf("champion"), "", 3, func(spec.Tool) (bool, error) { return false, failed }); !errors.Is(err, failed) {
		t.Errorf("%v, want %v", err, failed)
	}
}

// TestNearProperties says what holds for lists of any length: gold is kept, the
// number is, and the order; nothing that answers is there.
func TestNearProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		universe := birds(rapid.IntRange(1, 40).Draw(t, "tools"))
		for i := range universe { // so that some are nearer than others
			universe[i].Description += fmt.Sprintf(" tune%dx", i%7)
		}
		n := spec.NewNeighbours(universe)
		list := universe[rapid.IntRange(0, len(universe)-1).Draw(t, "from"):]
		gold := callsOf(rapid.SliceOfN(rapid.SampledFrom(strings.Fields(namesOf(list))), 0, 4).Draw(t, "gold")...)
		isGold := func(name string) bool {
			return slices.ContainsFunc(gold, func(c tools.Call) bool { return c.Name == name })
		}
		modulus := rapid.IntRange(2, 9).Draw(t, "modulus")
		answers := func(t spec.Tool) (bool, error) { return len(t.Name)*len(t.Description)%modulus == 0, nil }
		goldTools, others := 0, 0
		for _, one := range list {
			isAnswer, _ := answers(one)
			switch {
			case isGold(one.Name):
				goldTools++
			case !isAnswer:
				others++
			}
		}
		limit := rapid.IntRange(0, 20).Draw(t, "most")
		percent := rapid.SampledFrom(spec.ShortlistPercents()).Draw(t, "percent")
		question := rapid.SampledFrom(list).Draw(t, "about").Description
		limited, err := n.Limit(list, gold, question, limit, answers)
		if err != nil {
			t.Fatal(err)
		}
		short, err := n.Shortlist(list, gold, percent, answers)
		if err != nil {
			t.Fatal(err)
		}
		if limit == 0 {
			limit = len(list)
		}
		for _, c := range []struct {
			got  []spec.Tool
			want int
		}{{limited, limit}, {short, len(list) * percent / 100}} {
			if want := min(max(c.want, goldTools), goldTools+others); len(c.got) != want {
				t.Fatalf("%d tools, want %d", len(c.got), want)
			}
			at := -1
			for _, one := range c.got {
				place := slices.IndexFunc(list, func(t spec.Tool) bool { return t.Name == one.Name })
				if place <= at {
					t.Fatalf("%s is not in its place", one.Name)
				}
				at = place
				if isAnswer, _ := answers(one); isAnswer && !isGold(one.Name) {
					t.Fatalf("%s answers too", one.Name)
				}
			}
			for _, one := range gold {
				if !strings.Contains(" "+namesOf(c.got)+" ", " "+one.Name+" ") {
					t.Fatalf("%s is missing", one.Name)
				}
			}
		}
	})
}
