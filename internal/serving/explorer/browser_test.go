package explorer

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestKey(t *testing.T) {
	t.Parallel()
	b := open(t, whole(t), view{width: 1280, height: 900})
	b.goTo("")
	b.see("form.key h1", "Control key")
	b.write("input[name=key]", "schlüßel😀")
	b.click("form.key button")
	b.see("form.key", "This is not the key.")
	b.write("input[name=key]", "wrong")
	b.click("form.key button")
	b.wait(`sessionStorage.getItem("control-key") === "wrong"`)
	b.see("form.key", "This is not the key.")
	b.write("input[name=key]", key)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.see(".list a", "How many branches")
	b.forgive("401")
	b.do(chromedp.Reload())
	b.see(".list a", "How many branches")
}

func TestQuestions(t *testing.T) {
	t.Parallel()
	b := open(t, whole(t), desktop)
	b.goTo("")
	b.wait(`location.hash === "#/questions/city_library/0"`)
	b.see(".question h1", "How many branches does the library have?")
	b.see(".sql-keyword", "SELECT")
	b.see(`[aria-label="Gold answer"] td.number`, "7")
	for _, variant := range []string{"SLOT", "SEL", "REST"} {
		b.see(fmt.Sprintf(`section[aria-label=%q] .verdict`, variant), "right answer")
	}
	b.see(`section[aria-label="SLOT"] .call`, "= 7")

	// The list, by keys.
	b.do(chromedp.KeyEvent("jj"))
	b.see(".question h1", "more than 500 pages")
	b.see(".evidence", "more than 500 pages refers to")
	b.do(chromedp.KeyEvent("k"))
	b.see(".question h1", "code 007")
	b.do(chromedp.NavigateBack())
	b.see(".question h1", "more than 500 pages")
	b.press("/")
	b.wait(`document.activeElement.type === "search"`)
	b.do(chromedp.KeyEvent("authors before"))
	b.wait(`document.querySelectorAll(".list li a").length < 10`)
	b.wait(`location.hash.includes("filter=authors+before")`)
	b.do(chromedp.KeyEvent(kb.ArrowDown))
	b.wait(`document.querySelector(".list a[aria-current]") !== null && location.hash.includes("filter=authors+before")`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.wait(`document.activeElement === document.body`)
	b.write("input[type=search]", "no such words")
	b.see(".list .empty", "No question fits.")

	// By difficulty and construct.
	b.goTo("#/questions/city_library/2?difficulty=challenging")
	b.wait(`document.querySelectorAll(".list li a").length > 0 && document.querySelectorAll(".list li a").length < 20`)
	b.choose(".pair label:first-child select", "")
	b.choose(".pair label:last-child select", "JOIN")
	b.see(".filters .hint", "9 of 45")
	b.clickText(".chips a", "WHERE")
	b.wait(`location.hash.includes("construct=WHERE")`)
	b.see(".filters .hint", "34 of 45")

	// One without a sample says why.
	b.goTo("#/questions/city_library/900")
	b.see(`section[aria-label="SLOT"] .notice`, "unsupported: recursive CTE")
	b.see(`section[aria-label="SEL"] .notice`, "recursive CTE")
	b.see(`section[aria-label="REST"] .verdict`, "right answer")
	b.see(".list a[aria-current] .note", "no slot")
}

func TestTables(t *testing.T) {
	t.Parallel()
	b := open(t, whole(t), desktop)
	b.goTo("#/questions/city_library/2")
	b.click(`section[aria-label="SLOT"] .call .call-head`)
	b.wait(`location.hash.endsWith("/slot/0")`)
	b.see(".tables > div:first-child figcaption", "starting_table_var")
	b.see(".tables > div:first-child .below", "20 of 70 rows")
	b.see(".tables > div:last-child figcaption", "FILTERED_DF_0")
	b.see(".tables > div:last-child .below", "7 rows")
	// The column that the call names comes first, with its type; numbers are aligned.
	b.see(".tables th.used:first-child", "book_Pages_total")
	b.see(".tables th.used small", "integer")
	b.wait(`getComputedStyle(document.querySelector(".tables td.number")).textAlign === "right"`)
	b.clickText(".tables > div:first-child button", "Show more")
	b.see(".tables > div:first-child .below", "70 rows")
	b.wait(`document.querySelectorAll(".tables > div:first-child tbody tr").length === 70`)
	b.clickText(".observation summary", "What a model is shown")
	b.see(".observation pre", `"row_count": 7`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.wait(`document.querySelector(".detail") === null`)
	b.do(chromedp.NavigateBack())
	b.see(".detail h3", "Call 1: filter_data")

	// A label leads to what made it.
	b.goTo("#/questions/city_library/2")
	b.clickText(`section[aria-label="SEL"] dd a.label`, "FILTERED_DF_0")
	b.see(".detail h3", "Call 1: select_data_greater_than")
	b.clickText(`section[aria-label="SEL"] dd a.label`, "starting_table_var")
	b.see(".detail h3", "Starting table")
	b.see(".detail figcaption", "of book")
	b.goTo("#/questions/city_library/1/rest/0")
	b.see(".detail td", "Märchenhaus")
}

func TestChange(t *testing.T) {
	t.Parallel()
	b := open(t, whole(t), desktop)
	b.goTo("#/questions/city_library/2")
	b.see(`section[aria-label="SLOT"] .verdict`, "right answer")
	b.click(`section[aria-label="SLOT"] .call .edit`)
	b.write(`.editor textarea[aria-label="Value of value"]`, "600")
	b.clickText(".editor button", "Run from here")
	b.see(`section[aria-label="SLOT"] .verdict`, "another answer")
	b.see(`section[aria-label="SLOT"] .verdict`, "value is 600, gold has 500")
	b.see(`section[aria-label="SLOT"] .call.edited`, "4 rows")
	b.see(`section[aria-label="SEL"] .verdict`, "right answer")
	b.wait(`location.hash.includes("edits=")`)

	// What is not JSON is a text, and a mistake is shown as to a model.
	b.click(`section[aria-label="SLOT"] .call .edit`)
	b.write(`.editor textarea[aria-label="Value of key_name"]`, "book_pages")
	b.do(chromedp.KeyEvent(kb.Enter))
	b.see(`section[aria-label="SLOT"] .call.failed .bad`, `unknown key "book_pages"; use one of book_isbn`)
	b.see(`section[aria-label="SLOT"] .verdict`, "ends with an error")
	b.see(".tables .notice", `unknown key "book_pages"`)
	b.do(chromedp.Reload()) // the change is in the address
	b.see(`section[aria-label="SLOT"] .verdict`, "ends with an error")
	b.do(chromedp.NavigateBack(), chromedp.NavigateBack())
	b.see(`section[aria-label="SLOT"] .verdict`, "another answer")

	// An argument that the gold call does not have, and one less.
	b.goTo("#/questions/city_library/2/slot/1/edit")
	b.clickText(".editor button", "Add an argument")
	b.see(".editor .line:last-of-type input", "")
	b.do(chromedp.Click(chromedp.CSS(".editor .line:last-of-type input")), chromedp.KeyEvent("limit_rows"))
	b.click(`.editor button[aria-label="Remove limit"]`)
	b.clickText(".editor button", "Run from here")
	b.see(`section[aria-label="SLOT"] .call.failed`, `unknown argument "limit_rows"`)
	b.clickText(`section[aria-label="SLOT"] .verdict button`, "Back to gold")
	b.see(`section[aria-label="SLOT"] .verdict`, "right answer")
	b.wait(`!location.hash.includes("edits=")`)
}

func TestSpecifications(t *testing.T) {
	t.Parallel()
	b := open(t, whole(t), desktop)
	b.goTo("#/questions/city_library/2")
	b.clickText(".tabs a", "Specifications")
	b.see(".specifications pre", "Answer the question about the database city_library")
	for _, c := range []struct{ variant, format, contains string }{
		{"SLOT", "openai", `"type": "function"`},
		{"SLOT", "openai-strict", `"strict": true`},
		{"SLOT", "anthropic", `"input_schema"`},
		{"SLOT", "gemini", `"name": "filter_data"`},
		{"SEL", "mcp", `"inputSchema"`},
		{"REST", "function", `"path": "/v1/bird/city_library/`},
	} {
		b.clickText(".choices a", c.variant)
		b.clickText(".choices a", c.format)
		b.wait(fmt.Sprintf(`location.hash.endsWith("/%s/%s")`, strings.ToLower(c.variant), c.format))
		b.see(".figures dd", "")
		b.wait(`Number(document.querySelector(".figures dd").textContent) === document.querySelectorAll(".tool").length`)
		b.see(".tool pre", c.contains)
		b.click(".tool summary")
		b.wait(`document.querySelector(".tool").open`)
	}
}

func TestEndpoints(t *testing.T) {
	t.Parallel()
	b := open(t, whole(t), desktop)
	b.goTo("#/endpoints")
	b.see(".endpoint h1", "branch_count")
	b.write("input[type=search]", "branch code")
	b.clickText(".list a", "branch_names_by_branch_code")
	b.see(".endpoint .lead", "The names of the branches")
	b.write(`input[name="branch_code"]`, "007")
	b.see(".request", "/v1/bird/city_library/branch_names_by_branch_code?branch_code=007")
	b.do(chromedp.KeyEvent(kb.Enter))
	b.see(".answer td", "Märchenhaus")
	b.see(".answer pre", `"count": 1`)
	b.write(`input[name="limit"]`, "many")
	b.clickText(".parameters button", "Call it")
	b.see(".answer .notice", "limit: ")
	b.forgive("400")
	b.clickText(".examples a", "code 007")
	b.see(".answer td", "Märchenhaus")
	b.clickText(".examples a", "1")
	b.see(".endpoint, .question h1", "code 007")
	b.do(chromedp.NavigateBack())
	b.see(".endpoint h1", "branch_names_by_branch_code")
	b.goTo("#/questions/city_library/1")
	b.clickText(`section[aria-label="REST"] .result a`, "endpoint")
	b.see(".answer td", "Märchenhaus")
}

func TestCoverage(t *testing.T) {
	t.Parallel()
	b := open(t, whole(t), desktop)
	b.goTo("#/coverage")
	b.see(".card .big", "44 of 45 verified")
	b.see(".card .big", "45 of 45 verified")
	b.see(`section[aria-label="By construct of SQL"] code`, "WHERE")
	b.wait(`document.querySelectorAll('section[aria-label="By construct of SQL"] .bar').length === 40`)
	b.clickText("button", "Show all")
	b.wait(`document.querySelectorAll('section[aria-label="By construct of SQL"] .bar').length > 40`)
	b.see(`section[aria-label="Without a sample"] td`, "recursive CTE")
	b.clickText(`section[aria-label="Without a sample"] a`, "city_library 900")
	b.see(".question h1", "Count to three.")
}

// Without folders, questions are converted when they are asked for.
func TestCoverageWithoutFolders(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, Options{}), desktop)
	b.goTo("#/coverage")
	b.see(".convert", "no folder of samples")
	b.clickText(".convert button", "city_library")
	b.see(".convert", "45 of 45 tried, 44 verified")
	b.see(".convert li", "recursive CTE")
	b.goTo("#/evaluation")
	b.see("main", "The service was given no folder of scores.")
	b.goTo("#/questions/city_library/2")
	b.see(`section[aria-label="SLOT"] .verdict`, "right answer")
}

