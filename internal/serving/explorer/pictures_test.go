package explorer

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/pkg/bird"
)

// TestPictures writes pictures of the page with the whole sample into the folder
// that BIRDCALL_PICTURES names, to be looked at and for docs/.
func TestPictures(t *testing.T) {
	out := os.Getenv("BIRDCALL_PICTURES")
	if out == "" {
		t.Skip("set BIRDCALL_PICTURES to the folder that the pictures are to be written to")
	}
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{}
	dir := t.TempDir()
	for _, variant := range variant.Single() {
		_, err := pipeline.Run(t.Context(), pipeline.Options{
			Dataset: dataset, Variant: variant, Out: dir, Timeout: time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf,
			Writing: pipeline.Writing{Format: "json", Spec: "function"},
		})
		if err != nil {
			t.Fatal(err)
		}
		o.Samples = append(o.Samples, filepath.Join(dir, variant))
	}
	_, o.Evaluation = folders(t)
	h := serveDataset(t, dataset, o)
	const question = "#/questions/coffee_roastery/58"
	for _, c := range []struct {
		file, fragment, ready string
		view                  view
	}{
		{"explorer.png", question + "/slot/1", `.tables > div:last-child .below`, view{width: 1200, height: 1000, key: key}},
		{"explorer-dark.png", question + "/slot/1", `.tables > div:last-child .below`, view{width: 1200, height: 1000, key: key, dark: true}},
		{"explorer-narrow.png", question, `section[aria-label="SLOT"] .verdict .good`, view{width: 380, height: 1000, key: key}},
		{"specifications.png", question + "/specifications/sel/openai", ".tool", view{width: 1200, height: 900, key: key}},
		{"endpoints.png", question + "/rest/0", ".detail td", view{width: 1200, height: 900, key: key}},
		{"coverage.png", "#/coverage", ".card", view{width: 1200, height: 1300, key: key}},
		{"evaluation.png", "#/evaluation", ".samples td", view{width: 1200, height: 1300, key: key}},
		{"outcome.png", "#/evaluation/none/slot_direct_exact/city_library/2", ".beside .call", view{width: 1200, height: 1000, key: key}},
	} {
		b := open(t, h, c.view)
		b.goTo(c.fragment)
		b.see(c.ready, "")
		b.wait(`[...document.querySelectorAll(".verdict")].every((e) => e.textContent.includes("answer"))`)
		picture, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
		b.must(err)
		b.must(os.WriteFile(filepath.Join(out, c.file), picture, 0o644))
	}
}
