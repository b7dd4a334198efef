// SPDX-License-Identifier: Apache-2.0
// The board in three dimensions, on a plain canvas: a plate and a chip are two boxes with a plane
// between them, so whichever lies beyond that plane is drawn first, and no depth has to be sorted.

const plate = [0.78, 1, 0.07], chip = { half: 0.26, top: 0.22 };

export function turned(q, v) {
  const [w, x, y, z] = q, [a, b, c] = v;
  const tx = 2 * (y * c - z * b), ty = 2 * (z * a - x * c), tz = 2 * (x * b - y * a);
  return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
}

export function product(p, q) {
  return [
    p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
    p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
    p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
    p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
  ];
}

// A turn about the vertical.
export const turn = angle => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];

function box(low, high, colours) {
  const corner = (i, j, k) => [i ? high[0] : low[0], j ? high[1] : low[1], k ? high[2] : low[2]];
  const face = (places, normal, colour) => ({ corners: places.map(p => corner(...p)), normal, colour });
  return [
    face([[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]], [0, 0, 1], colours[0]),
    face([[0, 1, 0], [1, 1, 0], [1, 0, 0], [0, 0, 0]], [0, 0, -1], colours[1]),
    face([[1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 1]], [1, 0, 0], colours[1]),
    face([[0, 1, 0], [0, 0, 0], [0, 0, 1], [0, 1, 1]], [-1, 0, 0], colours[1]),
    face([[1, 1, 0], [0, 1, 0], [0, 1, 1], [1, 1, 1]], [0, 1, 0], colours[1]),
    face([[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]], [0, -1, 0], colours[1]),
  ];
}

