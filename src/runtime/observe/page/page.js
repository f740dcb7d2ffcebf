"use strict";

// Asks for status.json again and again, and shows it. Texts reach the page as text only, never as HTML: the names of
// sites are chosen by others.

const POLL_MS = 1500;
const POLL_ENDED_MS = 10000;
const PATIENCE_MS = 6000;
const LONGEST_WAIT_MS = 15000;
const FEW_SITES = 12;
const MOST_SITES = 500;
const SHOWN_ROUNDS = 12;
const SHOWN_LINES = 60;

const at = (id) => document.getElementById(id);

// ---- values as people read them -------------------------------------------------------------------------------------

function number(value, digits = 4) {
  if (value === "inf") return "∞";
  if (value === "-inf") return "−∞";
  if (typeof value !== "number") return "–";
  if (value !== 0 && Math.abs(value) < 1e-3) return value.toExponential().replace(/(\.\d{3})\d+/, "$1").replace("-", "−");
  return value.toLocaleString("en", { maximumSignificantDigits: digits });
}

function wholeNumber(value) {
  return typeof value === "number" ? Math.round(value).toLocaleString("en") : number(value);
}

function percent(share) {
  return typeof share === "number" ? Math.floor(100 * clamp(share)) + "%" : "–";
}

function clamp(share) {
  return typeof share === "number" ? Math.min(Math.max(share, 0), 1) : 0;
}

function bytes(count) {
  const units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
  let unit = 0;
  for (; count >= 999.5 && unit + 1 < units.length; ++unit) count /= 1000;
  return (unit > 0 && count < 9.95 ? count.toFixed(1) : Math.round(count)) + " " + units[unit];
}

function duration(seconds, digits = 1) {
  if (typeof seconds !== "number" || seconds > 1e9) return "a long time";
  const two = (part) => String(Math.floor(part)).padStart(2, "0");
  if (seconds < 9.95) return Math.max(seconds, 0).toFixed(digits) + " s";
  const whole = Math.round(seconds);
  if (whole < 60) return whole + " s";
  if (whole < 3600) return Math.floor(whole / 60) + " min " + two(whole % 60) + " s";
  if (whole < 86400) return Math.floor(whole / 3600) + " h " + two((whole % 3600) / 60) + " min";
  return Math.floor(whole / 86400) + " d " + two((whole % 86400) / 3600) + " h";
}

function timeOfDay(unixMs) {
  const date = new Date(unixMs);
  return Number.isNaN(date.getTime()) ? "–" : date.toLocaleTimeString("en-GB");
}

// ---- elements -------------------------------------------------------------------------------------------------------

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function show(id, visible) {
  at(id).hidden = !visible;
}

function make(tag, className = "", children = []) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

// Gives `parent` one child for each item, keeping the children that it has: what is selected stays selected.
function fill(parent, items, makeChild, update) {
  while (parent.children.length > items.length) parent.lastElementChild.remove();
  while (parent.children.length < items.length) parent.append(makeChild());
  items.forEach((item, i) => update(parent.children[i], item));
}

// ---- the parts of the page ------------------------------------------------------------------------------------------

function showHeading(status) {
  setText(at("study"), status.study || "FLAIM");
  setText(at("method"), status.method);
  setText(at("phase"), status.phase);
  at("phase").dataset.phase = status.phase;
  show("research", status.is_research);
  show("failure", status.failure !== "");
  setText(at("failure-text"), status.failure);
  show("result", status.result !== "");
  setText(at("result-text"), status.result);
  setText(at("software"), status.software);
  setText(at("manifest"), status.manifest ? "manifest " + status.manifest.slice(0, 16) : "");
  at("manifest").title = status.manifest;
  setText(at("roster"), status.roster ? "roster " + status.roster.slice(0, 16) : "");
  at("roster").title = status.roster;
  const progress = status.rounds_planned > 0 ? ` ${status.rounds.length}/${status.rounds_planned}` : "";
  document.title = `${status.study}: ${status.phase}${progress}`;
}

