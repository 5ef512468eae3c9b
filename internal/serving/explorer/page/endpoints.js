// The endpoints of a database, and a form that calls one of them for real.
import { controlHeaders, html, link, parse, plural, replace, show, useData, useEffect, useMemo, useState, withValue } from "./lib.js";
import { Grid, List, Name, Notice, Search, Select, useListKeys, Waiting } from "./parts.js";
import { tableOf } from "./run.js";

export function Endpoints({ route, dataset }) {
  const served = dataset.databases.filter((d) => d.endpoints > 0);
  const db = route.path[1] ?? served[0]?.id;
  const name = route.path[2];
  const { data, error } = useData(served.length && "endpoints", { db });
  const filter = route.query.get("filter") ?? "";
  const all = data?.endpoints ?? [];
  const items = useMemo(() => {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    return all
      .filter((e) => words.every((w) => (e.name + " " + e.description).toLowerCase().includes(w)))
      .map((e) => ({ id: e.name, key: "", line: html`<${Name} text=${e.name} />`, href: link(["endpoints", db, e.name], { filter }) }));
  }, [all, filter]);
  useListKeys(items, name);
  const first = items[0]?.href;
  useEffect(() => {
    if (!name && first && matchMedia("(min-width: 861px)").matches) replace(first);
  }, [name, first]);
  if (!served.length) return html`<main class="single"><${Notice}>The service has no endpoints.<//></main>`;
  const endpoint = all.find((e) => e.name === name);
  return html`<div class=${"sides" + (name ? " chosen" : "")}>
    <aside class="side" aria-label="Endpoints">
      <div class="filters">
        <${Select} label="Database" hidden=${true} value=${db} options=${served.map((d) => [d.id, `${d.id} (${d.endpoints})`])} onChange=${(chosen) => (location.hash = link(["endpoints", chosen]))} />
        <${Search} label="Filter by words" value=${filter} onChange=${(text) => replace(link(route.path, withValue(route.query, "filter", text)))} />
        <p class="hint" aria-live="polite">${data ? `${items.length} of ${all.length}` : " "}<span class="keys"><kbd>j</kbd> <kbd>k</kbd> move, <kbd>/</kbd> filter</span></p>
      </div>
      ${error ? html`<${Notice} kind="bad">${error}<//>` : html`<${List} label="Endpoints" items=${items} current=${name} empty=${data ? "No endpoint fits." : ""} />`}
    </aside>
    <main class="main">
      ${name && (endpoint ? html`<${Endpoint} key=${name} endpoint=${endpoint} db=${db} query=${route.query} />`
        : data ? html`<${Notice}>There is no such endpoint.<//>` : html`<${Waiting} />`)}
    </main>
  </div>`;
}

// valuesOf returns what a query gives each parameter, one on a line.
function valuesOf(endpoint, text) {
  const given = new URLSearchParams(text);
  return Object.fromEntries(endpoint.params.map((p) => [p.name, given.getAll(p.name).join("\n")]));
}

function Endpoint({ endpoint, db, query }) {
  const asked = query.get("query");
  const [values, set] = useState(() => valuesOf(endpoint, asked ?? ""));
  useEffect(() => set(valuesOf(endpoint, asked ?? "")), [asked]);
  const written = useMemo(() => {
    const out = new URLSearchParams();
    for (const p of endpoint.params) {
      const text = values[p.name] ?? "";
      if (text !== "") for (const one of p.list ? text.split("\n") : [text]) out.append(p.name, one);
    }
    return out.toString();
  }, [values]);
  const path = endpoint.path + (written ? "?" + written : "");
  const address = (text) => link(["endpoints", db, endpoint.name], withValue(query, "query", text));
  const [turn, setTurn] = useState(0); // so that the same call can be sent again
  const send = (e) => {
    e.preventDefault();
    if (asked === written || (!written && asked === null && endpoint.params.every((p) => !p.required))) setTurn(turn + 1);
    location.hash = address(written || "&");
  };
  return html`<article class="endpoint">
    <p class="crumbs"><a class="back" href=${link(["endpoints", db])}>Endpoints</a><span>${db}</span></p>
    <h1 class="name"><${Name} text=${endpoint.name} /></h1>
    <p class="lead">${endpoint.description}</p>
    <form class="parameters" onSubmit=${send}>
      ${endpoint.params.map((p) => html`<label key=${p.name} class=${"field" + (p.required ? "" : " optional")}>
        <span>${p.name} <small>${p.format || p.type}${p.list ? ", one a line" : ""}${p.required ? "" : ", optional"}</small></span>
        ${p.list ? html`<textarea rows="3" name=${p.name} value=${values[p.name]} onInput=${(e) => set({ ...values, [p.name]: e.target.value })} spellcheck="false"></textarea>`
          : html`<input name=${p.name} value=${values[p.name]} onInput=${(e) => set({ ...values, [p.name]: e.target.value })} inputmode=${p.type === "integer" ? "numeric" : null} autocomplete="off" spellcheck="false" />`}
        ${p.description && html`<span class="hint">${p.description}</span>`}
      </label>`)}
      <p class="request"><span class="method">GET</span> <code>${path}</code></p>
      <p class="actions"><button type="submit" class="primary">Call it</button>
        <a class="outward" href=${"docs/?urls.primaryName=" + encodeURIComponent(db) + "#/" + encodeURIComponent(db) + "/" + encodeURIComponent(endpoint.name)}>In the API's page</a></p>
    </form>
    ${asked !== null && html`<${Called} key=${asked + turn} url=${endpoint.path + (asked && asked !== "&" ? "?" + asked : "")} />`}
    ${endpoint.examples.length > 0 && html`<h2>${plural(endpoint.examples.length, "question")} that it answers</h2>
      <ul class="examples">${endpoint.examples.map((e) => html`<li key=${e.id}><a href=${address(e.query || "&")}>${e.question}</a>
        <a class="quiet number" href=${link(["questions", db, e.id, "rest", "0"])}>${e.id}</a></li>`)}</ul>`}
  </article>`;
}

// Called shows what the endpoint itself answers.
function Called({ url }) {
  const [state, set] = useState({});
  const [key, setKey] = useState(sessionStorage.getItem("api-key") ?? "");
  useEffect(() => {
    const left = new AbortController();
    set({});
    const headers = controlHeaders();
    if (key) headers["X-Api-Key"] = key;
    fetch(url.replace(/^\//, ""), { headers, signal: left.signal })
      .then(async (response) => set({ status: response.status, text: await response.text() }))
      .catch((error) => left.signal.aborted || set({ failed: error.message }));
    return () => left.abort();
  }, [url, key]);
  if (state.failed) return html`<${Notice} kind="bad">${state.failed}<//>`;
  if (!state.text) return html`<section aria-label="Answer" class="answer"><${Waiting} /></section>`;
  const body = parse(state.text);
  const give = (e) => {
    e.preventDefault();
    sessionStorage.setItem("api-key", e.target.elements.key.value);
    setKey(e.target.elements.key.value);
  };
  return html`<section class="answer" aria-label="Answer">
    <h2>Answer <span class=${"number " + (state.status < 400 ? "good" : "bad")}>${state.status}</span></h2>
    ${state.status === 401 && html`<form class="inline" onSubmit=${give}><label class="field"><span>API key</span><input type="password" name="key" autocomplete="off" required /></label><button type="submit">Send</button></form>`}
    ${state.status >= 400
      ? html`<${Notice} kind="bad">${body.detail || body.title}${(body.errors ?? []).map((e) => html`<br />${e.parameter}: ${e.reason}; ${e.hint}`)}<//>`
      : html`<${Grid} ...${tableOf(body.data)} total=${body.data.length} />
        ${body.truncated && html`<p class="hint">There are more rows: go on with offset ${show(body.next_offset)}.</p>`}`}
    <details><summary>As it was sent</summary><pre class="code">${show(body)}</pre></details>
  </section>`;
}