// Viewed from the bottom edge and above.
const eye = [0, -4.1, 2.5];
const forward = eye.map(v => -v / Math.hypot(...eye));
const right = [1, 0, 0];
const up = [0, -forward[2], forward[1]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const light = (() => { const l = [-0.35, -0.45, 0.82], n = Math.hypot(...l); return l.map(v => v / n); })();

function rgb(text) {
  const n = parseInt(text.trim().slice(1), 16);
  return [n >> 16, n >> 8 & 255, n & 255];
}
const shade = (colour, k) => `rgb(${colour.map(c => Math.round(Math.min(255, c * k))).join(" ")})`;

export class Board {
  constructor(canvas, zoom = 1) {
    this.canvas = canvas;
    this.zoom = zoom;
    this.context = canvas.getContext("2d");
    this.recolour();
  }

  recolour() {
    const style = getComputedStyle(document.documentElement);
    const colour = name => style.getPropertyValue(name).trim();
    this.ink = { x: colour("--x"), y: colour("--y"), z: colour("--z"), line: colour("--line"), soft: colour("--soft"), text: colour("--text") };
    const board = rgb(colour("--plate")), part = rgb(colour("--chip"));
    this.plate = box([-plate[0], -plate[1], -plate[2]], plate, [board, board.map(c => c * 0.8)]);
    this.chip = box([-chip.half, -chip.half, plate[2]], [chip.half, chip.half, chip.top], [part, part]);
  }

  // `attitude` takes device to reference, whose x points north where `isNorth`.
  draw(attitude, isNorth) {
    const { canvas, context } = this;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    context.clearRect(0, 0, width, height);
    if (!width || !height) return;
    const scale = Math.min(width / 2.9, height / 2.55) * 4.4 * this.zoom;
    // From the south where there is a north.
    const q = isNorth ? product(turn(Math.PI / 2), attitude) : attitude;
    const project = p => {
      const d = [p[0] - eye[0], p[1] - eye[1], p[2] - eye[2]], depth = dot(d, forward);
      return [width / 2 + dot(d, right) * scale / depth, height * 0.5 - dot(d, up) * scale / depth];
    };
    const place = p => project(turned(q, p));
    const line = (points, colour, thick, close) => {
      context.beginPath();
      points.forEach((p, i) => i ? context.lineTo(p[0], p[1]) : context.moveTo(p[0], p[1]));
      if (close) context.closePath();
      context.strokeStyle = colour;
      context.lineWidth = thick * ratio;
      context.stroke();
    };
    context.lineJoin = context.lineCap = "round";
    this.horizon(project, line, isNorth, ratio);
    // Parts that point away from the viewer are behind the board, and drawn first.
    const axes = [
      ["x", [plate[0], 0, 0], [1.16, 0, 0], [1.27, 0, 0]], ["y", [0, plate[1], 0], [0, 1.3, 0], [0, 1.42, 0]],
      ["z", [0, 0, chip.top], [0, 0, 0.82], [0, 0, 0.95]],
    ];
    const axis = ([name, from, to, letter]) => {
      line([place(from), place(to)], this.ink[name], 3);
      const [x, y] = place(letter);
      context.fillStyle = this.ink[name];
      context.font = `700 ${15 * ratio}px system-ui, sans-serif`;
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.fillText(name, x, y);
    };
    const away = axes.filter(a => dot(turned(q, a[2]), forward) > 0), near = axes.filter(a => !away.includes(a));
    away.forEach(axis);
    const faces = list => {
      for (const face of list) {
        const normal = turned(q, face.normal), corner = turned(q, face.corners[0]);
        if (dot(normal, [corner[0] - eye[0], corner[1] - eye[1], corner[2] - eye[2]]) >= 0) continue;
        const points = face.corners.map(place);
        context.beginPath();
        points.forEach((p, i) => i ? context.lineTo(p[0], p[1]) : context.moveTo(p[0], p[1]));
        context.closePath();
        context.fillStyle = shade(face.colour, 0.62 + 0.55 * Math.max(0, dot(normal, light)));
        context.fill();
        context.strokeStyle = "rgb(0 0 0 / 35%)";
        context.lineWidth = ratio;
        context.stroke();
        if (list === this.plate && face.normal[2] === 1) this.print(place, line);
        if (list === this.chip && face.normal[2] === 1) this.dot(place);
      }
    };
    const normal = turned(q, [0, 0, 1]), level = turned(q, [0, 0, plate[2]]);
    const isAbove = dot(normal, [eye[0] - level[0], eye[1] - level[1], eye[2] - level[2]]) > 0;
    if (isAbove) { faces(this.plate); faces(this.chip); } else { faces(this.chip); faces(this.plate); }
    near.forEach(axis);
  }

  horizon(project, line, isNorth, ratio) {
    const ring = [];
    for (let i = 0; i <= 72; i++) ring.push(project([1.5 * Math.cos(i * Math.PI / 36), 1.5 * Math.sin(i * Math.PI / 36), 0]));
    line(ring, this.ink.line, 1.5, true);
    for (let i = 0; i < 12; i++) {
      const c = Math.cos(i * Math.PI / 6), s = Math.sin(i * Math.PI / 6);
      line([project([1.43 * c, 1.43 * s, 0]), project([1.5 * c, 1.5 * s, 0])], this.ink.line, 1.5);
    }
    if (!isNorth) return;
    const [x, y] = project([0, 1.64, 0]);
    this.context.fillStyle = this.ink.soft;
    this.context.font = `700 ${13 * ratio}px system-ui, sans-serif`;
    this.context.textAlign = "center";
    this.context.fillText("N", x, y);
  }

  // Pins along the left edge, and an arrow to the top edge.
  print(place, line) {
    const { context } = this, z = plate[2], white = "rgb(255 255 255 / 80%)";
    for (let pin = 0; pin < 8; pin++) {
      const points = [];
      for (let i = 0; i < 12; i++) points.push(place([-0.64 + 0.05 * Math.cos(i * Math.PI / 6), -0.8 + 0.22 * pin + 0.05 * Math.sin(i * Math.PI / 6), z]));
      context.beginPath();
      points.forEach((p, i) => i ? context.lineTo(p[0], p[1]) : context.moveTo(p[0], p[1]));
      context.closePath();
      context.fillStyle = "#e6c15a";
      context.fill();
    }
    line([place([0, 0.36, z]), place([0, 0.88, z])], white, 2.5);
    line([place([-0.15, 0.7, z]), place([0, 0.88, z]), place([0.15, 0.7, z])], white, 2.5);
  }

  dot(place) {
    const { context } = this, points = [];
    for (let i = 0; i < 12; i++) points.push(place([-0.17 + 0.035 * Math.cos(i * Math.PI / 6), 0.17 + 0.035 * Math.sin(i * Math.PI / 6), chip.top]));
    context.beginPath();
    points.forEach((p, i) => i ? context.lineTo(p[0], p[1]) : context.moveTo(p[0], p[1]));
    context.fillStyle = "rgb(255 255 255 / 75%)";
    context.fill();
  }
}