function showProgress(status) {
  const done = status.rounds.length;
  const planned = status.rounds_planned;
  const isRunning = status.phase === "running";
  const shown = isRunning ? done + 1 : done;
  setText(at("round"), String(planned > 0 ? Math.min(shown, planned) : shown));
  setText(at("round-of"), planned > 0 ? "of " + planned : "");
  at("round-bar").value = planned > 0 ? clamp(done / planned) : clamp(status.share_spent);
  const left = typeof status.seconds_left === "number" ? `, about ${duration(status.seconds_left, 0)} left` : "";
  const ended = { finished: "finished", failed: "stopped", enrolling: "sites are joining", waiting: "waiting for sites" };
  setText(at("left"), isRunning ? `${done} done${left}` : ended[status.phase]);
}

function showBudget(status) {
  setText(at("spent"), percent(status.share_spent));
  at("spent-bar").value = clamp(status.share_spent);
  const promise = `ε ${number(status.epsilon)}, δ ${number(status.delta)}`;
  setText(at("promise"), status.is_research ? "promises nothing: seeded noise"
                                            : `${promise}; each site ρ ${number(status.rho_allowance)}`);
}

function showCounts(status) {
  const approved = status.sites.filter((site) => site.is_approved).length;
  const online = status.sites.filter((site) => site.is_online).length;
  setText(at("online"), String(online));
  setText(at("online-of"), "of " + approved);
  at("online-bar").value = approved > 0 ? clamp(online / approved) : 0;
  const missing = status.minimum_sites - online;
  setText(at("needed"), missing > 0 ? `${missing} more needed, at least ${status.minimum_sites}`
                                    : `at least ${status.minimum_sites} needed`);
  const last = status.rounds.at(-1);
  setText(at("records"), last ? "≈ " + wholeNumber(last.records) : "–");
  const total = (field) => status.sites.reduce((sum, site) => sum + site[field], 0);
  setText(at("sent"), bytes(total("sent_bytes")));
  setText(at("received"), bytes(total("received_bytes")));
}

function showSum(sum) {
  show("sum", sum !== null);
  if (sum === null) return;
  setText(at("sum-name"), sum.name);
  setText(at("sum-stage"), sum.stage);
  setText(at("sum-answers"), `${sum.answered} of ${sum.expected} answered`);
  at("sum-bar").value = sum.expected > 0 ? clamp(sum.answered / sum.expected) : 0;
}

function lastSeen(site, now) {
  if (!site.is_approved) return "not approved";
  if (site.is_online) return "online";
  return site.last_seen_unix_ms === 0 ? "never" : duration((now - site.last_seen_unix_ms) / 1000, 0) + " ago";
}

function makeSite() {
  const row = make("tr", "", [make("td", "", [make("span", "site", [make("span", "dot"), make("span", "name")])]),
                              make("td", "seen")]);
  for (const label of ["rounds", "ρ", "↑", "↓"]) {
    const cell = make("td", "number");
    cell.dataset.label = label;
    row.append(cell);
  }
  row.setAttribute("role", "row");
  for (const cell of row.children) cell.setAttribute("role", "cell");
  row.querySelector(".dot").setAttribute("aria-hidden", "true");
  return row;
}

let showsAllSites = false;

function showSites(status) {
  const trouble = status.sites.filter((site) => !site.is_online);
  const sorted = trouble.concat(status.sites.filter((site) => site.is_online));
  const shown = sorted.slice(0, showsAllSites ? MOST_SITES : FEW_SITES);
  show("no-sites", sorted.length === 0);
  show("sites-table", sorted.length > 0);
  fill(at("sites"), shown, makeSite, (row, site) => {
    row.className = site.is_online ? "online" : site.is_approved ? "lost" : "unapproved";
    setText(row.querySelector(".name"), site.name);
    row.querySelector(".name").title = `${site.name}\n${site.fingerprint}`;
    const texts = [lastSeen(site, status.now_unix_ms), String(site.rounds_served), number(site.rho_spent),
                   bytes(site.sent_bytes), bytes(site.received_bytes)];
    texts.forEach((text, i) => setText(row.children[i + 1], text));
  });
  show("more-sites", sorted.length > FEW_SITES);
  setText(at("more-sites"), showsAllSites ? "Show fewer sites" : `Show all ${sorted.length} sites`);
  at("more-sites").setAttribute("aria-expanded", String(showsAllSites));
  show("left-out", showsAllSites && sorted.length > MOST_SITES);
  setText(at("left-out"), `and ${sorted.length - MOST_SITES} more in status.json`);
}

