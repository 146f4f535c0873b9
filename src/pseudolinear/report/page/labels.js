// The table of labels: sorted by its headers, filtered by a search.

const COLUMNS = [
  { title: "Name", key: (row) => row.name, order: 1 },
  { title: "Cases", key: (row) => row.positives, show: (row) => showCount(row.positives) },
  { title: "Value", key: (row) => row.value, show: (row) => showRate(row.value) },
  { title: "Interval", key: (row) => row.interval?.[0] ?? null, show: (row) => showInterval(row.interval) },
  { title: "Precision", key: (row) => row.precision, show: (row) => showRate(row.precision) },
  { title: "Recall", key: (row) => row.recall, show: (row) => showRate(row.recall) },
  { title: "Threshold", key: (row) => row.threshold, show: (row) => row.threshold.toPrecision(4) },
  { title: "± over folds", key: (row) => row.spread, show: (row) => row.spread?.toPrecision(2) ?? "–" },
];

function showInterval(interval) {
  return interval ? `${showRate(interval[0])} to ${showRate(interval[1])}` : "–";
}

/** Fill the table; `choose` is told which label is to be looked at. */
function bindLabels(data, choose) {
  const at = (id) => document.getElementById(id);
  const rows = data.labels.map((label, index) => labelRow(data, label, index));
  const columns = COLUMNS.filter((c) => rows.some((row) => c.key(row) !== null));
  const head = make("tr");
  const body = make("tbody");
  at("label-table").replaceChildren(make("thead", {}, head), body);
  for (const row of rows) row.element = makeRow(row, columns, choose);

  const headers = columns.map((column) => {
    const button = make("button", { type: "button" }, column.title);
    const header = make("th", { scope: "col", class: column.show ? "number" : "name" }, button);
    button.addEventListener("click", () => {
      const up = header.getAttribute("aria-sort");
      sortBy(column, up ? up === "descending" : column.order === 1, header);
    });
    return header;
  });
  head.append(...headers);

  function sortBy(column, ascending, header) {
    rows.sort((a, b) => compare(column.key(a), column.key(b), ascending));
    headers.forEach((other) => other.removeAttribute("aria-sort"));
    header.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    body.append(...rows.map((row) => row.element));
  }

  function search() {
    const wanted = at("search").value.trim().toLowerCase();
    for (const row of rows) row.element.hidden = !row.name.toLowerCase().includes(wanted);
    const found = rows.filter((row) => !row.element.hidden).length;
    at("found").textContent = `${showCount(found)} of ${showCount(rows.length)}`;
  }

  at("search").addEventListener("input", search);
  body.append(...rows.map((row) => row.element));
  search();
  return (index) => {
    for (const row of rows) row.element.toggleAttribute("aria-current", row.index === index);
  };
}

function labelRow(data, label, index) {
  const { precision, recall } = errorsAt(label, label.chosen);
  return {
    index, precision, recall,
    name: label.name,
    positives: label.positives,
    value: measureAt(label, label.chosen, data.zeroDivision),
    interval: label.interval,
    threshold: label.thresholds[label.chosen],
    spread: label.spread,
  };
}

function makeRow(row, columns, choose) {
  const button = make("button", { type: "button", title: "Move the threshold of this label" }, row.name);
  button.addEventListener("click", () => choose(row.index));
  const cells = columns.filter((c) => c.show).map((c) => make("td", { class: "number" }, c.show(row)));
  return make("tr", {}, make("th", { scope: "row", class: "name" }, button), ...cells);
}

/** Numbers by size, names by the alphabet, what is unknown last. */
function compare(a, b, ascending) {
  if (a === null || b === null) return (a === null) - (b === null);
  const order = typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b;
  return ascending ? order : -order;
}
