// Puts the parts of the page together.

function main() {
  const data = JSON.parse(document.getElementById("data").textContent);
  if (data.labels.length) showParts(data);
  const titles = [...document.querySelectorAll("main section[id]:not([hidden]) > h2")];
  document.getElementById("contents").append(...titles.map((title) => (
    make("li", {}, make("a", { href: `#${title.parentElement.id}` }, title.parentElement.dataset.short))
  )));
}

function showParts(data) {
  const at = (id) => document.getElementById(id);
  const show = (...ids) => ids.forEach((id) => { at(id).hidden = false; });
  const several = data.labels.length > 1;
  show("threshold", "wishes");
  if (data.kind !== "multiclass") showCounts(at("counts"), data);
  const showLabel = bindThreshold(data);
  let mark = () => {};
  const choose = (index) => {
    showLabel(index);
    showCalibration(data.labels[index]);
    mark(index);
  };
  if (several) {
    show("label-field", "labels");
    const classes = data.kind === "multiclass";
    at("label-name").textContent = classes ? "Class" : "Label";
    at("labels-title").textContent = `${showCount(data.labels.length)} ${classes ? "classes" : "labels"}`;
    at("label").append(...data.labels.map(({ name }, value) => make("option", { value }, name)));
    at("label").addEventListener("change", (event) => choose(Number(event.target.value)));
    mark = bindLabels(data, (index) => {
      choose(index);
      at("threshold").scrollIntoView();
      at("slider").focus({ preventScroll: true });
    });
  }
  if (data.labels.some((label) => label.bins.length)) show("calibration");
  choose(0);
}

/** The four counts at the chosen thresholds, over all labels together. */
function showCounts(place, data) {
  const sum = { tp: 0, fp: 0, fn: 0, tn: 0 };
  for (const label of data.labels) {
    const errors = errorsAt(label, label.chosen);
    for (const name of Object.keys(sum)) sum[name] += errors[name];
  }
  const cell = (name, what, kind) => (
    make("td", kind ? { class: kind } : {}, make("b", { id: `all-${name}` }, showCount(sum[name])), what)
  );
  const head = (...texts) => texts.map((text) => make("th", { scope: "col" }, text));
  place.append(make("table", {},
    make("thead", {}, make("tr", {}, ...head("flagged", "not flagged"))),
    make("tbody", {},
      make("tr", {}, cell("tp", "found cases", "right"), cell("fn", "missed cases")),
      make("tr", {}, cell("fp", "false alarms"), cell("tn", "rightly left alone", "right"))),
  ));
  const [first] = data.labels;
  const note = data.labels.length > 1
    ? "Over all labels together."
    : `Cases are the rows of “${first.name}”; flagged rows are predicted to be.`;
  place.append(make("p", { class: "note" }, note));
  place.hidden = false;
}

function showCalibration(label) {
  const chart = makeChart(`Calibration of ${label.name}`, "mean probability", "share of cases");
  chart.setAxes([0, 1], [0, 1]);
  addCurve(chart, [[0, 0], [1, 1]], "level");
  addCurve(chart, label.bins.map(([p, share]) => [p, share]));
  for (const [p, share, rows] of label.bins) {
    const [cx, cy] = chart.place(p, share);
    const title = draw("title", {}, `${showCount(rows)} rows: probability ${showRate(p)}, share ${showRate(share)}`);
    chart.plot.append(draw("circle", { class: "bin", cx, cy, r: 5 }, title));
  }
  const rows = label.bins.reduce((sum, bin) => sum + bin[2], 0);
  chart.caption.textContent = rows ? `${showCount(rows)} rows in ${label.bins.length} groups of equal size` : "No probabilities.";
  document.getElementById("calibration-chart").replaceChildren(chart.figure);
}
