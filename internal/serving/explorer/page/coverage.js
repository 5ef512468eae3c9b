// What was converted, by construct and by database, and what failed.
import { ask, count, html, link, percent, plural, useData, useRef, useState } from "./lib.js";
import { Bar, Notice, Waiting } from "./parts.js";

const names = { slot: "SLOT", sel: "SEL", rest: "REST" };

export function Coverage({ dataset }) {
  const { data, error } = useData("coverage", {});
  if (error) return html`<main class="single"><${Notice} kind="bad">${error}<//></main>`;
  if (!data) return html`<main class="single"><${Waiting} lines=${8} /></main>`;
  const total = data.databases.reduce((n, d) => n + d.questions, 0);
  return html`<main class="single wide">
    <h1>Coverage</h1>
    <p class="lead">${plural(total, "question")} on ${plural(data.databases.length, "database")}: how many have a sample whose calls were run and gave the answer of the SQL.</p>
    ${data.variants.length > 0 ? html`<div class="cards">${data.variants.map((v, i) => html`<${Card} key=${v.variant} of=${v} kind=${"v" + i} />`)}</div>`
      : html`<${Convert} dataset=${dataset} />`}
    <${Groups} title="By database" what="database" groups=${data.databases} variants=${data.variants} to=${(g) => link(["questions", g.name])} />
    <${Groups} title="By construct of SQL" what="construct" groups=${data.constructs} variants=${data.variants} />
    ${data.variants.length > 0 && html`<${Failures} list=${data.failures} />`}
  </main>`;
}

function Card({ of, kind }) {
  return html`<section class="card" aria-label=${names[of.variant]}>
    <h2>${names[of.variant]}${of.toolset && html` <small>toolset ${of.toolset}</small>`}</h2>
    <p class="big"><span>${count(of.verified)}</span> of ${count(of.questions)} verified <span class="share">${percent(of.verified, of.questions)}</span></p>
    <${Bar} part=${of.verified} whole=${of.questions} most=${of.questions} kind=${kind} />
    <dl class="facts">
      <div><dt>calls for a question</dt><dd>${of.average_length.toFixed(2)}</dd></div>
      <div><dt>most calls</dt><dd>${of.maximum_length}</dd></div>
      <div><dt>arguments for a call</dt><dd>${of.slots_per_call.toFixed(2)}</dd></div>
      <div><dt>other answers right, too</dt><dd>${count(of.tie_dependent)}</dd></div>
    </dl>
  </section>`;
}

const few = 20;

// Groups is a chart: a bar for each group, with its numbers next to it.
function Groups({ title, what, groups, variants, to }) {
  const [all, setAll] = useState(groups.length <= few + 5);
  const most = Math.max(...groups.map((g) => g.questions), 1);
  const shown = all ? groups : groups.slice(0, few);
  return html`<section class="chart" aria-label=${title}><h2>${title}</h2>
    <div class="scroll"><table>
      <thead><tr><th scope="col">${what}</th><th scope="col" class="wide bars">verified of the questions</th><th scope="col" class="number">questions</th>
        ${variants.map((v, i) => html`<th key=${v.variant} scope="col" class="number"><span class=${"dot v" + i} />${names[v.variant]}</th>`)}</tr></thead>
      <tbody>${shown.map((g) => html`<tr key=${g.name}>
        <th scope="row">${to ? html`<a href=${to(g)}>${g.name}</a>` : html`<code>${g.name}</code>`}</th>
        <td class="wide bars">${variants.length ? variants.map((v, i) => html`<${Bar} key=${v.variant} part=${g.verified[i] ?? 0} whole=${g.questions} most=${most} kind=${"v" + i} />`)
          : html`<${Bar} part=${0} whole=${g.questions} most=${most} />`}</td>
        <td class="number">${count(g.questions)}</td>
        ${variants.map((v, i) => html`<td key=${v.variant} class=${"number" + (g.verified[i] === g.questions ? " whole" : "")}>${g.verified[i] === null ? "–" : count(g.verified[i])}</td>`)}
      </tr>`)}</tbody>
    </table></div>
    ${!all && html`<button type="button" onClick=${() => setAll(true)}>Show all ${groups.length}</button>`}
  </section>`;
}

function Failures({ list }) {
  return html`<section class="chart" aria-label="Without a sample"><h2>Without a sample</h2>
    ${list.length === 0 ? html`<p>None.</p>` : html`<div class="scroll"><table>
      <thead><tr><th scope="col">question</th><th scope="col">variant</th><th scope="col">status</th><th scope="col">construct</th><th scope="col" class="wide">reason</th></tr></thead>
      <tbody>${list.map((f) => html`<tr key=${f.variant + f.db + f.id}><th scope="row"><a href=${link(["questions", f.db, f.id])}>${f.db} ${f.id}</a></th>
        <td>${names[f.variant]}</td><td>${f.status}</td><td><code>${f.construct}</code></td><td class="wide">${f.reason}</td></tr>`)}</tbody>
    </table></div>`}
  </section>`;
}

// Convert converts a database's questions, a few at a time, where there is no
// report to read.
function Convert({ dataset }) {
  const [variant, setVariant] = useState(dataset.variants[0]);
  const [state, set] = useState({});
  const stop = useRef(null);
  const run = async (db) => {
    const left = new AbortController();
    stop.current = left;
    let next = 0, results = [];
    set({ db, next, total: 0, results, running: true });
    try {
      for (;;) {
        const answer = await ask("converted", { params: { variant, db, from: String(next) }, signal: left.signal });
        next = answer.next;
        results = [...results, ...answer.results];
        set({ db, next, total: answer.total, results, running: next < answer.total });
        if (next >= answer.total) return;
      }
    } catch (error) {
      set((s) => ({ ...s, running: false, error: left.signal.aborted ? "" : error.message }));
    }
  };
  const failed = (state.results ?? []).filter((r) => r.reason);
  return html`<section class="chart convert" aria-label="Convert"><h2>Convert now</h2>
    <p>The service was given no folder of samples. Questions of a database can be converted here.</p>
    <p class="actions">
      <label class="field"><span>Variant</span><select value=${variant} onChange=${(e) => setVariant(e.target.value)}>${dataset.variants.map((v) => html`<option key=${v} value=${v}>${names[v]}</option>`)}</select></label>
      ${dataset.databases.map((d) => html`<button key=${d.id} type="button" disabled=${state.running} onClick=${() => run(d.id)}>${d.id}</button>`)}
      ${state.running && html`<button type="button" onClick=${() => stop.current.abort()}>Stop</button>`}
    </p>
    ${state.db && html`<div aria-live="polite"><p>${names[variant]}, ${state.db}: ${count(state.next)} of ${count(state.total)} tried, ${count(state.next - failed.length)} verified</p>
      <${Bar} part=${state.next - failed.length} whole=${state.next} most=${state.total} />
      ${state.error && html`<${Notice} kind="bad">${state.error}<//>`}
      ${failed.length > 0 && html`<ul class="examples">${failed.map((f) => html`<li key=${f.id}><a class="number" href=${link(["questions", state.db, f.id])}>${f.id}</a> ${f.reason}</li>`)}</ul>`}</div>`}
  </section>`;
}
