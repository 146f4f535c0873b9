// The threshold that moves, and everything that follows from it.

/** Bind the slider; returns a function that shows another label. */
function bindThreshold(data) {
  const at = (id) => document.getElementById(id);
  const charts = {
    rates: makeChart("Precision and recall", "recall", "precision"),
    level: makeChart(`${data.measure} along the threshold`, "threshold", "value"),
    cost: makeChart("Cost along the threshold", "threshold", "cost"),
  };
  at("charts").append(...Object.values(charts).map((chart) => chart.figure));
  const tiles = makeTiles(at("tiles"), data.measure);
  const state = { label: data.labels[0], cut: 0, touched: false };

  function numbers(cut) {
    const errors = errorsAt(state.label, cut);
    const costs = { fn: positive(tiles.costFn, 1), fp: positive(tiles.costFp, 1) };
    const beta = positive(tiles.beta, 1);
    return {
      ...errors,
      threshold: state.label.thresholds[cut],
      measure: measureAt(state.label, cut, data.zeroDivision),
      f: fBeta(errors, beta),
      cost: costAt(errors, costs),
      beta,
    };
  }

  function moveTo(cut) {
    state.cut = cut;
    const now = numbers(cut);
    at("slider").value = cut;
    at("slider").setAttribute("aria-valuetext", `threshold ${now.threshold}`);
    at("exact").value = now.threshold;
    at("reset").disabled = cut === state.label.chosen;
    at("sentence").textContent = inWords(now, state.label.counted);
    tiles.show(now);
    drawCharts(charts, state, numbers);
  }

  function showLabel(index) {
    state.label = data.labels[index];
    at("label").value = index;
    at("slider").max = state.label.thresholds.length - 1;
    markChosen(at("chosen-place"), state.label);
    at("threshold-note").textContent = thresholdNote(data, state.label);
    if (!state.touched) {
      const value = measureAt(state.label, state.label.chosen, data.zeroDivision);
      const costs = startCosts(state.label, value);
      tiles.costFn.value = costs.fn;
      tiles.costFp.value = costs.fp;
    }
    moveTo(state.label.chosen);
    bindWishes(state, moveTo);
  }

  at("slider").addEventListener("input", (event) => moveTo(Number(event.target.value)));
  at("exact").addEventListener("change", (event) => {
    const wanted = Number(event.target.value);
    moveTo(event.target.value.trim() && Number.isFinite(wanted) ? nearestCut(state.label, wanted) : state.cut);
  });
  at("reset").addEventListener("click", () => moveTo(state.label.chosen));
  for (const input of [tiles.beta, tiles.costFn, tiles.costFp]) {
    input.addEventListener("input", () => {
      state.touched ||= input !== tiles.beta;
      moveTo(state.cut);
    });
  }
  return showLabel;
}

/** Put a mark below the slider where the chosen threshold is; its thumb is 16 pixels wide. */
function markChosen(mark, label) {
  const share = label.chosen / Math.max(label.thresholds.length - 1, 1);
  mark.style.left = `calc(8px + ${share} * (100% - 16px))`;
}

/** The number in a field, or what stands for it where there is none. */
function positive(input, otherwise) {
  const value = Number(input.value);
  return input.value !== "" && value >= 0 ? value : otherwise;
}

function thresholdNote(data, label) {
  const chosen = label.thresholds[label.chosen];
  const parts = [`Chosen: ${chosen}`];
  if (label.spread !== null) parts.push(` (the folds would choose within about ±${label.spread.toPrecision(2)})`);
  parts.push(". ");
  if (data.kind === "multiclass") {
    parts.push("A row is given the class that is furthest above its threshold; this moves the threshold of one ");
    parts.push("class while the others stay, and shows what becomes of that class. ");
  }
  if (label.possible > label.thresholds.length) {
    parts.push(`The slider stops at ${showCount(label.thresholds.length)} of ${showCount(label.possible)} `);
    parts.push("possible thresholds; the numbers are exact at each of them.");
  }
  return parts.join("");
}

/** The tiles with their fields. */
function makeTiles(place, measure) {
  const field = (id, label, value) => fill(
    make("input", { id, type: "number", min: 0, step: "any", "aria-label": label }), { value }, [],
  );
  const beta = field("beta", "beta of F-beta", 2);
  const costFn = field("cost-fn", "cost of a missed case", 1);
  const costFp = field("cost-fp", "cost of a false alarm", 1);
  const shown = {};
  const tile = (name, what, wide = "") => {
    shown[name] = make("data", { id: name });
    place.append(make("div", { class: `tile${wide}` }, make("p", { class: "what" }, ...what), shown[name]));
  };
  tile("measure", [measure]);
  tile("precision", ["Precision"]);
  tile("recall", ["Recall"]);
  tile("f", ["F-beta, beta =", beta]);
  tile("flagged", ["Flagged"]);
  tile("tp", ["Found cases"]);
  tile("fn", ["Missed cases"]);
  tile("fp", ["False alarms"]);
  tile("cost", ["Cost, if a missed case costs", costFn, "and a false alarm", costFp], " wide");
  const rates = ["measure", "precision", "recall", "f"];
  const show = (now) => {
    for (const [name, element] of Object.entries(shown)) {
      element.value = now[name] === null ? "" : String(now[name]);
      element.textContent = rates.includes(name) ? showRate(now[name]) : showCount(now[name]);
    }
  };
  return { beta, costFn, costFp, show };
}

