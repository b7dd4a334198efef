// SPDX-License-Identifier: Apache-2.0
import { Board, product, turn } from "./board.js";
import { Chart } from "./charts.js";
import { Task, ask } from "./task.js";

const byId = id => document.getElementById(id);
const board = new Board(byId("board"));
const charts = {
  rotationRate: new Chart(byId("rotation"), { least: 0.5 }),
  userAcceleration: new Chart(byId("acceleration"), { least: 0.1 }),
  magneticField: new Chart(byId("field"), { least: 50 }),
};
const altitude = new Chart(byId("altitude-chart"), { least: 0.5, centred: false, colours: ["--accent"] });
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const dark = matchMedia("(prefers-color-scheme: dark)");

let socket, source = {}, state = {}, newest, drawn = 0, isScheduled = false, isPaused = false;
let silent = [], quietUntil = 0, arrived = 0, mayChange = true, troubleEnd;
let zero = 0, wasNorth = false, retry = 500, lastText = 0, lastPicture = 0, lastCharts = 0, frames = 0, bytes = 0, counted = performance.now();

const show = (id, text) => { const e = byId(id); if (e.textContent !== text) e.textContent = text; };
const number = (value, digits, unit = "") => value == null ? "–" : value.toFixed(digits).replace("-", "−") + unit;
const hide = (id, isHidden) => { byId(id).hidden = isHidden; };
const task = new Task(text => say(text), () => allow(false));
const say = text => { const e = byId("spoken"); e.textContent = ""; requestAnimationFrame(() => { e.textContent = text; }); };

// MARK: The state in a word

const clock = seconds => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

// Seconds since the newest motion.
const age = () => newest?.timestamp == null ? Infinity : (newest.age ?? 0) + (performance.now() - arrived) / 1000;

function writeLink() {
  const isOpen = socket.readyState === WebSocket.OPEN, old = age();
  let [kind, text] = ["live", "live"];
  if (!isOpen) [kind, text] = ["lost", "not connected, trying again"];
  else if (isPaused) [kind, text] = ["paused", "paused"];
  else if (task.isUnderWay) [kind, text] = ["task", task.task.title];
  else if (old === Infinity) [kind, text] = ["waiting", "no motion yet"];
  else if (old > 1) [kind, text] = ["stale", `no motion for ${old.toFixed(0)} s`];
  else if (source.origin === "recording") [kind, text] = ["recording", `recording, ${clock(newest.position ?? 0)} of ${clock(newest.length ?? 0)}`];
  else if (source.origin && source.origin !== "live") [kind, text] = [source.origin, source.origin];
  if (kind === "lost" && ["live", "simulated", "recording", "trace"].includes(byId("link").dataset.state)) say("The connection is lost");
  byId("link").dataset.state = kind;
  show("link-text", text);
  // The values shown are old then, unless paused.
  byId("main").classList.toggle("stale", !isPaused && !(isOpen && old <= 1));
}

// A message about a rejected change. The present source continues; the message disappears after a while, or with the next change.
function complain(text) {
  clearTimeout(troubleEnd);
  show("trouble", text);
  hide("trouble", !text);
  if (text) troubleEnd = setTimeout(() => complain(""), 15000);
}

function allow(isAllowed) {
  mayChange = isAllowed;
  hide("access", mayChange);
  byId("source").disabled = !mayChange || (source.choices?.length ?? 0) < 2;
  task.allow(mayChange);
}

async function askAccess() {
  try { allow((await (await fetch("/api/access")).json()).mayChange); } catch { /* the next connection asks again */ }
}

// MARK: The connection

