// SPDX-License-Identifier: Apache-2.0
// Checks and calibrations of the board: started, watched, cancelled and saved here, and visible on every page.
import { Board } from "./board.js";

const byId = id => document.getElementById(id);
const show = (id, text) => { const e = byId(id); if (e.textContent !== text) e.textContent = text; };
const hide = (id, isHidden) => { byId(id).hidden = isHidden; };
const half = Math.SQRT1_2;
// Attitudes in which that side is up, with the face visible if possible.
const held = {
  "z": [1, 0, 0, 0], "-z": [0, 0, 1, 0], "y": [half, half, 0, 0], "-y": [0, 0, half, half],
  "x": [0.5, 0.5, -0.5, 0.5], "-x": [0.5, 0.5, 0.5, -0.5],
};
const marks = { open: "○", running: "…", passed: "✓", failed: "✗", skipped: "–" };
const words = { open: "pending", running: "running", passed: "done", failed: "failed", skipped: "skipped" };
const states = {
  running: "under way", stopping: "cancelling", cancelled: "cancelled", failed: "not completed", done: "done",
  saving: "saving", saved: "saved",
};

// Requests a change; returns the message of a rejection, else null. `onToken` is called if the token is missing.
export async function ask(path, wish, onToken) {
  try {
    const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wish) });
    if (answer.ok) return null;
    if (answer.status === 401) onToken();
    const isJSON = answer.headers.get("Content-Type")?.startsWith("application/json");
    return isJSON ? (await answer.json()).error : (await answer.text()).trim();
  } catch { return "The server does not answer"; }
}

export class Task {
  constructor(say, onToken) {
    this.say = say;
    this.onToken = onToken;
    this.mayChange = true;
    this.board = new Board(byId("task-up"), 0.82);
    byId("task-cancel").addEventListener("click", () => this.send({ action: "cancel" }));
    byId("task-save").addEventListener("click", () => this.send({ action: "save" }));
    byId("task-close").addEventListener("click", () => this.send({ action: "close" }));
  }

  get isUnderWay() { return ["running", "stopping", "saving"].includes(this.task?.state); }

  recolour() { this.board.recolour(); this.drawUp(); }

  async send(wish) {
    hide("task-trouble", true);
    if (wish.action !== "start") wish.number = this.task?.number;
    // The stream reports the outcome in order; this answer may be older.
    const refusal = await ask("/api/task", wish, this.onToken);
    if (refusal) this.complain(refusal);
  }

  // Without the token, controls that would be rejected are hidden.
  allow(mayChange) {
    this.mayChange = mayChange;
    if (mayChange) hide("task-trouble", true);
    if (this.message) this.take(this.message);
  }

  complain(text) {
    show("task-trouble", text);
    hide("task-trouble", false);
  }

  take(message) {
    const before = this.task;
    this.message = message;
    this.task = message.task;
    // An earlier rejection does not apply to the present task.
    if (before?.number !== message.task?.number || before?.state !== message.task?.state) hide("task-trouble", true);
    hide("task-obstacle", !message.obstacle);
    show("task-obstacle", message.obstacle ?? "");
    this.writeOffers(message.offers);
    const focused = byId("task-card").contains(document.activeElement) ? document.activeElement : null;
    hide("task-view", !message.task);
    hide("task-about", Boolean(message.task) || Boolean(message.obstacle));
    show("task-title", message.task?.title ?? "Check and calibrate");
    show("task-state", message.task ? states[message.task.state] : "");
    if (message.task) { this.write(message.task); this.announce(message.task, before?.number === message.task.number ? before : undefined); }
    // The pressed button may have disappeared.
    if (focused && !(focused.isConnected && focused.checkVisibility())) byId("task-title").focus();
  }

