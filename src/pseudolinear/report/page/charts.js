// Charts as SVG: axes, curves and the points that move.

const WIDTH = 380;
const HEIGHT = 260;
const EDGE = { left: 46, right: 10, top: 10, bottom: 38 };

/** Make an element; text is never read as HTML. */
function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Round numbers between two ends, about as many as asked for. */
function niceTicks([low, high], count = 5) {
  const rough = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) {
    ticks.push(Number((k * step).toPrecision(12)));
  }
  return ticks;
}

/** A figure with axes; `place` turns numbers into positions on it. */
function makeChart(title, xName, yName) {
  const caption = make("small");
  const plot = draw("g");
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title }, plot);
  const figure = make("figure", {}, make("figcaption", {}, title, caption), svg);
  const chart = { figure, caption, plot, xName, yName, svg, title };
  chart.setAxes = (x, y) => setAxes(chart, x, y);
  return chart;
}

function setAxes(chart, x, y) {
  const span = ([low, high]) => high - low || 1;
  const placeX = (v) => EDGE.left + ((v - x[0]) / span(x)) * (WIDTH - EDGE.left - EDGE.right);
  const placeY = (v) => HEIGHT - EDGE.bottom - ((v - y[0]) / span(y)) * (HEIGHT - EDGE.top - EDGE.bottom);
  const inside = (v, [low, high]) => Math.min(Math.max(v, low), high);
  chart.place = (a, b) => [placeX(inside(a, x)), placeY(inside(b, y))];
  chart.x = x;
  chart.bottom = HEIGHT - EDGE.bottom;
  const base = HEIGHT - EDGE.bottom;
  const grid = niceTicks(y).map((v) => [
    draw("line", { class: "grid", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: placeY(v), y2: placeY(v) }),
    draw("text", { x: EDGE.left - 6, y: placeY(v) + 4, "text-anchor": "end" }, showTick(v)),
  ]);
  const below = niceTicks(x).map((v) => [
    draw("line", { class: "grid", x1: placeX(v), x2: placeX(v), y1: base, y2: base + 4 }),
    draw("text", { x: placeX(v), y: base + 16, "text-anchor": "middle" }, showTick(v)),
  ]);
  const names = [
    draw("text", { x: (EDGE.left + WIDTH - EDGE.right) / 2, y: HEIGHT - 4, "text-anchor": "middle" }, chart.xName),
    draw("text", { x: 10, y: (EDGE.top + base) / 2, "text-anchor": "middle",
      transform: `rotate(-90 10 ${(EDGE.top + base) / 2})` }, chart.yName),
  ];
  chart.plot.replaceChildren(...grid.flat(), ...below.flat(), ...names);
}

function showTick(value) {
  return Math.abs(value) >= 1e4 ? value.toExponential(0) : String(value);
}

function addCurve(chart, points, kind = "curve") {
  const [low, high] = chart.x;
  const known = points.filter(([x, y]) => x !== null && y !== null && x >= low && x <= high);
  const path = known.map(([x, y], i) => {
    const [a, b] = chart.place(x, y);
    return `${i ? "L" : "M"}${a.toFixed(1)} ${b.toFixed(1)}`;
  });
  chart.plot.append(draw("path", { class: kind, d: path.join("") }));
}

/** A mark on a chart: a square for the chosen threshold, a dot for the one that moves. */
function addMark(chart, [x, y], kind) {
  if (x === null || y === null) return;
  const [a, b] = chart.place(x, y);
  const shape = kind === "chosen"
    ? draw("rect", { class: kind, x: a - 6.5, y: b - 6.5, width: 13, height: 13 })
    : draw("circle", { class: kind, cx: a, cy: b, r: 5.5 });
  chart.plot.append(shape);
}

/** A line from a point down to the axis. */
function addDrop(chart, [x, y]) {
  const [a, b] = chart.place(x, y);
  chart.plot.append(draw("line", { class: "at", x1: a, x2: a, y1: b, y2: chart.bottom }));
}
