// The frame of the page: which part is shown, the theme, and the control key.
import { giveKey, html, link, render, useData, useEffect, useKeyNeeded, useRef, useRoute, useState } from "./lib.js";
import { Coverage } from "./coverage.js";
import { Endpoints } from "./endpoints.js";
import { Evaluation } from "./evaluation.js";
import { Notice, Waiting } from "./parts.js";
import { Questions } from "./questions.js";

const themes = ["system", "light", "dark"];

function Theme() {
  const [theme, set] = useState(document.documentElement.dataset.theme ?? "system");
  const choose = () => {
    const next = themes[(themes.indexOf(theme) + 1) % themes.length];
    if (next === "system") {
      delete document.documentElement.dataset.theme;
      localStorage.removeItem("theme");
    } else {
      document.documentElement.dataset.theme = next;
      localStorage.setItem("theme", next);
    }
    set(next);
  };
  return html`<button type="button" class="theme" onClick=${choose} aria-label=${`Theme: ${theme}. Change it`} title=${`Theme: ${theme}`}>
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="6.2" fill=${theme === "dark" ? "currentColor" : "none"} stroke="currentColor" stroke-width="1.4" />
      ${theme === "system" && html`<path d="M8 1.8a6.2 6.2 0 0 1 0 12.4z" fill="currentColor" />`}
    </svg></button>`;
}

function KeyForm({ wrong }) {
  const field = useRef();
  useEffect(() => field.current.focus(), [wrong]);
  const send = (e) => {
    e.preventDefault();
    giveKey(field.current.value.trim());
  };
  return html`<main class="single"><form class="key" onSubmit=${send}>
    <h1>Control key</h1>
    <p>The samples have gold calls, SQL and answers. Give the key that the service was started with. It is kept until this tab is closed.</p>
    <label class="field"><span>Control key</span><input ref=${field} type="password" name="key" autocomplete="current-password" required /></label>
    ${wrong && html`<${Notice} kind="bad">This is not the key.<//>`}
    <button type="submit" class="primary">Open</button>
  </form></main>`;
}

const parts = [
  ["questions", "Questions", Questions],
  ["endpoints", "Endpoints", Endpoints],
  ["coverage", "Coverage", Coverage],
  ["evaluation", "Evaluation", Evaluation],
];

function App() {
  const route = useRoute();
  const needed = useKeyNeeded();
  const { data, error } = useData("dataset");
  const name = route.path[0] ?? "questions";
  const [, title, Part] = parts.find(([id]) => id === name) ?? parts[0];
  useEffect(() => {
    document.title = [...route.path.slice(1, 3).reverse(), title, "Birdcall explorer"].join(" · ");
  });
  return html`
    <header class="top">
      <a class="brand" href=${link(["questions"])}>Birdcall</a>
      <nav aria-label="Parts">${parts.map(([id, text]) => html`<a key=${id} href=${link([id])} aria-current=${text === title ? "page" : null}>${text}</a>`)}
        <a class="outward" href="docs/">API</a></nav>
      <${Theme} />
    </header>
    ${needed ? html`<${KeyForm} wrong=${needed.wrong} />`
      : error ? html`<main class="single"><${Notice} kind="bad">${error}<//></main>`
      : data ? html`<${Part} route=${route} dataset=${data} />`
      : html`<main class="single"><${Waiting} /></main>`}`;
}

render(html`<${App} />`, document.getElementById("app"));
