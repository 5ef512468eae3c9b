// The specifications of a question's tools, as a model is given them.
import { count, html, link, plural, useData } from "./lib.js";
import { Notice, Tabs, Waiting } from "./parts.js";

const names = { slot: "SLOT", sel: "SEL", rest: "REST" };

export function Specifications({ db, id, route, dataset, query }) {
  const variant = route.path[4] ?? dataset.variants[0];
  const format = route.path[5] ?? "function";
  const { data, error } = useData("tools", { variant, db, id, format });
  const address = (v, f) => link(["questions", db, id, "specifications", v, f], query);
  return html`<section class="specifications" aria-label="Specifications">
    <div class="choices">
      <${Tabs} label="Variant" tabs=${dataset.variants.map((v) => ({ text: names[v] ?? v, href: address(v, format), current: v === variant }))} />
      <${Tabs} label="Format" tabs=${dataset.formats.map((f) => ({ text: f, href: address(variant, f), current: f === format }))} />
    </div>
    ${error ? html`<${Notice}>${error}<//>` : !data ? html`<${Waiting} lines=${8} />` : html`
      <dl class="figures">
        <div><dt>tools</dt><dd>${count(data.size.tools)}</dd></div>
        <div><dt>tokens of the list</dt><dd>${count(data.size.tokens)}</dd></div>
        <div><dt>bytes of the list</dt><dd>${count(data.size.bytes)}</dd></div>
        <div><dt>tokens of the system text</dt><dd>${count(data.size.system_tokens)}</dd></div>
      </dl>
      <p class="hint">Tokens are ${data.size.counter}.</p>
      ${data.system && html`<details open><summary>System text</summary><pre class="code">${data.system}</pre></details>`}
      <h2>Tools</h2>
      ${data.list.map((t) => html`<${Tool} key=${variant + format + t.name} tool=${t} open=${data.list.length <= 1} />`)}`}
  </section>`;
}

// Tool is folded: a list may have hundreds.
function Tool({ tool, open }) {
  return html`<details class="tool" open=${open}><summary><span class="name">${tool.name}</span><span class="about">${tool.about}</span>
    <span class="number">${plural(tool.tokens, "token")}</span></summary><pre class="code">${tool.text}</pre></details>`;
}