func TestEvaluation(t *testing.T) {
	t.Parallel()
	b := open(t, whole(t), desktop)
	b.goTo("#/evaluation")
	b.see(".figures dd", "33.3 %")
	b.see(".notice", "No model answered")
	b.see(`section[aria-label="By database"] th`, "city_library")
	b.clickText(`section[aria-label="Classes of errors"] a`, "hallucinated function name")
	b.wait(`document.querySelectorAll(".samples tbody tr").length === 3`)
	b.choose(`section[aria-label="Samples"] select`, "value_error")
	b.see(".samples td.bad", "value error")
	b.clickText(".samples a", "city_library 2")
	b.see(".outcome .title", "more than 500 pages")
	b.see(".beside .marked dd", "<script>alert(1)</script>")
	b.see(`section[aria-label="Gold"] .call`, "filter_data")
	b.clickText(".outcome a", "All samples")
	b.see(".samples td.bad", "value error")
	b.clickText(".samples a", "city_library 2")
	b.clickText(".outcome a", "city_library 2")
	b.see(".question h1", "more than 500 pages")
}

func TestTheme(t *testing.T) {
	t.Parallel()
	const colour = `getComputedStyle(document.body).backgroundColor`
	for _, dark := range []bool{false, true} {
		b := open(t, whole(t), view{width: 1280, height: 900, key: key, dark: dark})
		b.goTo("")
		b.see(".question h1", "branches")
		system := eval[string](b, colour)
		b.click("button.theme") // light
		light := eval[string](b, colour)
		b.click("button.theme") // dark
		b.wait(`document.documentElement.dataset.theme === "dark"`)
		if now := eval[string](b, colour); light == now || system != map[bool]string{true: now, false: light}[dark] {
			t.Errorf("system dark %v: %s, light %s, dark %s", dark, system, light, now)
		}
		b.do(chromedp.Reload())
		b.wait(`document.documentElement.dataset.theme === "dark"`)
		b.see("button.theme", "")
		b.click("button.theme")
		b.wait(`document.documentElement.dataset.theme === undefined`)
	}
}

