/* The recording's data. Each line of a file is gnomonData("NAME",JSON): files from a disk are run as scripts, because a
 * page may not read them otherwise; files from a server are read as text, which is faster. */

const data = {};
const asked = new Map();

function gnomonData(name, value) {
  data[name] = value;
}

function takeLines(text) {
  for (const line of text.split("\n")) {
    const found = /^gnomonData\("([a-z0-9-]+)",/.exec(line);
    if (found) gnomonData(found[1], JSON.parse(line.slice(found[0].length, -1)));
  }
}

function runScript(name) {
  return new Promise((resolve, reject) => {
    const script = make("script", {src: name + ".js", onload: resolve, onerror: () => reject(new Error(name + ".js cannot be read"))});
    document.head.append(script);
  });
}

async function fetchText(name) {
  const reply = await fetch(name + ".js");
  if (!reply.ok) throw new Error(name + ".js: " + reply.status + " " + (await reply.text()));
  takeLines(await reply.text());
}

/* Reads a file of data once. The first one says whether the page is a fleet's. */
function need(name) {
  const read = name === "api" && inFleet() ? loadFleet : location.protocol === "file:" ? runScript : fetchText;
  if (!asked.has(name)) asked.set(name, read(name));
  return asked.get(name);
}

/* The name of a function by its index in the profile; -1: none. */
function functionName(index) {
  return index < 0 ? "[unprofiled]" : data.functions.name[index];
}

/* 0 stands for "as the one before": see ui_profile.c. */
function unpackFiles() {
  const files = data.functions.file;
  for (let i = 1; i < files.length; i++) if (files[i] === 0) files[i] = files[i - 1];
}

/* The standard error of the cycles that a number of samples stands for, with a sign; "": figures are counted. */
function errorText(samples) {
  const sampled = data.summary.sampled;
  return sampled ? " \u00b1" + count(errorOf(samples)) : "";
}

function errorOf(samples) {
  const {all, time: whole} = data.summary.sampled, share = all ? samples / all : 0;
  return share < 1 ? Math.round(Math.sqrt(samples * (1 - share)) / all * whole) : 0;
}