function drawCharts(charts, state, numbers) {
  const label = state.label;
  const all = label.thresholds.map((_, cut) => numbers(cut));
  const now = all[state.cut];
  const chosen = all[label.chosen];
  const x = thresholdAxis(label);

  const values = all.map((one) => one.measure ?? 0);
  const money = Math.min(...values) < -1 || Math.max(...values) > 1;
  const range = money ? [Math.min(...values), Math.max(...values)] : [Math.min(0, ...values), 1];
  charts.rates.setAxes([0, 1], [0, 1]);
  addCurve(charts.rates, equalF(now.f, now.beta), "level");
  addCurve(charts.rates, all.map((one) => [one.recall, one.precision]));
  charts.rates.caption.textContent = `dotted: equal F at beta ${now.beta}`;
  charts.level.setAxes(x, range);
  if (!money) addCurve(charts.level, all.map((one) => [one.threshold, one.f]), "curve second");
  addCurve(charts.level, all.map((one) => [one.threshold, one.measure]));
  charts.level.caption.textContent = money ? "" : `dashed: F at beta ${now.beta}`;
  charts.cost.setAxes(x, [0, Math.max(...all.map((one) => one.cost)) || 1]);
  addCurve(charts.cost, all.map((one) => [one.threshold, one.cost]));
  const cheapest = all.reduce((best, one) => (one.cost < best.cost ? one : best));
  charts.cost.caption.textContent = `least: ${showCount(cheapest.cost)} at ${cheapest.threshold}`;

  const points = {
    rates: (one) => [one.recall, one.precision],
    level: (one) => [one.threshold, one.measure ?? one.f],
    cost: (one) => [one.threshold, one.cost],
  };
  for (const [name, point] of Object.entries(points)) {
    if (name !== "rates") addDrop(charts[name], point(now));
    addMark(charts[name], point(chosen), "chosen");
    addMark(charts[name], point(now), "now");
  }
}

/** Where thresholds are worth a look: few rows score beyond these ends. */
function thresholdAxis(label) {
  const last = label.thresholds.length - 1;
  const low = label.thresholds[Math.floor(0.02 * last)];
  const high = label.thresholds[Math.ceil(0.98 * last)];
  const chosen = label.thresholds[label.chosen];
  return [Math.min(low, chosen), Math.max(high, chosen)];
}

/** The points of precision and recall that share a value of F-beta. */
function equalF(value, beta) {
  const weight = beta * beta;
  const points = [];
  for (let k = 1; k <= 100; k++) {
    const recall = k / 100;
    const below = (1 + weight) * recall - weight * value;
    const precision = (value * recall) / below;
    if (value > 0 && below > 0 && precision <= 1) points.push([recall, precision]);
  }
  return points;
}

/** What a budget of flagged rows, or a floor under precision, would get. */
function bindWishes(state, moveTo) {
  const at = (id) => document.getElementById(id);
  const label = state.label;
  const wish = (field, start, find, nothing) => {
    const input = at(field);
    const answer = () => {
      const limit = Number(input.value);
      const cut = input.value === "" ? -1 : find(label, limit);
      at(`${field}-use`).disabled = cut < 0;
      at(`${field}-use`).onclick = () => {
        moveTo(cut);
        at("threshold").scrollIntoView();
      };
      at(`${field}-answer`).textContent = cut < 0 ? nothing : describe(label, cut);
    };
    input.value = start;
    input.oninput = answer;
    answer();
  };
  const chosen = errorsAt(label, label.chosen);
  wish("budget", Math.max(1, Math.round(chosen.flagged / 2)), cutWithin, "Give a number of rows.");
  const floor = Math.min(0.99, Math.ceil(20 * ((chosen.precision ?? 0) + 0.05)) / 20);
  wish("floor", floor.toFixed(2), cutAbove, "No threshold reaches that precision.");
}

function describe(label, cut) {
  const errors = errorsAt(label, cut);
  return `${showCount(errors.flagged)} rows are flagged, ${showCount(errors.tp)} of them rightly: precision `
    + `${showRate(errors.precision)}, recall ${showRate(errors.recall)}, at the threshold ${label.thresholds[cut]}.`;
}
