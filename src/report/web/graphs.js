// Graphs over frames, drawn by dygraphs: several below each other on one time axis, with one window and one cursor.
import {element, later} from './dom.js';
import {clock, count, digits, score} from './format.js';
import {finite_range, last_frame, stretches} from './curve.js';

/* global Dygraph */

// dygraphs' own legend is HTML with inline styles, which the pages' policy forbids. Values stand beside a graph's title instead.
Dygraph.PLUGINS = Dygraph.PLUGINS.filter((plugin) => plugin !== Dygraph.Plugins.Legend);

const COLOURS = 7;  // of data, in app.css: --data-0 ...
const GRAPH_HEIGHT_PX = 170;
const AXIS_WIDTH_PX = 64;
const SMALLEST_WINDOW = 4;  // frames

function style_of(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// One series' colour, light or dark as the page is.
export function data_colour(place) {
  return style_of(`--data-${place % COLOURS}`);
}

// One graph. series: [{name, curve, colour, dashed, line}], where `line` is the side of a stretch that its line follows: 'low' or 'high'.
// marks: frames with a dashed line; from_zero: the axis has 0 in it.
class FrameGraph {
  constructor(owner, {title, note, series, marks = [], decimals = 3, from_zero = false, fetch_detail = null, description}) {
    this.owner = owner;
    this.series = series.map((one) => ({...one, detail: null}));
    Object.assign(this, {marks, decimals, from_zero});
    this.fetch_detail = fetch_detail;
    this.wanted = 0;
    this.value = element('output', {class: 'value'});
    this.canvas = element('div', {class: 'graph', tabindex: 0, role: 'img', 'aria-label': description,
      onkeydown: (event) => owner.key(event)});
    this.note = element('p', {class: 'note'});
    this.node = element('figure', {class: 'frame-graph'},
      element('figcaption', {}, element('strong', {}, title), element('span', {class: 'note'}, note), this.value), this.canvas, this.note);
  }

  // Infinities have no place on an axis: they are drawn a little outside of what is finite, and named as what they are.
  place_infinities() {
    const [low, high] = finite_range(this.series.map((one) => one.curve));
    const margin = high * 0.06 - low * 0.06 || Math.abs(high) * 0.06 || 1;
    const above = Math.min(high + margin, Number.MAX_VALUE), below = Math.max(low - margin, -Number.MAX_VALUE);
    this.shown = (value) => (value === Infinity ? above : value === -Infinity ? below : value);
    const infinite = this.series.some(({curve}) => curve.low.includes(-Infinity) || curve.high.includes(Infinity));
    this.note.textContent = infinite ? 'Infinite values are drawn at the edge.' : '';
  }

  // Stretches of frames are drawn as steps, frames as points of a line.
  in_steps() {
    return this.series.every(({curve, detail}) => !(detail ?? curve).exact);
  }

  draw() {
    this.place_infinities();
    const text = (frame) => (Number.isInteger(frame) ? `${count(frame)}${this.owner.fps ? `\n${clock(frame / this.owner.fps)}` : ''}` : '');
    this.dygraph = new Dygraph(this.canvas, this.rows(), {
      labels: ['frame', ...this.series.map((_, i) => `series ${i}`)],  // dygraphs reads labels as HTML: names from outside stay out of it
      colors: this.series.map((one) => one.colour), series: Object.fromEntries(this.series.map((one, i) =>
        [`series ${i}`, {strokePattern: one.dashed ? [6, 3] : null}])),
      customBars: true, fillAlpha: 0.25, strokeWidth: 1.3, connectSeparatedPoints: false, highlightCircleSize: 4,
      dateWindow: this.owner.padded(), includeZero: this.from_zero, stepPlot: this.in_steps(),
      gridLineColor: style_of('--grid'), axisLineColor: style_of('--grid'), axisLabelFontSize: 12, xAxisHeight: 38, xRangePad: 0,
      yRangePad: 6,
      axes: {x: {axisLabelFormatter: text, axisLabelWidth: 80, pixelsPerLabel: 110},
             y: {axisLabelWidth: AXIS_WIDTH_PX, axisLabelFormatter: (value) => String(Number(value.toPrecision(6))), pixelsPerLabel: 20}},
      underlayCallback: (context, area, graph) => this.draw_marks(context, area, graph),
      drawCallback: (graph, first) => { if (!first) this.owner.drawn(graph.isZoomed('x') ? graph.xAxisRange() : null); },
      highlightCallback: (event, frame) => this.owner.point_at(frame),
      unhighlightCallback: () => this.owner.point_at(null),
    });
  }

  rows() {
    this.lists = this.series.map((one) => stretches(one.curve, one.detail));
    const bar = ({low, high}, line) => (Number.isNaN(low) ? [NaN, NaN, NaN]
      : [this.shown(low), this.shown(line === 'high' ? high : low), this.shown(high)]);
    const rows = this.lists[0].map((stretch, i) => [stretch.frame, ...this.lists.map((list, s) => bar(list[i], this.series[s].line))]);
    return rows.length ? rows : [[0, ...this.series.map(() => [NaN, NaN, NaN])]];
  }

  draw_marks(context, area, graph) {
    context.save();
    context.strokeStyle = style_of('--mark');
    context.setLineDash([3, 3]);
    for (const frame of this.marks) {
      const x = graph.toDomXCoord(frame);
      if (x < area.x || x > area.x + area.w) continue;
      context.beginPath();
      context.moveTo(x, area.y);
      context.lineTo(x, area.y + area.h);
      context.stroke();
    }
    context.restore();
  }

  stretch_at(frame) {
    const list = this.lists[0];
    let low = 0, high = list.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (list[middle].frame <= frame) low = middle; else high = middle - 1;
    }
    return list.length ? low : -1;
  }

  show_cursor(frame) {
    const row = frame === null ? -1 : this.stretch_at(frame);
    if (row < 0) {
      this.value.textContent = this.value.title = '';
      this.dygraph.clearSelection();
      return;
    }
    const several = this.series.length > 1;
    this.value.textContent = this.lists.map((list, s) => {
      const {low, high} = list[row];
      const text = low === high || Number.isNaN(low) ? score(low, this.decimals)
        : `${score(low, this.decimals)} … ${score(high, this.decimals)}`;
      return several ? `${this.series[s].name} ${text}` : text;
    }).join('   ');
    // the ends of a stretch are rounded already, values of frames are not
    this.value.title = this.lists.map((list) => (list[row].from === list[row].last ? digits(list[row].low) : '')).join('   ').trim();
    this.dygraph.setSelection(row);
  }

  // Exact values for a window of an envelope, from a server; a window over nearly all frames has the envelope alone.
  async refine(first, last) {
    const {curve, detail} = this.series[0];
    if (!this.fetch_detail) return;
    if (curve.exact || last - first + 1 >= (last_frame(curve) - curve.first) * 0.9) {
      this.wanted++;
      if (detail !== null) this.show_detail(null);
      return;
    }
    const inside = detail !== null && first >= detail.first && last <= last_frame(detail);
    if (inside && (detail.exact || (last - first) * 2 > last_frame(detail) - detail.first)) return;
    const wanted = ++this.wanted;
    const finer = await this.fetch_detail(first, last);
    if (wanted === this.wanted && this.dygraph) this.show_detail({...finer, end: last});
  }

  show_detail(detail) {
    this.series[0].detail = detail;
    this.dygraph.updateOptions({file: this.rows(), stepPlot: this.in_steps()});
    this.canvas.dataset.exact = detail?.exact ?? false;
  }

  // Newer curves and marks; stored: what the detail shows is part of them.
  replace({series, marks = [], description}, stored) {
    series.forEach((one, i) => Object.assign(this.series[i], one, stored ? {} : {detail: null}));
    this.marks = marks;
    this.canvas.setAttribute('aria-label', description);
    this.place_infinities();
    this.dygraph.updateOptions({file: this.rows(), stepPlot: this.in_steps(), dateWindow: this.owner.padded()});
  }
}

