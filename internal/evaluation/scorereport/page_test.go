package scorereport

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// TestPages holds every page against what a page may be: no element that
// fetches anything, no script but ours, links to the page itself alone, each id
// once, and the hashes of the policy those of what is in the file.
func TestPages(t *testing.T) {
	dir := writeAll(t)
	all, err := Models(dir)
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*", "*.html"))
	if err != nil || len(pages) != len(reports) {
		t.Fatal(pages, err)
	}
	var compared strings.Builder
	if err := Compare(&compared, all, HTML); err != nil {
		t.Fatal(err)
	}
	checkPage(t, "compare", compared.String())
	for _, path := range pages {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		checkPage(t, filepath.Base(path), string(text))
	}
}

var elements = map[string]bool{}

func init() {
	for _, name := range strings.Fields(`html head meta title style body header main section h1 h2 h3 p ul li div table caption thead
		tbody tr th td b strong span figure figcaption svg rect text line g details summary code pre a dl dt dd mark form label
		select option input output script`) {
		elements[name] = true
	}
}

func checkPage(t *testing.T, name, text string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	ids := map[string]bool{}
	var links []string
	count := map[string]int{}
	policy := ""
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		count[n.Data]++
		if !elements[n.Data] {
			t.Errorf("%s: element %s", name, n.Data)
		}
		for _, a := range n.Attr {
			switch key := strings.ToLower(a.Key); {
			case strings.HasPrefix(key, "on"), key == "src", key == "srcset", key == "style", key == "action":
				t.Errorf("%s: attribute %s=%q", name, a.Key, a.Val)
			case key == "href":
				links = append(links, a.Val)
			case key == "id":
				if ids[a.Val] {
					t.Errorf("%s: two elements have the id %q", name, a.Val)
				}
				ids[a.Val] = true
			case key == "http-equiv":
				for _, b := range n.Attr {
					if b.Key == "content" {
						policy = b.Val
					}
				}
			}
		}
		if n.Data == "style" || n.Data == "script" {
			sum := sha256.Sum256([]byte(n.FirstChild.Data))
			if !strings.Contains(policy, n.Data+"-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") {
				t.Errorf("%s: the policy does not allow the %s: %s", name, n.Data, policy)
			}
		}
		if n.Data == "svg" && attribute(n, "aria-label") == "" {
			t.Errorf("%s: a plot without a label", name)
		}
	}
	if count["script"] != 1 || count["style"] != 1 || !strings.HasPrefix(policy, "default-src 'none'; ") {
		t.Errorf("%s: %d scripts, %d styles, policy %q", name, count["script"], count["style"], policy)
	}
	for _, link := range links {
		target, err := unescape(link)
		if err != nil || !ids[target] {
			t.Errorf("%s: link to %q, which is not in the page", name, link)
		}
	}
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// unescape returns what a link within the page leads to.
func unescape(link string) (string, error) {
	u, err := url.Parse(link)
	if err != nil || u.Fragment == "" || !strings.HasPrefix(link, "#") {
		return "", fmt.Errorf("%q leads out of the page: %w", link, err)
	}
	return u.Fragment, nil
}