function connect() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/live`);
  // A restarted server has another token.
  socket.onopen = () => { retry = 500; writeLink(); askAccess(); };
  socket.onmessage = event => {
    bytes += event.data.length;
    const message = JSON.parse(event.data);
    if (message.type === "frame") take(message);
    else if (message.type === "state") takeState(message);
    else if (message.type === "source") takeSource(message);
    else if (message.type === "task") task.take(message);
  };
  socket.onclose = () => {
    writeLink();
    setTimeout(connect, retry);
    retry = Math.min(retry * 2, 8000);
  };
}

function take(frame) {
  newest = frame;
  arrived = performance.now();
  frames += 1;
  if (frame.timestamp != null && !isPaused) {
    for (const [name, chart] of Object.entries(charts)) if (frame[name]) chart.add(frame.timestamp, frame[name]);
    if (frame.relativeAltitude != null) altitude.add(frame.timestamp, [frame.relativeAltitude]);
  }
  if (!isScheduled) { isScheduled = true; requestAnimationFrame(draw); }
}

// MARK: Drawing

function draw(now) {
  isScheduled = false;
  // Each drawn frame is acknowledged, which requests the next one: a hidden page draws nothing and gets none.
  if (socket.readyState === WebSocket.OPEN && newest.number > drawn) socket.send(String(drawn = newest.number));
  if (!isPaused) {
    if (!calm.matches || now - lastPicture > 500) { lastPicture = now; drawPicture(); }
    if (now - lastCharts > (calm.matches ? 1000 : 30)) { lastCharts = now; drawCharts(); }
    if (now - lastText > 200) { lastText = now; write(); writeLink(); }
  }
  if (now - counted > 2000) {
    const seconds = (now - counted) / 1000;
    show("rate", `${(frames / seconds).toFixed(0)} frames and ${(bytes / 1000 / seconds).toFixed(1)} kB a second`);
    counted = now; frames = 0; bytes = 0;
  }
}

function attitude() {
  return newest?.attitude && (source.isNorth ? newest.attitude : product(turn(-zero), newest.attitude));
}

function drawPicture() {
  board.draw(attitude() ?? [1, 0, 0, 0], source.isNorth);
  const g = newest?.gravity;
  if (g) {
    const bubble = byId("bubble"), length = Math.hypot(g[0], g[1]), k = Math.min(1, 1 / Math.max(length, 1e-9)) * 84;
    bubble.setAttribute("cx", (-g[0] * k).toFixed(2));
    bubble.setAttribute("cy", (g[1] * k).toFixed(2));
    bubble.classList.toggle("off", length > 0.0175);
  }
  if (newest?.heading != null) byId("rose").setAttribute("transform", `rotate(${(-newest.heading).toFixed(2)})`);
}

function drawCharts() {
  for (const chart of Object.values(charts)) chart.draw();
  if (!byId("altitude-card").hidden) altitude.draw();
}

function yaw() {
  if (newest?.yaw == null) return null;
  const angle = newest.yaw - (source.isNorth ? 0 : zero * 180 / Math.PI);
  return ((angle + 540) % 360 + 360) % 360 - 180;
}

function tilt() {
  const g = newest?.gravity;
  return g ? Math.acos(Math.max(-1, Math.min(1, -g[2] / Math.hypot(...g)))) * 180 / Math.PI : null;
}

const vector = v => v ? ["x", "y", "z"].map((n, i) => `${n} ${number(v[i], Math.abs(v[i]) >= 20 ? 1 : 3).padStart(7, " ")}`).join("  ") : "";

function write() {
  const f = newest;
  show("roll", number(f.roll, 1, "°"));
  show("pitch", number(f.pitch, 1, "°"));
  show("yaw", number(yaw(), 1, "°"));
  show("tilt", number(tilt(), 1));
  hide("coasting", !f.isCoasting);
  show("heading", number(f.heading, 0));
  show("heading-sigma", f.headingSigma == null || f.headingSigma > 90 ? "" : `± ${f.headingSigma.toFixed(0)}°, one standard deviation`);
  show("rotation-now", vector(f.rotationRate));
  show("acceleration-now", vector(f.userAcceleration));
  show("field-now", vector(f.magneticField));
  show("altitude", number(f.relativeAltitude, 2));
  show("pressure", number(f.pressure == null ? null : f.pressure * 10, 2, " hPa"));
  show("illuminance", number(f.illuminance, f.illuminance < 10 ? 1 : 0, " lx"));
  show("proximity", number(f.proximity, 2));
  show("temperature", number(f.temperature, 1, " °C"));
  show("humidity", number(f.humidity, 0, " %"));
  byId("board").setAttribute("aria-label", f.roll == null ? "The board; no motion yet" : `The board: roll ${f.roll.toFixed(0)}, pitch ${f.pitch.toFixed(0)}, yaw ${yaw().toFixed(0)} degrees`);
  byId("level").setAttribute("aria-label", tilt() == null ? "Level" : `Level: ${tilt().toFixed(0)} degrees from level`);
  byId("compass").setAttribute("aria-label", f.heading == null ? "Compass" : `Compass: ${f.heading.toFixed(0)} degrees from magnetic north`);
}

// MARK: Values that change rarely

const origins = {
  simulated: "Simulated board: models replace the chips, no sensor is read",
  recording: "A recording is played: no sensor is read",
  trace: "A trace is played: no sensor is read",
};

function takeSource(message) {
  const isOther = source.current !== undefined && source.current !== message.current;
  source = message;
  const has = name => message.channels.includes(name);
  hide("compass-card", !has("magneticField"));
  hide("field-chart", !has("magneticField"));
  hide("rotation-chart", !has("rotationRate"));
  hide("altitude-card", !has("pressure"));
  const around = ["illuminance", "proximity", "temperature", "humidity"];
  for (const name of around) hide(`${name}-row`, !has(name));
  hide("around-card", !around.some(has));
  show("frame", message.frame);
  byId("zero").disabled = message.isNorth;
  const menu = byId("source");
  menu.replaceChildren(...message.choices.map(choice => new Option(`${choice.label} (${choice.kind})`, choice.id)));
  menu.value = message.current;
  menu.disabled = !mayChange || message.choices.length < 2;
  menu.title = message.reason;
  document.title = `${message.name} · otolith`;
  show("origin", origins[message.origin] ?? "");
  hide("origin", !origins[message.origin]);
  if (isOther) complain("");
  if (isOther || wasNorth !== message.isNorth) { zero = 0; for (const chart of [...Object.values(charts), altitude]) chart.clear(); }
  wasNorth = message.isNorth;
  if (isOther) say(`The source is now ${message.name}`);
}

function takeState(message) {
  const failed = list => (list ?? []).filter(c => c.state === "failed" || c.state === "silent").map(c => c.name);
  state = message;
  // A board that runs a task sends no values here until it continues.
  if (task.isUnderWay) quietUntil = performance.now() + 5000;
  const isQuiet = performance.now() < quietUntil, now = failed(message.chips);
  if (!isQuiet) {
    for (const name of now) if (!silent.includes(name)) say(`${name} delivers no samples`);
    for (const name of silent) if (!now.includes(name)) say(`${name} delivers samples again`);
    silent = now;
  }
  byId("notice").hidden = message.silence == null || isQuiet;
  if (message.silence != null) show("notice", `No motion for ${message.silence.toFixed(0)} s.`);
  writeChips(message.chips, message.faults);
  hide("movement-card", !message.movement);
  if (message.movement) {
    const m = message.movement;
    show("steps", String(m.steps));
    show("activity", activity(m));
    show("cadence", m.cadence == null ? "–" : `${(m.cadence * 60).toFixed(0)} steps a minute`);
    hide("floors-row", m.floorsAscended == null);
    show("floors", `${m.floorsAscended ?? 0}, ${m.floorsDescended ?? 0}`);
  }
  hide("calibration-card", !message.calibration);
  if (message.calibration) writeCalibration(message.calibration);
  const list = byId("events"), lines = message.events.map(e => `${e.time} ${e.text}`).join("\n");
  if (list.dataset.lines !== lines) {
    list.dataset.lines = lines;
    list.replaceChildren(...message.events.slice().reverse().map(event => {
      const item = document.createElement("li"), time = document.createElement("time"), text = document.createElement("span");
      time.dateTime = event.time;
      time.textContent = new Date(event.time).toLocaleTimeString([], { hourCycle: "h23" });
      text.textContent = event.text;
      item.append(time, text);
      return item;
    }));
    hide("no-events", message.events.length > 0);
  }
}

const activity = movement => movement.activities.join(", ") || "moving";

// A chip used by a task counts as working.
const chipStates = { task: "in a task" };

function chipMessage(chip) {
  if (chip.state === "silent") return `nothing for ${chip.silence.toFixed(0)} s`;
  return chip.state === "failed" ? chip.message : null;
}

function writeChips(chips, faults) {
  let last;
  const body = byId("chips");
  const rows = chips.flatMap(chip => {
    const cells = [chipStates[chip.state] ?? chip.state, number(chip.measuredHz, 1), number(chip.configuredHz, 1), chip.lost, chip.late, chip.clipped, chip.busErrors, chip.restarts,
      number(faults.filter(f => f.chip === chip.name).reduce((sum, f) => sum + f.seconds, 0), 1)].map(String);
    const isFaulty = faults.some(f => f.isPresent && f.chip === chip.name);
    if (isFaulty && chip.state === "delivering") cells[0] = "faulty";
    const row = { name: chip.name, kind: chip.kind, state: isFaulty && chip.state === "delivering" ? "faulty" : chip.state, cells };
    // Remarks about a chip that delivers samples.
    const notes = chip.state === "delivering" ? chip.notes.map(note => ({ message: note, isNote: true })) : [];
    // A stopped service gives one message, whatever its number of chips.
    const message = chipMessage(chip), isNew = message && message !== last;
    last = message;
    return isNew ? [row, { message }, ...notes] : [row, ...notes];
  });
  const isSame = body.children.length === rows.length && rows.every((row, i) => (body.children[i].dataset.of ?? "") === (row.name ?? "")
    && body.children[i].firstChild.classList.contains("note") === !!row.isNote);
  if (!isSame) {
    body.replaceChildren(...rows.map(row => {
      const line = document.createElement("tr");
      if (row.message) {
        const cell = document.createElement("td");
        cell.colSpan = 10;
        cell.className = row.isNote ? "message note" : "message";
        line.append(cell);
        return line;
      }
      line.dataset.of = row.name;
      const head = document.createElement("th"), kind = document.createElement("span");
      head.scope = "row";
      kind.className = "kind";
      kind.textContent = row.kind;
      head.append(row.name, kind);
      line.append(head, ...row.cells.map(() => document.createElement("td")));
      return line;
    }));
  }
  rows.forEach((row, i) => {
    const line = body.children[i];
    if (row.message) { if (line.firstChild.textContent !== row.message) line.firstChild.textContent = row.message; return; }
    row.cells.forEach((text, n) => { const cell = line.children[n + 1]; if (cell.textContent !== text) cell.textContent = text; });
    line.children[1].className = `state ${row.state === "task" ? "held" : row.state}`;
  });
}

function writeCalibration(known) {
  const hasField = source.channels?.includes("magneticField");
  hide("coverage-row", !hasField);
  hide("magnetic-row", !hasField);
  byId("coverage").value = known.coverage ?? 0;
  show("coverage-text", `${((known.coverage ?? 0) * 100).toFixed(0)} %`);
  show("magnetic", { unknown: "not calibrated", hardIron: "calibrated", full: "all calibrated" }[known.magnetic] ?? known.magnetic);
  show("bias", known.gyroBiasSigma == null || known.gyroBiasSigma > 3 ? "not yet" : `${(known.gyroBiasSigma * 180 / Math.PI).toFixed(3)} °/s`);
  const isStill = known.gyroBiasSigma < 0.0015;
  show("guide",
    !isStill ? "Lay the board down for a few seconds to calibrate the gyroscope's bias."
      : hasField && known.magnetic === "unknown" ? "Turn the board slowly through all directions until the bar is full, to calibrate the magnetometer."
        : "Automatic calibration is complete. More can be measured and saved below.");
}

// MARK: The reader

function reset() {
  if (newest?.yaw != null && !source.isNorth) { zero = newest.yaw * Math.PI / 180; say("Yaw is 0 here"); }
}

function pause() {
  isPaused = !isPaused;
  byId("pause").setAttribute("aria-pressed", String(isPaused));
  writeLink();
}

function speak() {
  const f = newest;
  if (f?.roll == null) return say("There is no motion yet");
  const parts = [`Roll ${f.roll.toFixed(0)}, pitch ${f.pitch.toFixed(0)}, yaw ${yaw().toFixed(0)} degrees`];
  if (f.heading != null) parts.push(`heading ${f.heading.toFixed(0)} degrees`);
  if (f.relativeAltitude != null) parts.push(`altitude ${f.relativeAltitude.toFixed(1)} metres`);
  if (state.movement) parts.push(`${state.movement.steps} steps, ${activity(state.movement)}`);
  const bad = (state.chips ?? []).filter(c => !["delivering", "task"].includes(c.state));
  parts.push(bad.length ? `not well: ${bad.map(c => c.name).join(", ")}` : "all chips deliver");
  say(parts.join("; "));
}

byId("zero").addEventListener("click", reset);
byId("pause").addEventListener("click", pause);
byId("say").addEventListener("click", speak);
byId("board").addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const action = { r: reset, " ": pause, s: speak }[event.key];
  if (action) { event.preventDefault(); action(); }
});
byId("source").addEventListener("change", async event => {
  const menu = event.target;
  menu.disabled = true;
  complain("");
  const refusal = await ask("/api/source", { id: menu.value }, () => allow(false));
  if (refusal) { complain(refusal); menu.value = source.current; }
  menu.disabled = !mayChange;
  menu.focus();
});
dark.addEventListener("change", () => { board.recolour(); task.recolour(); for (const chart of [...Object.values(charts), altitude]) chart.recolour(); });
addEventListener("resize", () => { if (newest) { drawPicture(); drawCharts(); } });
show("foxglove", `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}`);
connect();
// Also without frames.
setInterval(writeLink, 250);
