// Small still charts in SVG: points over an axis of numbers, and bars.
import {element, svg} from './dom.js';

const COLOURS = 7;  // of data, in app.css: .data-0 ...
const MARGIN = {left: 64, right: 16, top: 12, bottom: 40};

// Round numbers between two ends, about `wanted` of them; none where an end is no number. Where the ends are so close that their
// difference is near the last digit, i * step may give the same number twice: it is there once.
export function ticks(low, high, wanted = 6) {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [];
  if (!(high > low)) return [low];
  const rough = high / wanted - low / wanted;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * unit >= rough) ?? 10) * unit;
  if (!(step > 0)) return [low, high];
  const first = Math.ceil(low / step), list = [];
  for (let i = 0; i <= 2 * wanted; i++) {
    const exact = (first + i) * step, round = Number(exact.toPrecision(12));
    if (exact - high > step * 1e-9) break;
    const value = round >= low && round <= high ? round : exact;
    if (list.length === 0 || value > list.at(-1)) list.push(value);
  }
  return list;
}

// 1, 2 and 5 times the powers of ten between two ends; over many powers, only powers.
export function log_ticks(low, high) {
  if (!(low > 0 && high < Infinity)) return ticks(low, high);
  const first = Math.floor(Math.log10(low)), powers = Math.floor(Math.log10(high)) - first + 1;
  const step = Math.max(1, Math.ceil(powers / 10)), factors = powers <= 4 ? [1, 2, 5] : [1];
  const list = [];
  for (let i = 0; i < powers; i += step) {
    list.push(...factors.map((factor) => factor * 10 ** (first + i)).filter((value) => value >= low && value <= high));
  }
  return list.length >= 2 ? list : ticks(low, high);
}

function ends_of(numbers) {
  let low = Infinity, high = -Infinity;
  for (const number of numbers) {
    low = Math.min(low, number);
    high = Math.max(high, number);
  }
  return [low, high];
}

// The ends of an axis around numbers: finite, and apart by more than the last digit.
function axis_around(numbers, log) {
  const [low, high] = ends_of(numbers), largest = Number.MAX_VALUE;
  if (log) return [low / 1.1, Math.min(high * 1.1, largest)];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const margin = low === high ? size * 0.05 || 1 : Math.max(high * 0.06 - low * 0.06, size * 1e-9, 1e-300);
  return [Math.max(low - margin, -largest), Math.min(high + margin, largest)];
}

const MARKS = [
  (x, y) => svg('circle', {cx: x, cy: y, r: 4}), (x, y) => svg('rect', {x: x - 4, y: y - 4, width: 8, height: 8}),
  (x, y) => svg('path', {d: `M${x} ${y - 5}l5 9h-10z`}), (x, y) => svg('path', {d: `M${x} ${y - 5}l5 5-5 5-5-5z`}),
];

// series: [{name, points: [{x, y, label}], line}]; x and y: {title, text(value), log}. Points that have no place on the axes are left out.
// Series differ by colour and by the shape of their marks.
export function xy_chart({series: given, x, y, width = 720, height = 320, description}) {
  const has_place = (point) => Number.isFinite(point.x) && Number.isFinite(point.y) && (!x.log || point.x > 1e-300);
  const series = given.map((one) => ({...one, points: one.points.filter(has_place)}));
  const points = series.flatMap((one) => one.points);
  if (!points.length) return element('p', {}, 'No finite values.');
  const along_x = axis_around(points.map((point) => point.x), x.log), along_y = axis_around(points.map((point) => point.y), false);
  const scale = ([low, high], start, end, log) => (value) => {
    // halves: the difference of the largest numbers is none
    const part = log ? Math.log(value / low) / (Math.log(high) - Math.log(low)) : (value / 2 - low / 2) / (high / 2 - low / 2);
    return Number((start + part * (end - start)).toFixed(2));
  };
  const right = width - MARGIN.right, bottom = height - MARGIN.bottom;
  const to_x = scale(along_x, MARGIN.left, right, x.log), to_y = scale(along_y, bottom, MARGIN.top, false);
  const axis_x = (x.log ? log_ticks(...along_x) : ticks(...along_x)).map((value) => [
    svg('line', {class: 'grid', x1: to_x(value), x2: to_x(value), y1: MARGIN.top, y2: bottom}),
    svg('text', {x: to_x(value), y: bottom + 16, 'text-anchor': 'middle'}, x.text(value))]);
  const axis_y = ticks(...along_y).map((value) => [
    svg('line', {class: 'grid', x1: MARGIN.left, x2: right, y1: to_y(value), y2: to_y(value)}),
    svg('text', {x: MARGIN.left - 6, y: to_y(value) + 4, 'text-anchor': 'end'}, y.text(value))]);
  const drawn = series.map((one, i) => svg('g', {class: `data-${i % COLOURS}`},
    one.line !== false && one.points.length > 1
      ? svg('path', {class: 'line', d: one.points.map((p, k) => `${k ? 'L' : 'M'}${to_x(p.x)} ${to_y(p.y)}`).join('')}) : null,
    one.points.map((point) => svg('g', {}, svg('title', {}, point.label), MARKS[i % MARKS.length](to_x(point.x), to_y(point.y))))));
  return svg('svg', {class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': description}, axis_x, axis_y, drawn,
    svg('text', {x: (MARGIN.left + right) / 2, y: height - 6, 'text-anchor': 'middle'}, x.title),
    svg('text', {x: 12, y: (MARGIN.top + bottom) / 2, 'text-anchor': 'middle', transform: `rotate(-90 12 ${(MARGIN.top + bottom) / 2})`},
      y.title));
}

// What tells the series of a chart apart, as a line of marks and names.
export function chart_legend(names) {
  return svg('svg', {class: 'legend', width: '100%', height: 20 * Math.ceil(names.length / 4), role: 'list'}, names.map((name, i) =>
    svg('g', {role: 'listitem', class: `data-${i % COLOURS}`, transform: `translate(${12 + (i % 4) * 190} ${20 * Math.floor(i / 4) + 10})`},
      MARKS[i % MARKS.length](0, 0), svg('text', {x: 10, y: 4}, name))));
}

// counts of equal bins from low to high; every bar tells its range and count.
export function histogram({low, high, counts}, text, description) {
  const width = 360, height = 150, bottom = height - 22, left = 8, most = Math.max(...counts, 1);
  const step = (width - 2 * left) / counts.length;
  const edge = (i) => low + ((high - low) * i) / counts.length;
  const bars = counts.map((count, i) => {
    // A single frame among thousands still shows.
    const size = count === 0 ? 0 : Math.max(2, (count / most) * (bottom - 14));
    return svg('rect', {x: (left + i * step).toFixed(2), width: Math.max(step - 1, 0.5).toFixed(2), y: (bottom - size).toFixed(2),
      height: size.toFixed(2)},
      svg('title', {}, `${text(edge(i))} to ${text(edge(i + 1))}: ${count}`));
  });
  return svg('svg', {class: 'histogram', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': description}, bars,
    svg('line', {class: 'grid', x1: left, x2: width - left, y1: bottom, y2: bottom}),
    svg('text', {x: left, y: height - 6}, text(low)), svg('text', {x: width - left, y: height - 6, 'text-anchor': 'end'}, text(high)),
    svg('text', {x: left, y: 10}, `${most} at most`));
}
