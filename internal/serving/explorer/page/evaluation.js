// The report of a run of evaluate: totals, classes of errors, breakdowns, and the
// samples that failed.
import { count, html, link, percent, plural, replace, useData, useMemo, withValue, words } from "./lib.js";
import { Bar, Notice, Search, Select, Waiting } from "./parts.js";
import { Outcome } from "./outcome.js";

export function Evaluation({ route, dataset }) {
  const { data: list, error } = useData(dataset.evaluation && "evaluations", {});
  const model = route.path[1] ?? list?.[0]?.model;
  const name = route.path[2] ?? list?.find((e) => e.model === model)?.name;
  if (!dataset.evaluation) return html`<main class="single"><h1>Evaluation</h1><p>The service was given no folder of scores. It shows what <code>evaluate</code> wrote.</p></main>`;
  if (error) return html`<main class="single"><${Notice} kind="bad">${error}<//></main>`;
  if (!list) return html`<main class="single"><${Waiting} lines=${8} /></main>`;
  const choice = (e) => e.model + "/" + e.name;
  return html`<main class="single wide">
    <h1>Evaluation</h1>
    <${Select} label="Run" value=${model + "/" + name} options=${list.map((e) => [choice(e), `${e.model}, ${words(e.name)}`])}
      onChange=${(value) => { const e = list.find((one) => choice(one) === value); location.hash = link(["evaluation", e.model, e.name]); }} />
    ${route.path[4] ? html`<${Outcome} model=${model} name=${name} db=${route.path[3]} id=${route.path[4]} query=${route.query} />`
      : html`<${Report} key=${model + name} model=${model} name=${name} route=${route} />`}
  </main>`;
}

