// What follows from the errors of a label at one of its thresholds.

const MONEY = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const COUNT = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

function divide(above, below) {
  return below > 0 ? above / below : null;
}

/** Counts and rates at a cut; a rate that is not defined is null. */
function errorsAt(label, cut) {
  const fn = label.fn[cut];
  const fp = label.fp[cut];
  const tp = label.positives - fn;
  const tn = label.total - label.positives - fp;
  return {
    fn, fp, tp, tn,
    flagged: tp + fp,
    precision: divide(tp, tp + fp),
    recall: divide(tp, label.positives),
  };
}

function fBeta({ fn, fp, tp }, beta) {
  const weight = beta * beta;
  return divide((1 + weight) * tp, (1 + weight) * tp + weight * fn + fp) ?? 0;
}

/** The measure of the classifier: a ratio of affine functions of the errors, or known values. */
function measureAt(label, cut, zeroDivision) {
  if (label.values) return label.values[cut];
  if (!label.ratio) return null;
  const [top, topFn, topFp, bottom, bottomFn, bottomFp] = label.ratio;
  const fn = label.fn[cut] / label.total;
  const fp = label.fp[cut] / label.total;
  const below = bottom + bottomFn * fn + bottomFp * fp;
  return divide(top + topFn * fn + topFp * fp, below) ?? zeroDivision;
}

function costAt({ fn, fp }, costs) {
  return costs.fn * fn + costs.fp * fp;
}

/** What a missed case costs, in false alarms, where the measure has the value that was reached. */
function startCosts(label, value) {
  if (!label.ratio || value === null) return { fn: 1, fp: 1 };
  const [, topFn, topFp, , bottomFn, bottomFp] = label.ratio;
  const costFn = value * bottomFn - topFn;
  const costFp = value * bottomFp - topFp;
  return { fn: costFp > 0 && costFn > 0 ? Number((costFn / costFp).toPrecision(3)) : 1, fp: 1 };
}

/** The cut that flags as many rows as a budget allows; -1 if there is none. */
function cutWithin(label, budget) {
  return label.thresholds.findIndex((_, cut) => errorsAt(label, cut).flagged <= budget);
}

/** The cut of largest recall, of equal ones the most precise, that has a precision; -1 if none. */
function cutAbove(label, floor) {
  let best = -1;
  label.thresholds.forEach((_, cut) => {
    const errors = errorsAt(label, cut);
    const allowed = errors.precision !== null && errors.precision >= floor - 1e-12;
    if (allowed && (best < 0 || errors.tp >= errorsAt(label, best).tp)) best = cut;
  });
  return best;
}

function nearestCut(label, threshold) {
  const distance = (cut) => Math.abs(label.thresholds[cut] - threshold);
  return label.thresholds.reduce((best, _, cut) => (distance(cut) < distance(best) ? cut : best), 0);
}

function showRate(rate) {
  if (rate === null || rate === undefined) return "–";
  return Math.abs(rate) <= 1 ? rate.toFixed(3) : MONEY.format(rate);
}

function showCount(count) {
  return COUNT.format(count);
}

function showShare(share) {
  const rounded = Math.round(100 * share);
  const odd = share > 0 && share < 1 && (rounded === 0 || rounded === 100);
  return odd ? Math.min(Math.max(100 * share, 0.1), 99.9).toFixed(1) : String(rounded);
}

/** A number of things in words, as in "1 flagged row". */
function several(number, what) {
  return `${showCount(number)} ${what}${number === 1 ? "" : "s"}`;
}

function are(number) {
  return `${showCount(number)} ${number === 1 ? "is" : "are"}`;
}

/** The errors in words; of rows with weights shares alone, since their sums are no counts. */
function inWords({ tp, fn, flagged, precision, recall }, counted) {
  if (recall === null) return "None of these rows is a case, so nothing can be found or missed.";
  const missed = `${showShare(1 - recall)} %`;
  if (!(flagged > 0)) return `Nothing is flagged, so ${missed} of the cases are missed.`;
  const right = `${showShare(precision)} %`;
  return counted
    ? `Of ${several(flagged, "flagged row")}, ${are(tp)} right (${right}); ` +
      `of ${several(tp + fn, "case")}, ${are(fn)} missed (${missed}).`
    : `By weight, ${right} of the flagged rows are right, and ${missed} of the cases are missed.`;
}
