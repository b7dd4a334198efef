// SPDX-License-Identifier: Apache-2.0
// A strip of the last seconds: one line, or three for x, y and z.

const span = 10, most = 900;

export class Chart {
  constructor(canvas, { least, centred = true, colours = ["--x", "--y", "--z"] }) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.least = least;
    this.centred = centred;
    this.names = colours;
    this.points = [];
    this.recolour();
  }

  recolour() {
    const style = getComputedStyle(document.documentElement);
    this.colours = this.names.map(name => style.getPropertyValue(name).trim());
    this.line = style.getPropertyValue("--line").trim();
    this.soft = style.getPropertyValue("--soft").trim();
  }

  clear() { this.points = []; }

  add(time, values) {
    const last = this.points[this.points.length - 1];
    // The newest motion is sent again until a newer one comes.
    if (last && time === last.time) return;
    // A clock that goes back belongs to another source, or to a restarted recording.
    if (last && time < last.time) this.points = [];
    this.points.push({ time, values });
    if (this.points.length > most || this.points[0].time < time - span - 1) this.points.splice(0, 60);
  }

  // The distance in time from which two points have a gap between them. A page that draws twice a
  // second has points that far apart, so it is counted in the distances that are usual here.
  gap() {
    const apart = [];
    for (let i = Math.max(1, this.points.length - 60); i < this.points.length; i++) apart.push(this.points[i].time - this.points[i - 1].time);
    apart.sort((a, b) => a - b);
    return Math.max(0.3, 4 * (apart[apart.length >> 1] ?? 0));
  }

  // The bounds: steps of 1, 2 and 5, so that the scale is a plain number.
  bounds() {
    let low = Infinity, high = -Infinity;
    for (const { values } of this.points) for (const v of values) { if (v < low) low = v; if (v > high) high = v; }
    if (low > high) return [-this.least, this.least];
    if (this.centred) {
      const top = nice(Math.max(this.least, -low, high));
      return [-top, top];
    }
    const middle = (low + high) / 2, half = nice(Math.max(this.least, (high - low) / 2 * 1.15));
    const centre = Math.round(middle / half * 2) * half / 2;
    return [centre - half, centre + half];
  }

  draw() {
    const { canvas, context } = this;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    context.clearRect(0, 0, width, height);
    if (!width || !this.points.length) return;
    const [low, high] = this.bounds(), left = 46 * ratio, pad = 7 * ratio;
    const y = v => height - pad - (v - low) / (high - low) * (height - 2 * pad);
    context.font = `${11.5 * ratio}px system-ui, sans-serif`;
    context.textAlign = "right";
    context.textBaseline = "middle";
    context.lineWidth = ratio;
    for (const v of [low, (low + high) / 2, high]) {
      context.strokeStyle = this.line;
      context.beginPath();
      context.moveTo(left, y(v));
      context.lineTo(width, y(v));
      context.stroke();
      context.fillStyle = this.soft;
      context.fillText(label(v, high - low), left - 6 * ratio, y(v));
    }
    const end = this.points[this.points.length - 1].time;
    const x = t => left + (1 - (end - t) / span) * (width - left);
    const gap = this.gap();
    context.lineWidth = 1.6 * ratio;
    context.lineJoin = "round";
    context.save();
    context.beginPath();
    context.rect(left, 0, width - left, height);
    context.clip();
    for (let i = 0; i < this.points[0].values.length; i++) {
      context.strokeStyle = this.colours[i];
      context.beginPath();
      this.points.forEach((p, n) => {
        const isJoined = n && p.time - this.points[n - 1].time <= gap;
        if (isJoined) context.lineTo(x(p.time), y(p.values[i])); else context.moveTo(x(p.time), y(p.values[i]));
      });
      context.stroke();
    }
    context.restore();
  }
}

function nice(value) {
  const power = 10 ** Math.floor(Math.log10(value)), part = value / power;
  return (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10) * power;
}

function label(value, range) {
  const digits = range >= 20 ? 0 : range >= 2 ? 1 : range >= 0.2 ? 2 : 3;
  return (Math.abs(value) < range / 1e6 ? 0 : value).toFixed(digits).replace("-", "−");
}