function makeRound() {
  return make("li", "", [make("span", "round-number"), make("ul", "chips"), make("span", "quiet")]);
}

function showRounds(status) {
  const rounds = status.rounds.slice(-SHOWN_ROUNDS).reverse();
  show("no-rounds", rounds.length === 0);
  fill(at("rounds"), rounds, makeRound, (item, round) => {
    const [label, chips, facts] = item.children;
    setText(label, String(round.round));
    fill(chips, round.chosen, () => make("li"), (chip, query) => {
      setText(chip, query);
      chip.title = query;
    });
    setText(facts, `${round.members} sites, ${duration(round.seconds)}, σ ${number(round.sigma)}`);
  });
  show("earlier", status.rounds.length > SHOWN_ROUNDS);
  setText(at("earlier"), `and ${status.rounds.length - SHOWN_ROUNDS} earlier rounds`);
}

function makeLine() {
  return make("li", "", [make("span", "time"), " ", make("span", "level"), make("span", "event"), " ", make("span", "fields")]);
}

function showLog(status) {
  fill(at("log"), status.log.slice(-SHOWN_LINES).reverse(), makeLine, (item, line) => {
    const [time, level, event, fields] = item.children;
    setText(time, timeOfDay(line.time_unix_ms));
    setText(level, line.level === "info" ? "" : line.level + " ");
    setText(event, line.event);
    setText(fields, Object.entries(line.fields).map(([name, value]) => `${name}=${value}`).join("  "));
  });
}

function showStatus(status) {
  showHeading(status);
  showProgress(status);
  showBudget(status);
  showCounts(status);
  showSum(status.sum);
  showSites(status);
  showRounds(status);
  showLog(status);
  show("main", true);
}

// ---- asking ---------------------------------------------------------------------------------------------------------

let last = null;      // the last status
let lastAtMs = 0;     // when it came, by this machine's clock
let failures = 0;     // in a row
let nextTry = 0;      // timer
let nextTryAtMs = 0;  // by this machine's clock
let isAsking = false;

const hasEnded = () => last !== null && (last.phase === "finished" || last.phase === "failed");

function showFreshness() {
  const age = (Date.now() - lastAtMs) / 1000;
  setText(at("freshness"), last === null ? "Waiting for the coordinator …" : `Status of ${timeOfDay(lastAtMs)}`);
  show("silence", failures > 0);
  if (failures === 0) return;
  setText(at("silence-title"), hasEnded() ? "The coordinator has ended." : "The coordinator does not answer.");
  const wait = Math.max(Math.ceil((nextTryAtMs - Date.now()) / 1000), 0);
  const known = last === null ? "Nothing is known yet." : `This is how it stood ${duration(age, 0)} ago.`;
  setText(at("silence-text"), `${known} ${isAsking ? "Trying again now." : `Next try in ${wait} s.`}`);
}

async function ask() {
  if (isAsking) return;
  clearTimeout(nextTry);
  isAsking = true;
  try {
    const response = await fetch("status.json", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!response.ok) throw new Error(`HTTP status ${response.status}`);
    const status = await response.json();
    showStatus(status);
    last = status;
    lastAtMs = Date.now();
    failures = 0;
  } catch {
    ++failures;
  }
  isAsking = false;
  const usual = hasEnded() ? POLL_ENDED_MS : POLL_MS;
  const wait = Math.min(usual * 1.6 ** Math.max(failures - 1, 0), LONGEST_WAIT_MS);
  nextTryAtMs = Date.now() + wait;
  nextTry = setTimeout(ask, wait);
  showFreshness();
}

at("retry").addEventListener("click", ask);
at("more-sites").addEventListener("click", () => {
  showsAllSites = !showsAllSites;
  if (last !== null) showSites(last);
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) ask();
});
setInterval(showFreshness, 1000);
ask();
