// SPDX-License-Identifier: Apache-2.0
// What the tests of the page share: checks, gnomon and its server, a browser that reports whatever goes wrong.
"use strict";

const {spawn, spawnSync} = require("node:child_process");
const {chromium} = require("playwright-core");

const views = ["flame", "functions", "cpi", "source", "histograms", "timeline", "locks", "compare"];
let checks = 0;
const failed = [];

/* One check, printed only if it fails, with the values `shown`. */
function expect(name, good, ...shown) {
  checks++;
  if (good) return;
  failed.push(name);
  console.log(`FAIL  ${name}`, ...shown.map((value) => String(JSON.stringify(value)).slice(0, 1500)));
}

function same(name, got, want) {
  expect(name, JSON.stringify(got) === JSON.stringify(want), got, want);
}

/* Prints how many checks passed, and gives the exit status. */
function result() {
  console.log(`${checks - failed.length} of ${checks} checks passed`);
  return failed.length || !checks ? 1 : 0;
}

/* Runs gnomon, and returns what it printed; with `json` as an object. */
function gnomon(command, words, json = true) {
  const done = spawnSync(command, words, {encoding: "utf8", maxBuffer: 1 << 30});
  expect(`gnomon ${words.join(" ")}`, done.status === 0, done.status, done.stderr);
  return json && done.status === 0 ? JSON.parse(done.stdout) : done.stdout;
}

/* Starts gnomon ui; the caller ends it with stop(). `address` is what it printed. */
function serve(command, words) {
  const child = spawn(command, ["ui", ...words]);
  let printed = "", errors = "";
  child.stderr.on("data", (text) => { errors += text; });
  const ended = new Promise((resolve) => child.on("close", (status) => resolve(status)));
  return new Promise((resolve, reject) => {
    ended.then((status) => reject(new Error(`gnomon ui ended with ${status}: ${errors}`)));
    child.stdout.on("data", (text) => {
      printed += text;
      const found = /(http:\/\/[^/]*)\//.exec(printed);
      if (!found) return;
      resolve({address: found[1], stop: async () => {
        child.kill("SIGINT");
        same("gnomon ui ends well on Ctrl-C", await ended, 0);
        expect("gnomon ui prints no error", !/Sanitizer|runtime error/.test(errors), errors);
      }});
    });
  });
}

/* A page that counts what goes wrong, and each request that is not for `allowed`. */
async function open(browser, allowed, options = {}) {
  const context = await browser.newContext({viewport: {width: 1100, height: 620}, colorScheme: "light", ...options});
  const page = await context.newPage();
  const wrong = [];
  page.on("pageerror", (error) => wrong.push("error: " + error.message));
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) wrong.push("console: " + message.text()); });
  page.on("request", (request) => { if (!request.url().startsWith(allowed) && !request.url().startsWith("data:")) wrong.push("request: " + request.url()); });
  return {page, wrong, close: () => context.close()};
}

/* Shows a view by its link, as a user does who follows one; returns when it is drawn. */
async function show(page, address, view, query = "") {
  await page.goto("about:blank");
  await page.goto(`${address}#${view}${query}`);
  await page.waitForSelector(`#view[data-view=${view}]`, {timeout: 300000});
  await drawn(page);
}

/* Two frames: what was asked for is on the screen. Tiles of the time line come from the server. */
async function drawn(page) {
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  await drawn(page);
}

function launch() {
  return chromium.launch({executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]});
}

/* {name: [values]} of --name value, and the rest as `operands`. */
function options(words) {
  const found = {operands: []};
  for (let i = 0; i < words.length; i++)
    if (words[i].startsWith("--")) found[words[i].slice(2)] = words[++i];
    else found.operands.push(words[i]);
  return found;
}

module.exports = {views, expect, same, result, gnomon, serve, open, show, drawn, press, launch, options};