  writeOffers(offers) {
    const list = byId("task-offers"), names = offers.map(o => o.kind).join();
    list.hidden = Boolean(this.task) || !this.mayChange;
    if (list.dataset.names === names) return;
    list.dataset.names = names;
    list.replaceChildren(...offers.map(offer => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.kind = offer.kind;
      button.textContent = offer.label;
      button.addEventListener("click", () => this.send({ action: "start", kind: offer.kind }));
      return button;
    }));
  }

  write(task) {
    const isRunning = task.state === "running" || task.state === "stopping";
    hide("task-verdict", !task.verdict);
    show("task-verdict", task.state === "saved" ? `Saved in ${task.file}; the board uses it now.` : task.verdict ?? "");
    byId("task-verdict").className = `guide ${task.state === "cancelled" ? "" : task.isGood ? "good" : "bad"}`;
    const sentence = task.instruction ?? "";
    show("task-instruction", isRunning && sentence ? sentence[0].toUpperCase() + sentence.slice(1) : "");
    hide("task-progress-row", !isRunning || task.progress == null);
    byId("task-progress").value = task.progress ?? 0;
    show("task-progress-text", task.progressText);
    this.up = isRunning ? task.up : null;
    hide("task-up", !this.up);
    this.drawUp();
    // After the end there is no current direction.
    this.writeMap(isRunning ? task.map : task.map.map(band => band.replace("@", "#")));
    this.writeItems(task.items);
    this.writeFaults(task.faults);
    hide("task-result", !task.result.length);
    this.writeResult(task.result);
    this.writeLines(task.lines);
    hide("task-file", !task.file && !task.obstacle || task.state !== "done");
    show("task-file", task.obstacle ? `It cannot be saved: ${task.obstacle}.` : `Save writes it to ${task.file}; other entries are kept.`);
    hide("task-cancel", !isRunning || !this.mayChange);
    byId("task-cancel").disabled = task.state === "stopping";
    hide("task-save", !(task.state === "done" && task.file && this.mayChange));
    hide("task-report", !task.hasReport);
    hide("task-close", isRunning || task.state === "saving" || !this.mayChange);
  }

  drawUp() {
    if (!this.up || !held[this.up]) return;
    byId("task-up").setAttribute("aria-label", `The board with its ${this.up[0] === "-" ? "" : "+"}${this.up} axis up`);
    this.board.draw(held[this.up], false);
  }

  writeMap(bands) {
    hide("task-map-row", !bands.length);
    const map = byId("task-map"), text = bands.join(" ");
    if (!bands.length || map.dataset.text === text) return;
    map.dataset.text = text;
    const all = text.replaceAll(" ", ""), seen = all.length - all.replaceAll(/[#@]/g, "").length;
    map.setAttribute("aria-label", `${seen} of ${all.length} directions seen`);
    map.replaceChildren(...bands.map(band => {
      const row = document.createElement("div");
      row.append(...[...band].map(letter => {
        const cell = document.createElement("span");
        cell.className = { "#": "seen", "@": "here" }[letter] ?? "";
        return cell;
      }));
      return row;
    }));
  }

  writeItems(items) {
    const list = byId("task-items"), text = JSON.stringify(items);
    list.hidden = !items.length;
    if (list.dataset.text === text) return;
    list.dataset.text = text;
    list.replaceChildren(...items.map(item => {
      const line = document.createElement("li");
      line.className = item.text ? item.state : `${item.state} plain`;
      const parts = [["mark-of", marks[item.state]], ["name", item.name], ["text", item.text]];
      line.append(...parts.map(([name, text]) => {
        const part = document.createElement("span");
        part.className = name;
        part.textContent = text;
        return part;
      }));
      line.firstChild.setAttribute("aria-hidden", "true");
      line.children[1].append(Object.assign(document.createElement("span"), { className: "unseen", textContent: `, ${words[item.state]}` }));
      return line;
    }));
  }

  // Lines of words, and rows of three numbers with a unit.
  writeResult(lines) {
    const place = byId("task-result"), text = lines.join("\n");
    if (place.dataset.text === text) return;
    place.dataset.text = text;
    place.replaceChildren(...lines.map(line => {
      const row = document.createElement("p"), found = line.match(/^(.*?)\s+(-?[\d.]+)\s+(-?[\d.]+)\s+(-?[\d.]+)(?:\s(\D.*))?$/);
      if (!found) { row.textContent = line; return row; }
      row.className = "figures";
      for (const part of [found[1], found[2], found[3], found[4], found[5] ?? ""]) {
        row.append(Object.assign(document.createElement("span"), { textContent: part }), " ");
      }
      return row;
    }));
  }

  writeFaults(faults) {
    const place = byId("task-faults"), text = JSON.stringify(faults);
    if (place.dataset.text === text) return;
    place.dataset.text = text;
    place.replaceChildren(...faults.map(fault => {
      const part = (name, text) => Object.assign(document.createElement(name), { textContent: text });
      const article = document.createElement("article"), steps = document.createElement("ol");
      article.className = "fault";
      steps.append(...fault.steps.map(step => part("li", step)));
      article.append(part("h3", fault.title), part("p", fault.explanation), ...fault.evidence.map(seen => part("p", `Seen: ${seen}`)), steps);
      return article;
    }));
  }

  writeLines(lines) {
    hide("task-log", !lines.length);
    const list = byId("task-lines"), text = lines.join("\n");
    if (list.dataset.text === text) return;
    list.dataset.text = text;
    list.replaceChildren(...lines.map(line => Object.assign(document.createElement("li"), { textContent: line })));
  }

  // For screen readers: instructions, messages, failures, and the end.
  announce(task, before) {
    const parts = [];
    if (!before) parts.push(task.title);
    const last = task.lines.at(-1);
    if (last && last !== before?.lines.at(-1)) parts.push(last);
    if (task.instruction && task.instruction !== before?.instruction && task.instruction !== last) parts.push(task.instruction);
    const failed = task.items.filter(item => item.state === "failed");
    for (const item of failed.slice(before?.items.filter(item => item.state === "failed").length ?? 0)) parts.push(`${item.name} failed: ${item.text}`);
    if (task.state !== before?.state && task.state !== "running") parts.push(states[task.state]);
    if (task.verdict && task.verdict !== before?.verdict) parts.push(task.verdict);
    if (parts.length) this.say(parts.join(". "));
  }
}
