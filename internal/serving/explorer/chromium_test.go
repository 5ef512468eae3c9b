package explorer

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long a test waits for what the page is to show.
const patience = 30 * time.Second

// browser is one tab of a real browser on the page.
type browser struct {
	t    *testing.T
	ctx  context.Context
	home string // the page's address

	mu       sync.Mutex
	problems []string // what no page may do
}

// view is how a page is looked at.
type view struct {
	width, height int64
	dark          bool
	key           string // that the tab knows already; "" for none
}

// desktop is a view that has the key.
var desktop = view{width: 1280, height: 900, key: key}

// chromium is the one browser that all tests share, each in a tab with storage and
// caches of its own: to start it takes longer than most of them.
var chromium struct {
	once sync.Once
	ctx  context.Context // of the browser; nil where there is none
	err  error
	stop func()
}

func startChromium() {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		program, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		// The page is the tests' own, and root may not use the sandbox.
		options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(program), chromedp.NoSandbox)
		ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, closeTab := chromedp.NewContext(ctx)
		chromium.ctx, chromium.err = ctx, chromedp.Do(ctx, chromedp.Navigate("about:blank"))
		chromium.stop = func() { closeTab(); stop() }
		return
	}
}

// open opens a tab on the page that h serves. The test fails at its end if the page
// wrote an error to the console, broke its policy, or asked another place than the
// service for anything.
func open(t *testing.T, h http.Handler, v view) *browser {
	t.Helper()
	chromium.once.Do(startChromium)
	if chromium.err != nil {
		t.Fatal(chromium.err)
	}
	if chromium.ctx == nil {
		t.Skip("there is no chromium; install Debian's package chromium to run the page in a browser")
	}
	service := httptest.NewServer(h)
	t.Cleanup(service.Close)
	ctx, cancel := chromedp.NewContext(chromium.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	b := &browser{t: t, ctx: ctx, home: service.URL + "/"}
	b.must(chromedp.Listen(ctx, b.heard))
	call(b, network.Enable, network.EnableParams{})
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: map[bool]string{true: "dark", false: "light"}[v.dark]},
	}})
	call(b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
		document.addEventListener("securitypolicyviolation", (e) => console.error("policy: " + e.violatedDirective + " " + e.blockedURI));
		if (location.protocol === "http:" && ` + strconv.Quote(v.key) + `) sessionStorage.setItem("control-key", ` + strconv.Quote(v.key) + `);`})
	b.do(chromedp.EmulateViewport(v.width, v.height))
	t.Cleanup(b.check)
	return b
}

// heard notes what no page may do. Answers that are errors are noted too: the
// browser says so, and a test that asks for one forgives it.
func (b *browser) heard(ev any) {
	problem := ""
	switch ev := ev.(type) {
	case *runtime.EventConsoleAPICalled:
		if ev.Type == "error" || ev.Type == "warning" || ev.Type == "assert" {
			problem = "console"
			for _, a := range ev.Args {
				problem += " " + string(a.Value) + a.Description
			}
		}
	case *runtime.EventExceptionThrown:
		problem = "exception " + ev.ExceptionDetails.Text
		if ev.ExceptionDetails.Exception != nil {
			problem += " " + ev.ExceptionDetails.Exception.Description
		}
	case *cdplog.EventEntryAdded:
		if ev.Entry.Level == "error" || ev.Entry.Level == "warning" {
			problem = fmt.Sprintf("log %s: %s %s", ev.Entry.Source, ev.Entry.Text, ev.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		at, err := url.Parse(ev.Request.URL)
		if err != nil || at.Scheme != "data" && "http://"+at.Host+"/" != b.home {
			problem = "request to " + ev.Request.URL
		}
	}
	if problem == "" {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.problems = append(b.problems, problem)
}

// hear waits until there is a problem with a text in it.
func (b *browser) hear(text string) {
	b.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		b.mu.Lock()
		heard := slices.ContainsFunc(b.problems, func(p string) bool { return strings.Contains(p, text) })
		b.mu.Unlock()
		if heard {
			return
		}
	}
	b.t.Errorf("no such text: %q", text)
}

// forgive forgets problems with a text in them, of which there must be some: what
// a test caused on purpose.
func (b *browser) forgive(text string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	before := len(b.problems)
	b.problems = slices.DeleteFunc(b.problems, func(p string) bool { return strings.Contains(p, text) })
	if len(b.problems) == before {
		b.t.Errorf("there was no %q to forgive", text)
	}
}

func (b *browser) check() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.problems {
		b.t.Errorf("the page is at fault: %s", p)
	}
}

func (b *browser) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	b.must(chromedp.Do(ctx, steps...))
}

// goTo opens a part of the page by its fragment.
func (b *browser) goTo(fragment string) {
	b.t.Helper()
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(b.home+fragment))
}

// click clicks on the first element that a CSS selector finds.
func (b *browser) click(selector string) {
	b.t.Helper()
	b.see(selector, "")
	b.do(chromedp.ScrollIntoView(chromedp.CSS(selector)), chromedp.Click(chromedp.CSS(selector)))
}

// clickText clicks on the element with a text among those a selector finds.
func (b *browser) clickText(selector, text string) {
	b.t.Helper()
	b.see(selector, text)
	eval[bool](b, fmt.Sprintf(`[...document.querySelectorAll(%q)].find((e) => e.textContent.includes(%q)).click(), true`, selector, text))
}

// write replaces the text of a field.
func (b *browser) write(selector, text string) {
	b.t.Helper()
	b.click(selector)
	eval[bool](b, fmt.Sprintf(`document.querySelector(%q).select(), true`, selector))
	b.do(chromedp.KeyEvent(text))
}

// press presses a key as a keyboard does: chromedp.KeyEvent writes its character
// even where the page prevents that.
func (b *browser) press(text string) {
	b.t.Helper()
	call(b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: text, Text: text})
	call(b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp, Key: text})
}

// choose chooses an option of a select by its value.
func (b *browser) choose(selector, value string) {
	b.t.Helper()
	b.see(selector, "")
	eval[bool](b, fmt.Sprintf(`((e) => { e.value = %q; e.dispatchEvent(new Event("change", { bubbles: true })); return e.value === %q; })(document.querySelector(%q))`, value, value, selector))
}

// see waits until an element that a selector finds has a text.
func (b *browser) see(selector, text string) {
	b.t.Helper()
	b.wait(fmt.Sprintf(`[...document.querySelectorAll(%q)].some((e) => e.textContent.includes(%q))`, selector, text))
}

// wait waits until an expression is true.
func (b *browser) wait(expression string) {
	b.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if eval[bool](b, expression) {
			return
		}
	}
	b.t.Fatalf("it never became true: %s\nat %s:\n%s", expression, eval[string](b, "location.href"), eval[string](b, "document.body.innerText"))
}

// eval returns what an expression is in the page.
func eval[T any](b *browser, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// call sends a command of the browser's own protocol.
func call[P, R any](b *browser, command cdp.Command[P, R], params P) {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, command, params)
	b.must(err)
}