// everywhere has an address in each part of the page, and what is there when it is
// ready.
var everywhere = []struct{ fragment, ready string }{
	{"#/questions/city_library/2/slot/0", ".detail td"},
	{"#/questions/city_library/2/slot/0/edit", ".editor textarea"},
	{"#/questions/city_library/2/specifications/slot/openai", ".tool"},
	{"#/endpoints/city_library/branch_names_by_branch_code?query=branch_code%3D007", ".answer td"},
	{"#/coverage", ".card"},
	{"#/evaluation", ".samples td"},
	{"#/evaluation/none/slot_direct_exact/city_library/2", ".beside .call"},
}

// A page of 380 pixels shows everything in one column and does not scroll to the
// side.
func TestNarrow(t *testing.T) {
	t.Parallel()
	b := open(t, whole(t), view{width: 380, height: 800, key: key})
	b.goTo("")
	b.see(".list a", "branches")
	b.wait(`getComputedStyle(document.querySelector(".main")).display === "none"`)
	b.clickText(".list a", "more than 500 pages")
	b.see(".question h1", "more than 500 pages")
	b.wait(`getComputedStyle(document.querySelector(".side")).display === "none"`)
	b.clickText(".crumbs a", "Questions")
	b.wait(`getComputedStyle(document.querySelector(".side")).display !== "none"`)
	for _, c := range everywhere {
		b.goTo(c.fragment)
		b.see(c.ready, "")
		if wide := eval[int](b, "document.documentElement.scrollWidth"); wide > 380 {
			t.Errorf("%s is %d pixels wide", c.fragment, wide)
		}
	}
}

