// SPDX-License-Identifier: Apache-2.0
/* The page as a fleet's service serves it, here with a service of a few lines: the token, what has changed since, refusals, comparison
 * of builds.
 *
 * usage: test_api_fleet.js --gnomon COMMAND --out DIR --kinds FILE --later FILE */
"use strict";

const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const {expect, same, result, gnomon, open, show, drawn, press, launch, options} = require("./browser.js");

const given = options(process.argv.slice(2));
const TOKEN = "secret-token-7";
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/* The files of the page, and a profile as JSON. */
function exported(name, ...files) {
  const folder = path.resolve(given.out, name);
  gnomon(given.gnomon, ["ui", "-q", "--export", folder, ...files], false);
  const read = (file) => fs.readFileSync(path.join(folder, file), "utf8");
  const data = Object.fromEntries(read("api.js").trim().split("\n").map((line) => /^gnomonData\("([a-z-]+)",(.*)\)$/.exec(line)).map(([, key, json]) => [key, JSON.parse(json)]));
  return {read, data};
}

/* `state`: {profile, changed, sequence, asked: [], status: null or what every request gets}. */
function service(files, state) {
  const page = {"/": ["text/html; charset=utf-8", files.read("index.html")], "/gnomon.css": ["text/css; charset=utf-8", files.read("gnomon.css")], "/gnomon.js": ["text/javascript; charset=utf-8", files.read("gnomon.js")],
    "/profile.js": ["text/javascript; charset=utf-8", 'gnomonData("summary",{"kind":"fleet"})\n']};
  const server = http.createServer((request, reply) => {
    const url = new URL(request.url, "http://localhost"), send = (status, type, body, more = {}) => reply.writeHead(status, {"Content-Type": type, "Content-Security-Policy": POLICY, ...more}).end(body);
    if (page[url.pathname]) return send(200, ...page[url.pathname]);
    state.asked.push([url.pathname + url.search, request.headers.authorization || ""]);
    const json = (status, value, more) => send(status, "application/json", JSON.stringify(value), more);
    if (request.headers.authorization !== "Bearer " + state.token) return json(401, {error: "this token is not known", remedy: "ask the service's keeper for one"});
    if (state.status) return json(state.status, {error: "the service is busy", remedy: "try again in a minute"});
    const sequence = {"Gnomon-Sequence": String(state.sequence)};
    if (url.pathname === "/v1/profile") return json(200, url.searchParams.has("since") ? state.changed : state.profile, sequence);
    if (url.pathname === "/v1/compare" && state.verdicts) return json(200, state.verdicts);
    return json(404, {error: "there is no " + url.pathname});
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

const pageNumbers = (page) => page.evaluate(() => profileOf("api").list({}).map((row) => [row.symbol, row.build, String(row.count), String(row.sum)].join(" ")).sort());
const numbers = (rows) => rows.filter((row) => row.cost === "cycles").map((row) => [row.symbol, row.build, row.count, row.sum].join(" ")).sort();

async function checkToken(page, address, state) {
  await show(page, address, "apis").catch(() => {});
  await page.waitForSelector("#token");
  same("the service is asked first without a token", [state.asked, await page.locator("[role=alert]").count()], [[["/v1/profile?format=json", ""]], 0]);
  await page.fill("#token", "wrong");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[role=alert]");
  expect("a refused token is said, with the remedy", /not known; ask the service/.test(await page.textContent("[role=alert]")), await page.textContent("[role=alert]"));
  await page.fill("#token", TOKEN);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".rows .row");
  same("the token is in a header, never in an address", state.asked.map(([url]) => url), Array(3).fill("/v1/profile?format=json"));
  same("the token stays in this tab", await page.evaluate((secret) => [sessionStorage.getItem("gnomon-token") === secret, JSON.stringify(localStorage).includes(secret), document.cookie, location.href.includes(secret)], TOKEN), [true, false, "", false]);
}

async function checkRefresh(page, state, profile, later) {
  same("figures", await pageNumbers(page), numbers(gnomon(given.gnomon, ["api", "list", "--json", given.kinds]).rows));
  await page.click("#again");
  await page.waitForFunction(() => byId("say").textContent === "nothing has changed");
  same("only what has changed is asked for", state.asked.at(-1)[0], "/v1/profile?format=json&since=5");
  state.sequence = 6;
  state.changed = {...later, rows: later.rows.filter((row) => row.symbol === "png_11")};
  await page.evaluate(() => byId("view").focus());
  await page.click("#again");
  await page.waitForFunction(() => byId("say").textContent !== "nothing has changed");
  same("rows that have changed replace the others", await pageNumbers(page), numbers(gnomon(given.gnomon, ["api", "list", "--json", given.later]).rows));
  state.status = 503;
  await page.click("#again");
  await page.waitForFunction(() => /busy/.test(byId("say").textContent));
  same("a busy service is said, and the figures stay", [await page.textContent("#say"), await page.locator(".rows .row").count() > 0], ["not refreshed: the service is busy; try again in a minute", true]);
  state.status = null;
  state.sequence = 2;
  state.changed = {about: "", exact: true, sources: [], rows: []};
  await page.click("#again");
  await page.waitForFunction(() => byId("say").textContent === "");
  await page.waitForSelector(".rows .row");
  same("another store: the whole is read again", [await pageNumbers(page), state.asked.at(-1)[0]], [numbers(gnomon(given.gnomon, ["api", "list", "--json", given.kinds]).rows), "/v1/profile?format=json"]);
  state.token = "another";
  await page.click("#again");
  await page.waitForSelector("[role=alert]");
  state.token = TOKEN;
  await page.fill("#token", TOKEN);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".rows .row");
  expect("no text of a source file", await page.evaluate(() => data.excerpts === undefined));
}

async function checkBuilds(page, address, state, verdicts) {
  await show(page, address, "worse");
  await page.waitForFunction(() => /not compared/.test(byId("view").textContent));
  expect("a service that does not compare", /there is no \/v1\/compare/.test(await page.textContent("#view")));
  state.verdicts = verdicts;
  await page.selectOption("#by-new", "ab".repeat(20));
  await page.waitForSelector("#verdict");
  same("builds are asked for", state.asked.at(-1)[0], `/v1/compare?old=${"aa".repeat(20)}&new=${"ab".repeat(20)}`);
  await page.locator(".rows .row").first().click();
  await drawn(page);
  same("both distributions are those of the builds", await page.evaluate(() => [...document.querySelectorAll(".side h2")].map((head) => head.textContent).slice(1)), ["now", "before"]);
}

async function main() {
  fs.mkdirSync(given.out, {recursive: true});
  const files = exported("fleet-page.ui", given.kinds), later = exported("fleet-later.ui", given.later, given.kinds);
  const state = {profile: files.data.api, changed: files.data.api, sequence: 5, asked: [], status: null, token: TOKEN};
  const server = await service(files, state), address = `http://127.0.0.1:${server.address().port}`, browser = await launch();
  const {page, wrong, close} = await open(browser, address);
  await checkToken(page, address + "/", state);
  await checkRefresh(page, state, files.data.api, later.data.api);
  for (const view of ["apis", "spectrum", "drill"]) await show(page, address + "/", view);
  await checkBuilds(page, address + "/", state, later.data.verdicts);
  same("nothing went wrong but what the service refused", wrong.filter((text) => !/status of (401|404|503)/.test(text)), []);
  await close();
  await browser.close();
  server.close();
  process.exit(result());
}

main().catch((error) => {
  console.log("FAIL ", error.stack);
  process.exit(1);
});
