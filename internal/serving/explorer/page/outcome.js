// One sample of an evaluation: gold next to predicted.
import { html, link, parse, show, useData, useEffect, words } from "./lib.js";
import { Name, Notice, SQL, Value, Waiting } from "./parts.js";

export function Outcome({ model, name, db, id, query }) {
  const { data, error } = useData("outcome", { model, name, db, id });
  useEffect(() => scrollTo(0, 0), []);
  const back = link(["evaluation", model, name], query);
  return html`<article class="outcome">
    <p class="crumbs"><a class="back always" href=${back}>All samples</a><a href=${link(["questions", db, id])}>${db} <span class="number">${id}</span></a></p>
    ${error ? html`<${Notice} kind="bad">${error}<//>` : !data ? html`<${Waiting} lines=${8} />` : html`
      <h2 class="title">${data.question}</h2>
      ${data.error ? html`<${Notice} kind="bad"><strong>${words(data.error)}</strong>${data.reason && ": " + data.reason}<//>` : html`<${Notice} kind="good">Completed.<//>`}
      ${data.sql && html`<${SQL} spans=${data.sql} />`}
      <div class="beside">
        <section aria-label="Gold"><h3>Gold</h3>
          ${data.gold.map((c, i) => html`<${Called} key=${i} call=${c} number=${i + 1} marks=${marks(data.differences, "gold_call", i)} />`)}
          <h4>Answer</h4><pre class="code">${pretty(data.gold_answer)}</pre></section>
        <section aria-label="Predicted"><h3>Predicted</h3>
          ${data.predicted.map((c, i) => html`<${Called} key=${i} call=${c} number=${i + 1} marks=${marks(data.differences, "predicted_call", i)} />`)}
          ${data.predicted.length === 0 && html`<p class="hint">There are no calls.</p>`}
          ${data.text && html`<h4>The model wrote</h4><pre class="code">${data.text}</pre>`}
          <h4>Answer</h4><pre class="code">${data.answer ? pretty(data.answer) : "none"}</pre></section>
      </div>`}
  </article>`;
}

// marks returns what differs of a call: the names of arguments, and "" for the
// call itself. What one side alone has is a mark, too.
function marks(differences, side, i) {
  const out = new Set();
  for (const d of differences ?? []) if (d[side] === i) out.add(d.argument ?? "");
  return out;
}

function Called({ call, number, marks }) {
  const given = call.arguments.map((a) => a.name);
  const absent = [...marks].filter((name) => name && !given.includes(name));
  return html`<div class=${"call" + (marks.has("") ? " marked" : "") + (call.failed ? " failed" : "")}>
    <p class="call-head"><span class="place">${number}</span><span class="name"><${Name} text=${call.name} /></span></p>
    <dl class="arguments">${call.arguments.map((a) => html`<div key=${a.name} class=${marks.has(a.name) ? "marked" : ""}><dt>${a.name}</dt><dd><${Value} text=${a.value} /></dd></div>`)}
      ${absent.map((name) => html`<div key=${name} class="marked"><dt>${name}</dt><dd class="quiet">not given</dd></div>`)}</dl>
    ${call.malformed && html`<p class="bad">${call.malformed}</p>`}
    <p class="result">${call.label && html`<span class="label">${call.label}</span>`}</p>
    ${call.returned && html`<details class="observation" open=${call.failed}><summary>Returned</summary><pre class="code">${pretty(call.returned)}</pre></details>`}
  </div>`;
}

function pretty(text) {
  try {
    return show(parse(text));
  } catch {
    return text;
  }
}
