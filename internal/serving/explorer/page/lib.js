// What all parts of the page use: requests with the control key, the address in
// the fragment, and hooks for both.
import { h, html, render, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./htm/standalone.module.js";

export { h, html, render, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState };

// Requests

const keyName = "control-key";
let waiting = null; // for a key: {promise, resolve, wrong}
const keyListeners = new Set();

// useKeyNeeded returns what the form for the key needs, or null.
export function useKeyNeeded() {
  const [state, set] = useState(waiting);
  useEffect(() => {
    keyListeners.add(set);
    set(waiting);
    return () => keyListeners.delete(set);
  }, []);
  return state;
}

export function giveKey(text) {
  if (/[^ -~]/.test(text)) { // which no header can hold
    waiting = { ...waiting, wrong: true };
    keyListeners.forEach((set) => set(waiting));
    return;
  }
  sessionStorage.setItem(keyName, text);
  const done = waiting;
  waiting = null;
  keyListeners.forEach((set) => set(null));
  if (done) done.resolve();
}

function waitForKey(used) {
  if ((sessionStorage.getItem(keyName) ?? "") !== used) return Promise.resolve(); // given since
  if (!waiting) {
    waiting = { wrong: used !== "" };
    waiting.promise = new Promise((resolve) => (waiting.resolve = resolve));
    keyListeners.forEach((set) => set(waiting));
  }
  return waiting.promise;
}

// controlHeaders returns what goes with each request.
export function controlHeaders() {
  const key = sessionStorage.getItem(keyName);
  return key ? { "X-Control-Key": key } : {};
}

// ask returns the JSON that the service answers with. Errors have the problem's
// own words. Where a key is asked for, it waits for it.
export async function ask(path, { params, body, signal } = {}) {
  const url = "explorer/data/" + path + (params ? "?" + new URLSearchParams(params) : "");
  for (;;) {
    const key = sessionStorage.getItem(keyName) ?? "";
    const headers = controlHeaders();
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const response = await fetch(url, { method: body === undefined ? "GET" : "POST", headers, body, signal });
    if (response.status === 401) {
      await waitForKey(key);
      continue;
    }
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.detail || answer.title);
    return answer;
  }
}

const known = new Map(); // answers to requests that were made, newest last
const mostKnown = 300;

// useData asks for something and returns {data, error}. Both are undefined until
// the answer is there, but an answer that is known is there at once.
export function useData(path, params) {
  const id = path && path + "?" + new URLSearchParams(params ?? {});
  const [state, set] = useState({});
  useEffect(() => {
    if (!id || known.has(id)) return;
    const left = new AbortController();
    ask(path, { params, signal: left.signal })
      .then((data) => {
        known.set(id, data);
        if (known.size > mostKnown) known.delete(known.keys().next().value);
        set({ id, data });
      })
      .catch((error) => left.signal.aborted || set({ id, error: error.message }));
    return () => left.abort();
  }, [id]);
  if (id && known.has(id)) return { data: known.get(id) };
  return state.id === id ? state : {};
}

// usePost sends a text and returns {data, error} as useData does. It asks again
// when the text is another one.
export function usePost(path, body) {
  const [state, set] = useState({});
  useEffect(() => {
    if (body === null) return;
    const left = new AbortController();
    ask(path, { body, signal: left.signal })
      .then((data) => set({ body, data }))
      .catch((error) => left.signal.aborted || set({ body, error: error.message }));
    return () => left.abort();
  }, [path, body]);
  return state.body === body ? state : {};
}

// The address

function read() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  return { path: path.split("/").filter(Boolean).map(decodeURIComponent), query: new URLSearchParams(query ?? "") };
}

export function useRoute() {
  const [route, set] = useState(read);
  useEffect(() => {
    const changed = () => set(read());
    addEventListener("hashchange", changed);
    addEventListener("replaced", changed);
    return () => {
      removeEventListener("hashchange", changed);
      removeEventListener("replaced", changed);
    };
  }, []);
  return route;
}

// link returns the address of a part of the page. query is a URLSearchParams or
// an object; what is empty in it is left out.
export function link(path, query) {
  const kept = new URLSearchParams();
  for (const [name, value] of query instanceof URLSearchParams ? query : Object.entries(query ?? {})) {
    if (value) kept.set(name, value);
  }
  const text = kept.toString();
  return "#/" + path.map((part) => encodeURIComponent(part)).join("/") + (text ? "?" + text : "");
}

export function go(address) {
  location.hash = address;
}

// replace goes to an address that the back button passes over.
export function replace(address) {
  history.replaceState(null, "", address);
  dispatchEvent(new Event("replaced"));
}

// with returns a copy of a query with another value.
export function withValue(query, name, value) {
  const out = new URLSearchParams(query);
  out.delete(name);
  if (value) out.set(name, value);
  return out;
}

// Texts

// words writes the name of a class of errors for people.
export const words = (text) => text.replaceAll("_", " ").replace(" func ", " function ").replace(" param", " parameter").replace("parametereter", "parameter");

export const count = (n) => n.toLocaleString("en");
export const plural = (n, one, many = one + "s") => count(n) + " " + (n === 1 ? one : many);
export const percent = (part, whole) => (whole ? ((100 * part) / whole).toFixed(1) + " %" : "–");

// parse reads JSON. A number that would be written otherwise, such as 1.0 or one
// of 19 digits, is kept as it is written. A browser that does not tell how it is
// written gives the number.
export function parse(text) {
  return JSON.parse(text, (key, value, context) =>
    typeof value === "number" && context?.source && context.source !== String(value) ? new Digits(context.source) : value);
}

class Digits {
  constructor(text) {
    this.text = text;
  }
  toString() {
    return this.text;
  }
}

export const isNumber = (v) => v instanceof Digits || typeof v === "number";

// show writes what parse read.
export function show(v, indent = "") {
  if (v === null || typeof v !== "object") return JSON.stringify(v);
  if (v instanceof Digits) return v.text;
  const list = Array.isArray(v);
  const parts = list ? v.map((one) => show(one, indent + "  ")) : Object.entries(v).map(([name, one]) => JSON.stringify(name) + ": " + show(one, indent + "  "));
  const [open, close] = list ? "[]" : "{}";
  const short = open + parts.join(", ") + close;
  if (short.length + indent.length <= 76 && !short.includes("\n")) return short;
  return open + "\n" + parts.map((one) => indent + "  " + one).join(",\n") + "\n" + indent + close;
}