// The graphs of one clip. frames: how many there are; fps: null where unknown.
export class FrameGraphs {
  constructor({frames, fps}) {
    this.frames = Math.max(frames, 1);
    this.fps = fps;
    this.window = [0, this.frames - 1];
    this.cursor = null;
    this.graphs = [];
    this.refine = later(() => this.refine_now(), 120);
    this.place = element('output', {class: 'place'});
    this.from = element('input', {type: 'number', min: 0, class: 'frame-number', onchange: () => this.typed()});
    this.to = element('input', {type: 'number', min: 0, class: 'frame-number', onchange: () => this.typed()});
    const button = (text, help, act) => element('button', {type: 'button', title: help, onclick: act}, text);
    this.toolbar = element('div', {class: 'toolbar', role: 'group', 'aria-label': 'Which frames the graphs show'},
      button('All frames', 'Show the whole clip (key 0, or a double click)', () => this.show_all()),
      button('Zoom in', 'Half as many frames (key +)', () => this.zoom(0.5)),
      button('Zoom out', 'Twice as many frames (key −)', () => this.zoom(2)),
      button('Earlier', 'Half a window back (Page Up)', () => this.shift(-0.5)),
      button('Later', 'Half a window on (Page Down)', () => this.shift(0.5)),
      element('label', {}, 'Frames ', this.from), element('label', {}, 'to ', this.to), this.place);
    this.list = element('div', {class: 'graphs'});
    this.node = element('div', {class: 'frame-graphs'}, this.toolbar, this.list,
      element('p', {class: 'note'}, 'Drag across a graph to zoom, double-click to see all. With the keyboard: arrows move the cursor, + and − zoom, ' +
        'Page Up and Page Down move the window, 0 shows all frames. Where a graph has fewer points than the clip has frames, the band reaches from ' +
        'the smallest to the largest value of each stretch and the line follows its worst value, so that no single frame is hidden.'));
    this.show_window();
  }