function Report({ model, name, route }) {
  const { data, error } = useData("evaluation", { model, name });
  if (error) return html`<${Notice} kind="bad">${error}<//>`;
  if (!data) return html`<${Waiting} lines=${8} />`;
  const { report, classes, samples } = data;
  const t = report.total;
  const failed = t.samples - t.completed;
  return html`
    ${report.simulated && html`<${Notice} kind="warn">No model answered, but a program that stands for one: the scores say nothing of any model.<//>`}
    ${!report.executed && html`<${Notice} kind="warn">Nothing was run: completion means the same calls, and not the right answer.<//>`}
    <dl class="figures">
      <div><dt>completed</dt><dd>${percent(t.completed, t.samples)}</dd><dd class="sub">${count(t.completed)} of ${count(t.samples)}</dd></div>
      <div><dt>intent F1</dt><dd>${score(t.intent.f1)}</dd><dd class="sub">${pair(t.intent)}</dd></div>
      <div><dt>intent F1 as sets</dt><dd>${score(t.intent_set.f1)}</dd><dd class="sub">${pair(t.intent_set)}</dd></div>
      <div><dt>slot F1</dt><dd>${score(t.slot.f1)}</dd><dd class="sub">${pair(t.slot)}</dd></div>
      <div><dt>completed by other calls</dt><dd>${count(t.completed_by_other_calls)}</dd><dd class="sub">of those completed</dd></div>
    </dl>
    <p class="hint">${report.variant.toUpperCase()}, ${report.mode}, ${report.rules} rules. ${report.unpredicted > 0 ? plural(report.unpredicted, "sample") + " without a prediction, not scored. " : ""}${report.problems?.length ? plural(report.problems.length, "problem") + " of the input." : ""}</p>
    <section class="chart" aria-label="Classes of errors"><h2>Errors of the ${plural(failed, "sample")} that were not completed</h2>
      <div class="scroll"><table><thead><tr><th scope="col">class</th><th scope="col" class="wide bars"></th><th scope="col" class="number">samples</th><th scope="col" class="number">share</th></tr></thead>
        <tbody>${classes.map((c) => { const n = t.errors?.[c] ?? 0; return html`<tr key=${c}><th scope="row"><a href=${link(["evaluation", model, name], { class: c })}>${words(c)}</a></th>
          <td class="wide bars"><${Bar} part=${n} whole=${n} most=${Math.max(...Object.values(t.errors ?? {}), 1)} kind="fault" /></td><td class="number">${count(n)}</td><td class="number">${percent(n, failed)}</td></tr>`; })}</tbody>
      </table></div></section>
    <div class="columns">
      <${Breakdown} title="By database" groups=${report.by_database} />
      <${Breakdown} title="By difficulty" groups=${report.by_difficulty} />
      <${Breakdown} title="By number of gold calls" groups=${report.by_length} />
      <${Breakdown} title="By number of tools listed" groups=${report.by_universe} />
      <${Breakdown} title="By construct of SQL" groups=${report.by_construct} />
    </div>
    <${Samples} samples=${samples} classes=${classes} model=${model} name=${name} route=${route} />`;
}

const score = (v) => (v === null || v === undefined ? "–" : v.toFixed(2));
const pair = (m) => `precision ${score(m.precision)}, recall ${score(m.recall)}`;

function Breakdown({ title, groups }) {
  if (!groups?.length) return null;
  return html`<section class="chart" aria-label=${title}><h2>${title}</h2>
    <div class="scroll tall" tabindex="0" role="region" aria-label=${title}><table>
      <thead><tr><th scope="col"></th><th scope="col" class="number">samples</th><th scope="col" class="number">intent</th><th scope="col" class="number">slot</th><th scope="col" class="wide bars">completed</th><th scope="col" class="number">share</th></tr></thead>
      <tbody>${groups.map((g) => html`<tr key=${g.name}><th scope="row">${g.name}</th><td class="number">${count(g.scores.samples)}</td>
        <td class="number">${score(g.scores.intent.f1)}</td><td class="number">${score(g.scores.slot.f1)}</td>
        <td class="wide bars"><${Bar} part=${g.scores.completed} whole=${g.scores.samples} most=${g.scores.samples} kind="v0" /></td><td class="number">${score(g.scores.completion_rate)}</td></tr>`)}</tbody>
    </table></div></section>`;
}

const most = 200;

function Samples({ samples, classes, model, name, route }) {
  const asked = { class: route.query.get("class") ?? "", db: route.query.get("db") ?? "", filter: route.query.get("filter") ?? "" };
  const fitting = useMemo(() => {
    const all = asked.filter.toLowerCase().split(/\s+/).filter(Boolean);
    return samples.filter((s) => (!asked.class || s.error === asked.class) && (!asked.db || s.db === asked.db)
      && all.every((w) => s.id === w || (s.question + " " + s.reason).toLowerCase().includes(w)));
  }, [samples, asked.class, asked.db, asked.filter]);
  const set = (field) => (value) => replace(link(route.path, withValue(route.query, field, value)));
  return html`<section class="chart" aria-label="Samples"><h2>Samples that failed</h2>
    <div class="row">
      <${Select} label="Class" hidden=${true} value=${asked.class} options=${[["", "Any class"], ...classes.map((c) => [c, words(c)])]} onChange=${set("class")} />
      <${Select} label="Database" hidden=${true} value=${asked.db} options=${[["", "Any database"], ...[...new Set(samples.map((s) => s.db))].map((d) => [d])]} onChange=${set("db")} />
      <${Search} label="Filter by words or number" value=${asked.filter} onChange=${set("filter")} />
      <span class="hint" aria-live="polite">${fitting.length} of ${samples.length}</span>
    </div>
    <div class="scroll"><table class="samples"><thead><tr><th scope="col">sample</th><th scope="col">class</th><th scope="col" class="wide">question</th></tr></thead>
      <tbody>${fitting.slice(0, most).map((s) => html`<tr key=${s.db + s.id}><th scope="row"><a href=${link(["evaluation", model, name, s.db, s.id], route.query)}>${s.db} ${s.id}</a></th>
        <td class=${s.error ? "bad" : "good"}>${s.error ? words(s.error) : "completed"}</td><td class="wide">${s.question}<span class="hint">${s.reason}</span></td></tr>`)}</tbody>
    </table></div>
    ${fitting.length > most && html`<p class="hint">The first ${most} are shown; filter for others.</p>`}
  </section>`;
}
