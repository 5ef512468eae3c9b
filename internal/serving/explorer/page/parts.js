// The parts that several pages are made of.
import { html, useEffect, useRef, useState, count, plural } from "./lib.js";

export function Notice({ kind = "", children }) {
  return html`<p class=${"notice " + kind} role=${kind === "bad" ? "alert" : "status"}>${children}</p>`;
}

// Waiting takes the place of what is not there yet.
export function Waiting({ lines = 3 }) {
  return html`<div class="waiting" role="status" aria-label="Loading">${Array.from({ length: lines }, () => html`<span></span>`)}</div>`;
}

export function Select({ label, value, options, onChange, hidden }) {
  return html`<label class="field"><span class=${hidden ? "unseen" : ""}>${label}</span>
    <select value=${value} onChange=${(e) => onChange(e.target.value)}>
      ${options.map(([id, text]) => html`<option key=${id} value=${id} selected=${id === value}>${text ?? id}</option>`)}
    </select></label>`;
}

// Name is a name of words with underscores, which may break behind them.
export function Name({ text }) {
  return text.split(/(?<=_)/).map((word) => html`${word}<wbr />`);
}

// Tabs are links, of which one is the page that is shown.
export function Tabs({ label, tabs }) {
  return html`<nav class="tabs" aria-label=${label}>
    ${tabs.map((t) => html`<a key=${t.text} href=${t.href} aria-current=${t.current ? "page" : null}>${t.text}</a>`)}
  </nav>`;
}

// SQL shows the spans that the server made of a statement.
export function SQL({ spans }) {
  const whole = spans.map((s) => s.text).join("");
  const broken = whole.includes("\n"); // by its writer
  const out = [];
  spans.forEach((s, i) => {
    let text = s.text;
    if (!broken && spans[i + 1]?.line) text = text.replace(/ +$/, "");
    if (!broken && s.line) out.push("\n");
    out.push(s.kind ? html`<span class=${"sql-" + s.kind}>${text}</span>` : text);
  });
  return html`<pre class="code sql"><code>${out}</code></pre>`;
}

// Value shows an argument's JSON. Labels of results are links to their tables.
export function Value({ text, to }) {
  const label = /^"\$(.+)\$"$/.exec(text)?.[1];
  const href = label && to?.(label);
  if (href) return html`<a class="label" href=${href}><${Name} text=${text} /></a>`;
  const kind = text.startsWith('"') ? "sql-string" : /^[-\d]/.test(text) ? "sql-number" : /^(true|false|null)$/.test(text) ? "sql-keyword" : "";
  return html`<span class=${kind}><${Name} text=${text} /></span>`;
}

// Grid is a table of rows: columns are {name, type, used, made}, cells texts or
// null.
export function Grid({ caption, columns, rows, total, note, more, busy }) {
  return html`<figure class="grid">
    ${caption && html`<figcaption>${caption}</figcaption>`}
    <div class="scroll" tabindex="0" role="region" aria-label=${typeof caption === "string" ? caption : "Rows"}>
      <table>
        <thead><tr>${columns.map((c) => html`<th key=${c.name} scope="col" class=${(numeric(c) ? "number" : "") + (c.used ? " used" : c.made ? " made" : "")}>
          ${c.name}${c.type && html`<small>${c.type}${c.made ? ", made by a call" : ""}</small>`}</th>`)}</tr></thead>
        <tbody>${rows.map((row, r) => html`<tr key=${r}>${row.map((v, i) => cell(v, columns[i]))}</tr>`)}</tbody>
      </table>
    </div>
    <div class="below">
      <span>${total === 0 ? "No rows" : rows.length < total ? `${count(rows.length)} of ${plural(total, "row")}` : plural(total, "row")}${columns.length > 12 ? ", " + plural(columns.length, "column") : ""}${note ? ", " + note : ""}</span>
      ${more && rows.length < total && html`<button type="button" onClick=${more} disabled=${busy}>${busy ? "Loading" : "Show more"}</button>`}
    </div>
  </figure>`;
}

const numeric = (c) => c.numeric ?? (c.type === "integer" || c.type === "number");

function cell(v, column) {
  if (v === null) return html`<td class=${numeric(column) ? "number null" : "null"}>NULL</td>`;
  return html`<td class=${numeric(column) ? "number" : ""} title=${v.length > 60 ? v : null}>${v}</td>`;
}

// Bar is a part of a whole as a bar, whose numbers are next to it.
export function Bar({ part, whole, most, kind = "good" }) {
  const width = (n) => `${(100 * n) / (most || 1)}%`;
  return html`<svg class="bar" role="img" aria-label=${`${part} of ${whole}`}>
    <rect class="rest" width=${width(whole)} height="100%" rx="1.5" />
    <rect class=${kind} width=${width(part)} height="100%" rx="1.5" />
  </svg>`;
}

// List is a list of links that the keyboard walks through. items are {id, href,
// key, line, note}; current is the id of the one that is shown.
export function List({ label, items, current, empty }) {
  const ref = useRef(null);
  useEffect(() => {
    ref.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [current, items.length > 0]);
  return html`<ol class="list" aria-label=${label} ref=${ref}>
    ${items.map((one) => html`<li key=${one.id}><a href=${one.href} aria-current=${one.id === current ? "true" : null} data-id=${one.id}>
      <span class="key">${one.key}</span><span class="line">${one.line}</span>${one.note && html`<span class="note">${one.note}</span>`}</a></li>`)}
    ${items.length === 0 && html`<li class="empty">${empty}</li>`}
  </ol>`;
}

// useListKeys goes through a list with j and k or the arrows, and to its filter
// with /.
export function useListKeys(items, current) {
  const now = useRef();
  now.current = { items, current };
  useEffect(() => {
    const pressed = (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      const writes = e.target.closest("input, textarea, select");
      if (e.key === "Escape" && writes) return writes.blur();
      if (writes && !(writes.type === "search" && (e.key === "ArrowDown" || e.key === "ArrowUp"))) return;
      if (e.key === "/") {
        e.preventDefault();
        document.querySelector('input[type="search"]')?.focus();
        return;
      }
      const down = e.key === "j" || e.key === "ArrowDown";
      if (!down && e.key !== "k" && e.key !== "ArrowUp") return;
      if (e.key.startsWith("Arrow") && !e.target.closest(".side")) return; // it scrolls there
      const { items, current } = now.current;
      const at = items.findIndex((one) => one.id === current);
      const next = items[at < 0 ? 0 : at + (down ? 1 : -1)];
      if (!next) return;
      e.preventDefault();
      location.hash = next.href;
      now.current.current = next.id; // for a key that comes before the page is drawn
      if (!e.target.closest(".list")) return;
      requestAnimationFrame(() => requestAnimationFrame(() => document.querySelector(".list [aria-current]")?.focus()));
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

// Search is a field that says what was written when nothing more comes.
export function Search({ label, value, onChange }) {
  const [text, set] = useState(value);
  const wrote = useRef(value);
  if (wrote.current !== value) {
    wrote.current = value;
    if (text !== value) set(value);
  }
  const input = (e) => {
    set(e.target.value);
    wrote.current = e.target.value;
    onChange(e.target.value);
  };
  return html`<label class="field search"><span class="unseen">${label}</span>
    <input type="search" placeholder=${label} value=${text} onInput=${input} spellcheck="false" autocomplete="off" /></label>`;
}