  set_graphs(definitions) {
    this.destroy();
    this.graphs = definitions.map((definition) => new FrameGraph(this, definition));
    this.list.replaceChildren(...this.graphs.map((graph) => graph.node));
    this.draw();
    this.refine();
  }

  // REQUIRES: the node is in the page, where its width is known.
  draw() {
    for (const graph of this.graphs) {
      graph.canvas.style.height = `${GRAPH_HEIGHT_PX}px`;
      graph.draw();
    }
  }

  destroy() {
    for (const graph of this.graphs) graph.dygraph?.destroy();
    this.graphs = [];
  }

  padded() {
    const margin = Math.max((this.window[1] - this.window[0]) * 0.004, 0.5);
    return [this.window[0] - margin, this.window[1] + margin];
  }

  set_window(first, last) {
    const length = Math.min(Math.max(Math.round(last - first), SMALLEST_WINDOW - 1, 0), this.frames - 1);
    const start = Math.min(Math.max(Math.round(first), 0), this.frames - 1 - length);
    this.window = [start, start + length];
    this.show_window();
    this.updating = true;
    for (const graph of this.graphs) graph.dygraph.updateOptions({dateWindow: this.padded()});
    this.updating = false;
    this.refine();
  }

  show_window() {
    [this.from.value, this.to.value] = this.window;
    this.from.max = this.to.max = this.frames - 1;
  }

  // A graph was drawn anew, maybe with another window, by the mouse; null: a double click asked for all frames.
  drawn(range) {
    if (this.updating) return;
    if (range === null) {
      this.show_all();
      return;
    }
    const [first, last] = range, [padded_first, padded_last] = this.padded();
    if (Math.abs(first - padded_first) < 1e-6 && Math.abs(last - padded_last) < 1e-6) return;
    this.set_window(Math.ceil(first), Math.floor(last));
  }

