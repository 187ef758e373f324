// Small still charts in SVG: points over an axis of numbers, and bars.
import {svg} from './dom.js';

const COLOURS = 7;  // of data, in app.css: .data-0 ...
const MARGIN = {left: 64, right: 16, top: 12, bottom: 40};

// Round numbers between two ends, about `wanted` of them.
export function ticks(low, high, wanted = 6) {
  if (!(high > low)) return [low];
  const rough = (high - low) / wanted;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((factor) => factor * unit >= rough) * unit;
  const list = [];
  for (let i = Math.ceil(low / step); i * step <= high + step * 1e-9; i++) list.push(Number((i * step).toPrecision(12)));
  return list;
}

// 1, 2 and 5 times the powers of ten between two ends.
function log_ticks(low, high) {
  const list = [];
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power++) {
    for (const factor of [1, 2, 5]) if (factor * 10 ** power >= low && factor * 10 ** power <= high) list.push(factor * 10 ** power);
  }
  return list.length >= 2 ? list : ticks(low, high);
}

const MARKS = [
  (x, y) => svg('circle', {cx: x, cy: y, r: 4}), (x, y) => svg('rect', {x: x - 4, y: y - 4, width: 8, height: 8}),
  (x, y) => svg('path', {d: `M${x} ${y - 5}l5 9h-10z`}), (x, y) => svg('path', {d: `M${x} ${y - 5}l5 5-5 5-5-5z`}),
];

// series: [{name, points: [{x, y, label}], line}]; x and y: {title, text(value), log}. Series differ by colour and by the shape of their marks.
export function xy_chart({series, x, y, width = 720, height = 320, description}) {
  const points = series.flatMap((one) => one.points);
  const span = (list, log) => {
    const low = Math.min(...list), high = Math.max(...list);
    const margin = log ? 0 : (high - low) * 0.06 || Math.abs(high) * 0.05 || 1;
    return log ? [low / 1.1, high * 1.1] : [low - margin, high + margin];
  };
  const along_x = span(points.map((point) => point.x), x.log), along_y = span(points.map((point) => point.y), false);
  const scale = ([low, high], start, end, log) => (value) => {
    const part = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
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
