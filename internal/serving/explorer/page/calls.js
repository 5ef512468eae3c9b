// The calls of a question in each variant, side by side.
import { go, html, link, parse, plural, show, useMemo, usePost, withValue } from "./lib.js";
import { Name, Notice, Value } from "./parts.js";
import { bodyOf, Detail, Editor } from "./run.js";

const names = { slot: "SLOT", sel: "SEL", rest: "REST" };
const about = { slot: "generic tools", sel: "functions with fewer arguments", rest: "one endpoint for each query" };

// readEdits returns the changed arguments by variant and call, which stand in the
// address: {"slot": {"0": [["value", "\"x\""], ...]}}.
function readEdits(query) {
  try {
    return JSON.parse(query.get("edits") ?? "{}");
  } catch {
    return {};
  }
}

export function Variants({ db, id, samples, route, dataset, query }) {
  const edits = readEdits(route.query);
  const open = route.path[3] && dataset.variants.includes(route.path[3]) ? { variant: route.path[3], at: route.path[4], view: route.path[5] } : null;
  const kept = withValue(query, "edits", route.query.get("edits"));
  return html`<section class="variants" aria-label="Calls">
    ${dataset.variants.map((variant, i) => html`<${Variant} key=${variant} column=${i + 1} variant=${variant} db=${db} id=${id} sample=${samples[i]}
      edited=${edits[variant]} edits=${edits} open=${open?.variant === variant ? open : null} query=${kept} />`)}
  </section>`;
}

