/* A fleet's service: its profile comes from v1/profile, later the rows that have changed since. If the service wants a token,
 * the reader types it, and this tab keeps it. */

const fleet = {sequence: null, asks: false, wrong: ""};

function inFleet() {
  return data.summary !== undefined && data.summary.kind === "fleet";
}

function token(value) {
  try {
    if (value !== undefined) sessionStorage.setItem("gnomon-token", value);
    return sessionStorage.getItem("gnomon-token");
  } catch {
    return fleet.token = value === undefined ? fleet.token || null : value;
  }
}

async function askFleet(path) {
  const reply = await fetch("v1/" + path, {headers: token() ? {Authorization: "Bearer " + token()} : {}, cache: "no-store"});
  if (reply.ok) return reply;
  const text = await reply.text();
  let said = {};
  try {
    said = JSON.parse(text);
  } catch { /* a proxy's page: its status says enough */ }
  throw Object.assign(new Error(said.error ? [said.error, said.remedy].filter(Boolean).join("; ") : `the service answers with status ${reply.status}`), {status: reply.status});
}

/* Reads the whole profile, or what has changed. Resolves to whether anything has. */
async function readFleet() {
  const whole = fleet.sequence === null;
  const reply = await askFleet("profile?format=json" + (whole ? "" : "&since=" + fleet.sequence));
  const sequence = reply.headers.get("Gnomon-Sequence");
  if (!whole && sequence === fleet.sequence) return false;
  const json = await reply.json();
  if (!whole && BigInt(sequence) < BigInt(fleet.sequence)) { /* another store: nothing of the old one holds */
    fleet.sequence = null;
    return readFleet();
  }
  if (whole) profiles.api = new ApiProfile();
  profiles.api.take(json);
  fleet.sequence = sequence;
  return true;
}

/* As readFleet. If the service refuses the token, the page asks for another one. */
async function loadFleet() {
  try {
    const changed = await readFleet();
    fleet.wrong = "";
    return changed;
  } catch (error) {
    if (error.status !== 401) throw error;
    fleet.wrong = token() ? error.message : "";
    token("");
    return fleet.asks = true;
  }
}

/* True, or a form that asks for the token. */
function fleetReady() {
  if (!inFleet() || !fleet.asks) return true;
  const input = make("input", {type: "password", id: "token", autocomplete: "off", "aria-label": "Token"});
  return make("form", {class: "note", onsubmit: (event) => {
    event.preventDefault();
    token(input.value.trim());
    fleet.asks = false;
    asked.delete("api");
    dispatchEvent(new Event("hashchange"));
  }}, make("p", null, "This service shows its profiles to those who have a token. The token stays in this tab."),
  fleet.wrong ? make("p", {class: "doubt", role: "alert"}, fleet.wrong) : "", make("label", null, "Token ", input), " ", make("button", null, "Show"));
}