  show_all() {
    this.set_window(0, this.frames - 1);
    this.updating = true;
    for (const graph of this.graphs) graph.dygraph.updateOptions({valueRange: null});
    this.updating = false;
  }

  zoom(factor) {
    const [first, last] = this.window;
    const centre = this.cursor !== null && this.cursor >= first && this.cursor <= last ? this.cursor : (first + last) / 2;
    this.set_window(centre - (centre - first) * factor, centre + (last - centre) * factor);
  }

  shift(part) {
    const by = Math.max(1, Math.round((this.window[1] - this.window[0] + 1) * Math.abs(part))) * Math.sign(part);
    this.set_window(this.window[0] + by, this.window[1] + by);
  }

  typed() {
    const first = Number(this.from.value), last = Number(this.to.value);
    if (Number.isFinite(first) && Number.isFinite(last) && first <= last) this.set_window(first, last);
    else this.show_window();
  }

  // Shows a frame in the middle of a narrow window, with the cursor on it.
  look_at(frame) {
    const half = Math.min(50, Math.floor(this.frames / 2));
    this.set_window(frame - half, frame + half);
    this.point_at(frame);
  }

  point_at(frame) {
    if (this.pointing) return;
    this.pointing = true;
    this.cursor = frame;
    for (const graph of this.graphs) graph.show_cursor(frame);
    this.place.textContent = frame === null ? '' : this.place_text(frame);
    this.pointing = false;
  }

  place_text(frame) {
    const graph = this.graphs[0];
    const {from, last} = graph?.lists[0][graph.stretch_at(frame)] ?? {from: frame, last: frame};
    const time = this.fps ? ` at ${clock(from / this.fps, 3)}` : '';
    return from === last ? `frame ${count(from)}${time}` : `frames ${count(from)} to ${count(last)}${time}`;
  }

  move_cursor(by) {
    const graph = this.graphs[0], list = graph.lists[0];
    if (!list.length) return;
    const wanted = this.cursor === null ? graph.stretch_at(this.window[by > 0 ? 0 : 1]) : graph.stretch_at(this.cursor) + by;
    const {frame} = list[Math.min(Math.max(wanted, 0), list.length - 1)];
    if (this.cursor !== null && (frame < this.window[0] || frame > this.window[1])) {
      this.set_window(this.window[0] + frame - this.cursor, this.window[1] + frame - this.cursor);
    }
    this.point_at(frame);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const acts = {__proto__: null, ArrowLeft: () => this.move_cursor(-1), ArrowRight: () => this.move_cursor(1), '+': () => this.zoom(0.5),
      '=': () => this.zoom(0.5),
      '-': () => this.zoom(2), 0: () => this.show_all(), PageUp: () => this.shift(-0.5), PageDown: () => this.shift(0.5),
      Escape: () => this.point_at(null)};
    if (!(event.key in acts)) return;
    acts[event.key]();
    event.preventDefault();
  }

  refine_now() {
    for (const graph of this.graphs) graph.refine(...this.window).catch((error) => { graph.note.textContent = error.message; });
  }

  // More frames than before, of a clip that is being scored, or (not stored) other values in the place of those before. A window over all
  // of them grows with them. definitions: as set_graphs() was given, of the same graphs.
  grow(frames, definitions, stored) {
    const all = this.window[0] === 0 && this.window[1] === this.frames - 1;
    this.frames = Math.max(frames, 1);
    this.window = all ? [0, this.frames - 1] : this.window.map((frame) => Math.min(frame, this.frames - 1));
    this.show_window();
    this.updating = true;
    this.graphs.forEach((graph, i) => graph.replace(definitions[i], stored));
    this.updating = false;
    this.refine();
  }
}
