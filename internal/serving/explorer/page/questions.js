// The list of a database's questions, and one of them.
import { html, link, replace, useData, useEffect, useMemo, withValue } from "./lib.js";
import { Grid, List, Notice, Search, Select, SQL, Tabs, useListKeys, Waiting } from "./parts.js";
import { Variants } from "./calls.js";
import { Specifications } from "./tools.js";

// listed is the part of a query that stays while one goes through the list.
function listed(query) {
  const out = new URLSearchParams();
  for (const name of ["filter", "difficulty", "construct"]) if (query.get(name)) out.set(name, query.get(name));
  return out;
}

export function Questions({ route, dataset }) {
  const db = route.path[1] ?? dataset.databases[0]?.id;
  const id = route.path[2];
  const part = route.path[3] === "specifications" ? route.path.slice(3) : [];
  const { data, error } = useData(db && "questions", { db });
  const query = listed(route.query);
  const all = data?.questions ?? [];
  const items = useMemo(() => filtered(all, query, db, part), [all, query.toString(), part.join("/")]);
  useListKeys(items, id);
  const first = items[0]?.href;
  useEffect(() => {
    // On a narrow page the list itself is what is shown without a question.
    if (!id && first && matchMedia("(min-width: 861px)").matches) replace(first);
  }, [id, first]);
  if (!db) return html`<main class="single"><${Notice}>The dataset has no questions.<//></main>`;

  const choose = (name) => (value) => replace(link(route.path, withValue(route.query, name, value)));
  const difficulties = [...new Set(all.map((q) => q.difficulty).filter(Boolean))];
  const constructs = [...new Set(all.flatMap((q) => q.constructs))].sort();
  return html`<div class=${"sides" + (id ? " chosen" : "")}>
    <aside class="side" aria-label="Questions">
      <div class="filters">
        <${Select} label="Database" hidden=${true} value=${db} options=${dataset.databases.map((d) => [d.id, `${d.id} (${d.questions})`])}
          onChange=${(chosen) => (location.hash = link(["questions", chosen]))} />
        <${Search} label="Filter by words or number" value=${query.get("filter") ?? ""} onChange=${choose("filter")} />
        <div class="pair">
          <${Select} label="Difficulty" hidden=${true} value=${query.get("difficulty") ?? ""} options=${[["", "Any difficulty"], ...difficulties.map((d) => [d])]} onChange=${choose("difficulty")} />
          <${Select} label="Construct" hidden=${true} value=${query.get("construct") ?? ""} options=${[["", "Any construct"], ...constructs.map((c) => [c])]} onChange=${choose("construct")} />
        </div>
        <p class="hint" aria-live="polite">${data ? `${items.length} of ${all.length}` : " "}<span class="keys"><kbd>j</kbd> <kbd>k</kbd> move, <kbd>/</kbd> filter</span></p>
      </div>
      ${error ? html`<${Notice} kind="bad">${error}<//>` : html`<${List} label="Questions" items=${items} current=${id} empty=${data ? "No question fits." : ""} />`}
    </aside>
    <main class="main">${id && html`<${Question} key=${db + "/" + id} db=${db} id=${id} route=${route} dataset=${dataset} query=${query} items=${items} />`}</main>
  </div>`;
}

function filtered(all, query, db, part) {
  const words = (query.get("filter") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const difficulty = query.get("difficulty");
  const construct = query.get("construct");
  return all
    .filter((q) => (!difficulty || q.difficulty === difficulty) && (!construct || q.constructs.includes(construct)))
    .filter((q) => words.every((w) => q.id === w || q.question.toLowerCase().includes(w)))
    .map((q) => ({
      id: q.id, key: q.id, line: q.question, href: link(["questions", db, q.id, ...part], query),
      note: q.without.length ? "no " + q.without.join(", ") : "",
    }));
}

function Question({ db, id, route, dataset, query, items }) {
  const { data, error } = useData("question", { db, id });
  const at = items.findIndex((one) => one.id === id);
  useEffect(() => scrollTo(0, 0), []);
  if (error) return html`<${Notice} kind="bad">${error}<//>`;
  // All of it comes at once, so that nothing is moved by what comes later.
  if (!data) return html`<${Waiting} lines=${6} />`;
  const specifications = route.path[3] === "specifications";
  return html`<article class="question">
    <p class="crumbs">
      <a class="back" href=${link(["questions", db], query)}>Questions</a>
      <span>${db}</span><span class="number">${id}</span>
      <span class="steps">
        <a href=${items[at - 1]?.href} aria-label="Previous question" aria-disabled=${items[at - 1] ? null : "true"}>‹</a>
        <a href=${items[at + 1]?.href} aria-label="Next question" aria-disabled=${items[at + 1] ? null : "true"}>›</a>
      </span>
    </p>
    <h1>${data.question}</h1>
    ${data.evidence && html`<p class="evidence"><span class="tag">Evidence</span> ${data.evidence}</p>`}
    <p class="chips">
      ${data.difficulty && html`<a class="chip strong" href=${link(["questions", db], { difficulty: data.difficulty })}>${data.difficulty}</a>`}
      ${data.constructs.map((c) => html`<a key=${c} class="chip" href=${link(["questions", db], { construct: c })}>${c}</a>`)}
      ${data.duplicate_of && html`<a class="chip" href=${link(["questions", db, data.duplicate_of])}>same SQL as ${data.duplicate_of}</a>`}
    </p>
    <${Tabs} label="Parts of the question" tabs=${[
      { text: "Calls", href: link(["questions", db, id], query), current: !specifications },
      { text: "Specifications", href: link(["questions", db, id, "specifications", dataset.variants[0], "function"], query), current: specifications },
    ]} />
    ${specifications
      ? html`<${Specifications} db=${db} id=${id} route=${route} dataset=${dataset} query=${query} />`
      : html`<${Calls} db=${db} id=${id} data=${data} route=${route} dataset=${dataset} query=${query} />`}
  </article>`;
}

function Calls({ db, id, data, route, dataset, query }) {
  const samples = dataset.variants.map((variant) => useData("sample", { variant, db, id }));
  const ready = samples.every((s) => s.data || s.error);
  return html`<${Overview} data=${data} samples=${samples} ready=${ready} />
    ${!ready ? html`<${Waiting} lines=${6} />` : html`<${Variants} db=${db} id=${id} samples=${samples} route=${route} dataset=${dataset} query=${query} />`}`;
}

// Overview has the SQL next to the gold answer, which is that of any sample.
function Overview({ data, samples, ready }) {
  const answer = samples.find((s) => s.data?.answer)?.data.answer;
  return html`<div class="overview">
    <section aria-label="SQL"><h2>SQL</h2><${SQL} spans=${data.sql} /></section>
    <section aria-label="Gold answer"><h2>Gold answer</h2>
      ${!ready ? html`<${Waiting} />` : answer ? html`<${Answer} answer=${answer} />` : html`<${Notice}>No variant has a sample of this question.<//>`}
    </section>
  </div>`;
}

function Answer({ answer }) {
  const columns = answer.columns.map((name, i) => ({ name, numeric: answer.numeric[i] }));
  const notes = [answer.ordered && answer.row_count > 1 && "in this order", answer.tie_dependent && "others are right, too"].filter(Boolean);
  return html`<${Grid} columns=${columns} rows=${answer.rows} total=${answer.row_count} note=${notes.join(", ")} />`;
}