// Whatever takes input has a name that a screen reader can say, every page has one
// main part and one first heading, and ids are not used twice.
func TestAccessible(t *testing.T) {
	t.Parallel()
	b := open(t, whole(t), desktop)
	for _, c := range everywhere {
		b.goTo(c.fragment)
		b.see(c.ready, "")
		nameless := eval[[]string](b, `[...document.querySelectorAll("a, button, input, select, textarea, svg[role=img]")].filter((e) =>
			!(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.[0]?.textContent.trim() || e.placeholder)).map((e) => e.outerHTML)`)
		if len(nameless) > 0 {
			t.Errorf("%s: without a name: %v", c.fragment, nameless)
		}
		if n := eval[int](b, `document.querySelectorAll("main").length * document.querySelectorAll("h1").length`); n != 1 {
			t.Errorf("%s: mains times first headings are %d", c.fragment, n)
		}
	}
}

// Nothing jumps while a page loads: the browser's own measure of that, of which
// 0.1 is called good, counts how much moved how far
// (https://web.dev/articles/cls).
func TestSteady(t *testing.T) {
	t.Parallel()
	const good = 0.1
	for _, v := range []view{desktop, {width: 380, height: 800, key: key}} {
		b := open(t, whole(t), v)
		for _, c := range []struct{ fragment, selector, text string }{
			{"#/questions/city_library/2", `section[aria-label="REST"] .verdict`, "right answer"},
			{"#/questions/city_library/2/slot/0", ".tables > div:last-child .below", "7 rows"},
			{"#/coverage", ".card", ""},
			{"#/evaluation", ".samples td", ""},
			{"#/endpoints/city_library/branch_names_by_branch_code?query=branch_code%3D007", ".answer td", ""},
		} {
			b.goTo(c.fragment)
			b.see(c.selector, c.text)
			shifts := eval[string](b, `(() => {
				const list = [];
				const seen = new PerformanceObserver(() => {});
				seen.observe({ type: "layout-shift", buffered: true });
				for (const e of seen.takeRecords()) list.push([e.value, ...e.sources.map((s) => s.node?.nodeName + "." + s.node?.className)]);
				return JSON.stringify(list);
			})()`)
			var sum float64
			for _, one := range parseShifts(t, shifts) {
				sum += one
			}
			if sum >= good {
				t.Errorf("%d pixels, %s: %.3f of the page moved: %s", v.width, c.fragment, sum, shifts)
			}
		}
	}
}

func parseShifts(t *testing.T, text string) []float64 {
	t.Helper()
	var list [][]any
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatal(err)
	}
	var out []float64
	for _, one := range list {
		out = append(out, one[0].(float64))
	}
	return out
}

// The policy stops what a hostile text might bring, and the tests hear of it.
func TestPolicy(t *testing.T) {
	t.Parallel()
	b := open(t, whole(t), desktop)
	b.goTo("#/coverage")
	b.see(".card", "")
	eval[bool](b, `document.body.insertAdjacentHTML("beforeend", "<style>body{color:red}</style><img src='https://example.invalid/a.png'>"), true`)
	eval[bool](b, `((s) => { s.textContent = "window.ran = true"; document.body.append(s); return true; })(document.createElement("script"))`)
	eval[bool](b, `fetch("https://example.invalid/b").catch(() => {}), true`)
	for _, directive := range []string{"policy: style-src-elem", "policy: img-src", "policy: script-src-elem", "policy: connect-src"} {
		b.hear(directive)
		b.forgive(directive)
	}
	b.forgive("log ")
	b.forgive("example.invalid") // which the policy stopped
	if eval[bool](b, "window.ran === true") {
		t.Error("an inline script ran")
	}
}
