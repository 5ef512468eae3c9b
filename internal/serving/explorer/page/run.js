// What a call was given and what it returned, and the form that changes it.
import { ask, html, isNumber, link, parse, show, usePost, useState, useEffect } from "./lib.js";
import { Grid, Notice, Waiting } from "./parts.js";

// bodyOf writes a request to run calls. Arguments are JSON already, whose numbers
// keep their digits.
export function bodyOf(request, calls, more = {}) {
  const texts = calls.map((c) => {
    const list = c.arguments.map((a) => JSON.stringify(a.name) + ":" + a.value);
    return `{"name":${JSON.stringify(c.name)},"label":${JSON.stringify(c.label ?? "")},"arguments":{${list.join(",")}}}`;
  });
  const head = Object.entries({ ...request, ...more }).map(([name, v]) => JSON.stringify(name) + ":" + JSON.stringify(v));
  return `{${head.join(",")},"calls":[${texts.join(",")}]}`;
}

// labelsIn returns the labels of earlier results that a call works on.
function labelsIn(call, known) {
  const out = [];
  for (const a of call.arguments) {
    for (const [, label] of a.value.matchAll(/"\$([^"$]+)\$"/g)) if (known.has(label) && !out.includes(label)) out.push(label);
  }
  return out;
}

// textsIn returns all texts in the arguments of a call, some of which are keys.
function textsIn(call) {
  const out = new Set();
  const walk = (v) => {
    if (typeof v === "string") out.add(v);
    else if (v && typeof v === "object" && !isNumber(v)) Object.values(v).forEach(walk);
  };
  call.arguments.forEach((a) => walk(parse(a.value)));
  return out;
}

// Detail shows the tables before and after a call, or a starting table.
export function Detail({ request, calls, at, only, step, starts, close, edit }) {
  const call = calls[at];
  useEffect(() => {
    const pressed = (e) => e.key === "Escape" && !e.target.closest("input, textarea, select") && (location.hash = close);
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [close]);
  if (!call) {
    const start = starts?.find((s) => s.label === only);
    return html`<section aria-label=${only}><${Head} title="Starting table" close=${close} />
      <${Rows} request=${request} calls=${[]} label=${only} about=${start ? "of " + start.tables.join(", ") : ""} /></section>`;
  }
  const known = new Map([...(starts ?? []).map((s) => [s.label, []]), ...calls.slice(0, at).map((c, i) => [c.label, calls.slice(0, i + 1)])]);
  const named = textsIn(call);
  const base = new Set((starts ?? []).flatMap((s) => s.keys));
  const before = call.label ? labelsIn(call, known) : [];
  return html`<section aria-label=${`Call ${at + 1}`}>
    <${Head} title=${`Call ${at + 1}: ${call.name}`} close=${close}><a href=${edit}>Change an argument</a><//>
    <div class="tables">
      ${before.map((label) => html`<div key=${label}><h4>Before</h4><${Rows} request=${request} calls=${known.get(label)} label=${label} named=${named} base=${base} /></div>`)}
      <div><h4>${before.length ? "After" : "Answer"}</h4>
        ${!step ? html`<${Waiting} />`
          : step.error ? html`<${Notice} kind="bad">${step.error}<//>`
          : request.variant === "rest" ? html`<${AnswerRows} step=${step} />`
          : html`<${Rows} request=${request} calls=${calls.slice(0, at + 1)} label=${call.label} named=${named} base=${base} />`}
      </div>
    </div>
    ${step && html`<details class="observation"><summary>What a model is shown</summary><pre class="code">${show(parse(step.observation))}</pre></details>`}
  </section>`;
}

function Head({ title, close, children }) {
  return html`<header class="detail-head"><h3>${title}</h3>${children}<a class="close" href=${close} aria-label="Close">×</a></header>`;
}

const page = 20;

// Rows are those of a table, the first ones and more when asked for.
function Rows({ request, calls, label, about, named, base }) {
  const body = (offset, rows) => bodyOf(request, calls, { label, offset, rows });
  const first = usePost("table", body(0, page));
  const [rest, setRest] = useState({ body: "", rows: [] });
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState("");
  if (first.error || failed) return html`<${Notice} kind="bad">${first.error || failed}<//>`;
  if (!first.data) return html`<${Waiting} lines=${5} />`;
  const id = body(0, page);
  const table = first.data;
  const rows = [...table.rows, ...(rest.body === id ? rest.rows : [])];
  const more = async () => {
    setBusy(true);
    try {
      const next = await ask("table", { body: body(rows.length, 100) });
      setRest({ body: id, rows: [...rows.slice(table.rows.length), ...next.rows] });
    } catch (error) {
      setFailed(error.message);
    }
    setBusy(false);
  };
  // Of many columns, those that the call names come first, then those that calls
  // made, as in what a model is shown.
  const columns = table.columns.map((c) => ({ ...c, used: named?.has(c.name), made: base && !base.has(c.name) }));
  const rank = (i) => (columns[i].used ? 0 : columns[i].made ? 1 : 2);
  const order = columns.map((c, i) => i);
  if (order.length > 8) order.sort((a, b) => rank(a) - rank(b));
  const caption = html`<span class="label">${label}</span>${about ? " " + about : ""}${table.grouped ? ", a row for each group" : ""}`;
  return html`<${Grid} caption=${caption} columns=${order.map((i) => columns[i])}
    rows=${rows.map((row) => order.map((i) => row[i]))} total=${table.row_count} more=${more} busy=${busy} />`;
}