function Variant({ column, variant, db, id, sample, edited, edits, open, query }) {
  const { data, error } = sample;
  const calls = useMemo(() => changed(data?.calls, edited), [data, JSON.stringify(edited)]);
  const body = useMemo(() => calls && bodyOf({ variant, db, id }, calls), [calls, variant, db, id]);
  const run = usePost("run", body ?? null);
  const known = new Set([...(data?.starts ?? []).map((s) => s.label), ...(calls ?? []).map((c) => c.label)]);
  const address = (at, view) => link(["questions", db, id, ...(at === null ? [] : [variant, String(at), ...(view ? [view] : [])])], query);
  // A label leads to the call that made it, or to its own starting table.
  const to = (label) => {
    const at = (calls ?? []).findIndex((c) => c.label === label);
    return at >= 0 ? address(at) : known.has(label) ? address("start", label) : null;
  };
  const save = (at, list) => {
    const own = { ...edited };
    if (list) own[at] = list;
    else delete own[at];
    const all = { ...edits, [variant]: own };
    if (Object.keys(own).length === 0) delete all[variant];
    const text = Object.keys(all).length ? JSON.stringify(all) : "";
    go(link(["questions", db, id, variant, String(at)], withValue(query, "edits", text)));
  };
  const reset = () => {
    const all = { ...edits };
    delete all[variant];
    go(link(["questions", db, id], withValue(query, "edits", Object.keys(all).length ? JSON.stringify(all) : "")));
  };
  const place = (row, span) => ({ gridColumn: span ? "1 / -1" : String(column), gridRow: String(row) });
  const first = edited ? Math.min(...Object.keys(edited).map(Number)) : Infinity;
  const detail = (at) => open && open.at === String(at);
  return html`<section class="variant" aria-label=${names[variant] ?? variant}>
    <header class="variant-head" style=${place(1)}>
      <h2>${names[variant] ?? variant}</h2><span>${data?.calls ? plural(data.calls.length, "call") + " of " + plural(data.tools, "tool") : about[variant]}</span>
      ${data?.starts?.length > 0 && html`<p class="starts">starts with ${data.starts.map((s) => html`<a key=${s.label} class="label" href=${address("start", s.label)}
        title=${s.tables.join(", ")}>${s.label}</a> `)}</p>`}
      <${Verdict} run=${run} edited=${edited} reset=${reset} missing=${data?.missing} />
    </header>
    ${error && html`<div style=${place(3)}><${Notice} kind="bad">${error}<//></div>`}
    ${data?.missing && html`<div style=${place(3)}><${Notice}>${data.missing}<//></div>`}
    ${detail("start") && data && html`<div class="detail" style=${place(2, true)}>
      <${Detail} request=${{ variant, db, id }} calls=${calls} starts=${data.starts} only=${open.view} close=${address(null)} /></div>`}
    ${(calls ?? []).map((c, i) => html`
      <div key=${i} class="cell" style=${place(3 + 2 * i)}>
        <${Call} call=${c} number=${i + 1} step=${run.data?.steps[i]} edited=${edited?.[i]} later=${i > first}
          open=${detail(i)} href=${address(detail(i) ? null : i)} edit=${address(i, "edit")} to=${to} db=${db} />
      </div>
      ${detail(i) && html`<div key=${"detail" + i} class="detail" style=${place(4 + 2 * i, true)}>
        ${open.view === "edit"
          ? html`<${Editor} call=${c} gold=${data.calls[i]} save=${(list) => save(i, list)} close=${address(i)} />`
          : html`<${Detail} request=${{ variant, db, id }} calls=${calls} at=${i} step=${run.data?.steps[i]} starts=${data.starts} close=${address(null)} edit=${address(i, "edit")} />`}
      </div>`}`)}
  </section>`;
}

// changed returns the gold calls with the changed arguments.
function changed(calls, edited) {
  return calls?.map((c, i) => (edited?.[i] ? { ...c, arguments: edited[i].map(([name, value]) => ({ name, value })) } : c));
}

// Verdict says whether the calls answer the question.
function Verdict({ run, edited, reset, missing }) {
  if (missing) return html`<p class="verdict"> </p>`;
  const score = run.data?.score;
  return html`<p class="verdict" aria-live="polite">
    ${run.error ? html`<span class="bad">${run.error}</span>`
      : !run.data ? html`<span class="quiet">Running</span>`
      : score?.completed ? html`<span class="good">✓ right answer</span>`
      : html`<span class="bad">✗ ${run.data.steps.some((s) => s.error) ? "ends with an error" : "another answer"}</span>`}
    ${score && html`<span class="number" title=${Object.entries(score.components).map(([name, v]) => name.replaceAll("_", " ") + " " + v).join("\n")}>reward ${score.reward}</span>`}
    ${edited && score?.reason && !run.data.steps.some((s) => s.error) && html`<span class="quiet">${score.reason}</span>`}
    ${edited && html`<button type="button" onClick=${reset}>Back to gold</button>`}
  </p>`;
}

function Call({ call, number, step, edited, later, open, href, edit, to, db }) {
  return html`<div class=${"call" + (open ? " open" : "") + (edited ? " edited" : "") + (later ? " later" : "") + (step?.error ? " failed" : "")}>
    <div class="call-top">
      <a class="call-head" href=${href} aria-expanded=${open ? "true" : "false"}><span class="place">${number}</span><span class="name"><${Name} text=${call.name} /></span></a>
      <a class="edit" href=${edit} aria-label=${`Change call ${number}, ${call.name}`}>${edited ? "changed" : "change"}</a>
    </div>
    <dl class="arguments">${call.arguments.map((a) => html`<div key=${a.name}><dt>${a.name}</dt><dd><${Value} text=${a.value} to=${to} /></dd></div>`)}</dl>
    <p class="result">
      ${call.label && html`<a class="label" href=${href}>${call.label}</a>`}
      <span class=${step?.error ? "bad" : "size"}>${step ? summary(step) : " "}</span>
      ${call.path && html`<a class="outward" href=${link(["endpoints", db, call.name], { query: queryOf(call) })}>endpoint</a>`}
    </p>
  </div>`;
}

// summary says in a few words what a call returned.
function summary(step) {
  if (step.error) return step.error;
  const o = parse(step.observation);
  if ("value" in o) return "= " + show(o.value);
  const wide = o.columns ? Object.keys(o.columns).length + (o.columns_not_shown ?? 0) : 0;
  return plural(o.row_count, o.grouped ? "group" : "row") + (wide ? ", " + plural(wide, "column") : "");
}

// queryOf writes the arguments of an endpoint's call as the query of a URL.
function queryOf(call) {
  const out = new URLSearchParams();
  for (const a of call.arguments) {
    const value = parse(a.value);
    for (const one of Array.isArray(value) ? value : [value]) if (one !== null) out.append(a.name, String(one));
  }
  return out.toString();
}
