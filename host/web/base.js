/* gnomon ui. SPDX-License-Identifier: Apache-2.0 */
"use strict";

/* ---- Elements ---- */

/* Makes an element: make("td", {class: "text", onclick: f}, "text", child ...). */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function byId(id) {
  return document.getElementById(id);
}

/* Styles that depend on data go through the style object: the page's policy allows no style in text. */
function styled(element, styles) {
  for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value);
  return element;
}

function tableOf(heads, rows) {
  const cell = (tag) => (text, i) => make(tag, {class: heads[i].text ? "text" : null}, text === null || text === undefined ? "" : text);
  return make("table", null, make("thead", null, make("tr", null, ...heads.map((head, i) => cell("th")(head.title, i)))),
    make("tbody", null, ...rows.map((row) => make("tr", null, ...row.map(cell("td"))))));
}

function note(...children) {
  return make("div", {class: "note"}, ...children);
}

/* What is under the pointer, in words. */
function showTip(text, x, y) {
  const tip = byId("tip");
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  styled(tip, {left: "0px", top: "0px"});
  const width = tip.offsetWidth, height = tip.offsetHeight;
  styled(tip, {
    left: Math.max(0, Math.min(x + 14, innerWidth - width - 8)) + "px",
    top: (y + 18 + height > innerHeight ? Math.max(0, y - height - 8) : y + 18) + "px",
  });
}

/* One line for the eyes and for screen readers. */
function say(text) {
  byId("say").textContent = text;
}

/* ---- Figures ---- */

const grouped = new Intl.NumberFormat("en-US");

function count(value) {
  return grouped.format(value);
}

function percent(part, whole, digits = 1) {
  return whole ? (100 * part / whole).toFixed(digits) + " %" : "-";
}

function signed(value) {
  return (value > 0 ? "+" : value < 0 ? "-" : "") + count(Math.abs(value));
}

/* Cycles as time, where the clock is known. */
function time(cycles, hz) {
  if (!hz) return "";
  const seconds = cycles / hz;
  for (const [unit, size] of [["s", 1], ["ms", 1e-3], ["us", 1e-6]])
    if (seconds >= size) return (seconds / size).toFixed(3) + " " + unit;
  return (seconds * 1e9).toFixed(1) + " ns";
}

function fileName(path) {
  return path ? path.slice(path.lastIndexOf("/") + 1) : "";
}

/* A test of names from what the user typed: a regular expression, or, where it is none, the text itself. */
function matcher(text) {
  if (!text) return null;
  try {
    const pattern = new RegExp(text, "i");
    return (name) => pattern.test(name);
  } catch {
    return (name) => name.toLowerCase().includes(text.toLowerCase());
  }
}

/* ---- Views and links ---- */

/* {id, title, bundles, ready(data): true, or an element that says what is missing, exactness(data), show(root, state),
 * key(event): true if it was used} */
const views = [];

function addView(view) {
  views.push(view);
}

/* The part of the address after "#": "flame?zoom=3". */
function readLink() {
  const [id, query] = location.hash.slice(1).split("?");
  return {id, state: Object.fromEntries(new URLSearchParams(query || ""))};
}

function linkTo(id, state) {
  const set = Object.entries(state || {}).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const query = new URLSearchParams(set).toString();
  return "#" + id + (query ? "?" + query : "");
}

/* Changes the present view's part of the address, without a step in the browser's history unless `step`. */
function setState(changes, step = false) {
  const {id, state} = readLink();
  const link = linkTo(id, {...state, ...changes});
  if (link === location.hash) return;
  if (step) history.pushState(null, "", link);
  else history.replaceState(null, "", link);
}