// AnswerRows are those of an endpoint's answer, as far as a model is shown them.
function AnswerRows({ step }) {
  const { columns, rows } = tableOf(parse(step.observation).data);
  return html`<${Grid} columns=${columns} rows=${rows} total=${parse(step.observation).row_count} />`;
}

// tableOf returns the objects of an endpoint's answer as a table.
export function tableOf(data) {
  const names = [...new Set(data.flatMap((row) => Object.keys(row)))];
  const text = (v) => (v === null || v === undefined ? null : typeof v === "string" ? v : show(v));
  return {
    columns: names.map((name) => ({ name, numeric: data.some((row) => isNumber(row[name])) && data.every((row) => row[name] === null || isNumber(row[name])) })),
    rows: data.map((row) => names.map((name) => text(row[name]))),
  };
}

// asJSON returns what was written as JSON: as it is if it is JSON, else as a text.
function asJSON(text) {
  try {
    JSON.parse(text);
    return text.trim();
  } catch {
    return JSON.stringify(text);
  }
}

// Editor is a form with the arguments of a call.
export function Editor({ call, gold, save, close }) {
  const [list, set] = useState(call.arguments.map((a) => [a.name, a.value]));
  const put = (i, one) => set(list.map((old, j) => (j === i ? one : old)));
  const run = (e) => {
    e.preventDefault();
    const out = list.filter(([name]) => name.trim()).map(([name, value]) => [name.trim(), asJSON(value)]);
    const same = JSON.stringify(out) === JSON.stringify(gold.arguments.map((a) => [a.name, a.value]));
    save(same ? null : out);
  };
  return html`<form class="editor" onSubmit=${run}>
    <${Head} title=${`Change ${call.name}`} close=${close} />
    <p class="hint">Values are JSON; what is not is taken as a text.</p>
    ${list.map(([name, value], i) => html`<div key=${i} class="line">
      <input aria-label="Argument" value=${name} onInput=${(e) => put(i, [e.target.value, value])} spellcheck="false" autocomplete="off" />
      <textarea aria-label=${"Value of " + name} rows=${Math.min(6, Math.ceil(value.length / 60) || 1)} onInput=${(e) => put(i, [name, e.target.value])}
        onKeyDown=${(e) => e.key === "Enter" && !e.shiftKey && run(e)} spellcheck="false" value=${value}></textarea>
      <button type="button" aria-label=${"Remove " + name} onClick=${() => set(list.filter((_, j) => j !== i))}>×</button>
    </div>`)}
    <p class="actions">
      <button type="submit" class="primary">Run from here</button>
      <button type="button" onClick=${() => set([...list, ["", '""']])}>Add an argument</button>
      <button type="button" onClick=${() => save(null)}>Back to gold</button>
    </p>
  </form>`;
}
