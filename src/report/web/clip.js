// One clip: what is wrong with it, its curves, its distributions and values, its worst frames, and what it was computed from.
import {element, facts, refresh, small_table} from './dom.js';
import {bytes, clock, count, duration, plural, score} from './format.js';
import {decode_curve} from './curve.js';
import {by_interest, decimals_of, feature_note, score_cell, status_mark, WORST_SIDE} from './features.js';
import {data_colour, FrameGraphs} from './graphs.js';
import {histogram} from './chart.js';
import {embedded, read_frames} from './documents.js';
import {WorstFrames} from './worst.js';

const FIRST_GRAPHS = 3;  // features that are shown before the reader chooses

let chosen_names = null;  // the features that the reader chose, kept from clip to clip

function first_choice(features) {
  const named = features.filter((one) => chosen_names?.has(one.name));
  if (named.length) return new Set(named.map((one) => one.feature));
  return new Set(features.slice(0, FIRST_GRAPHS).map((one) => one.feature));
}

function problems(clip) {
  return [
    clip.failures.length ? element('section', {class: 'failed-part'}, element('h2', {}, 'Failures'), element('ul', {class: 'sentences'},
      clip.failures.map((one) => element('li', {}, element('p', {class: 'sentence'}, one.text), element('p', {class: 'note'},
        [one.extractor, one.frame === null ? null : `frame ${count(one.frame)}`].filter((part) => part !== null).join(', ')))))) : null,
    clip.warnings.length ? element('section', {class: 'warned-part'}, element('h2', {}, 'Warnings'), element('ul', {class: 'sentences'},
      clip.warnings.map((one) => element('li', {}, element('p', {class: 'sentence'}, one.text))))) : null,
  ];
}

function about(clip) {
  const file = ({path, size, hash}) => [path, size === null ? '' : ` (${bytes(size)}`, size === null ? '' : hash ? `, hash ${hash})` : ')'];
  const tags = Object.entries(clip.tags).map(([name, value]) => `${name} = ${value}`).join(', ');
  return facts([['Reference', file(clip.reference)], ['Distorted', file(clip.distorted)],
    ['Picture', clip.width ? `${clip.width}x${clip.height} ${clip.pixel_format ?? ''}` : null],
    ['Done to the pictures', clip.treatment || 'nothing'],
    ['Frames', `${count(clip.frames)}${clip.subsample > 1 ? `, every ${clip.subsample}th scored` : ''}`],
    ['Identical frames', clip.identical_frames ? count(clip.identical_frames) : null],
    ['Playing time', clip.duration_s === null ? null : `${clock(clip.duration_s, 3)} at ${clip.fps} frames per second`],
    ['Bit rate', clip.bitrate === null ? null : `${count(Math.round(clip.bitrate / 1000))} kbit/s`], ['Tags', tags],
    ['Label', clip.label]]);
}

function made_with(clip) {
  const speed = clip.seconds > 0 ? `, ${(clip.frames / clip.seconds).toFixed(1)} frames per second` : '';
  return facts([['Options', clip.options], ['Program', clip.program_version],
    ['Scored', `${clip.started_at} to ${clip.ended_at ?? 'now'}, run ${clip.run}`],
    ['Time', clip.seconds === null ? null : `${duration(clip.seconds)}${speed}; decoding ${duration(clip.decode_seconds ?? NaN)}`],
    ['Decoded', clip.decoded_reference === null ? null
      : `reference ${count(clip.decoded_reference)}, distorted ${count(clip.decoded_distorted)} frames`],
    ['Decoder', clip.decoder], ['Processor', clip.processor], ['C library', clip.c_library],
    ['Models', clip.models.map((model) => `${model.name}: ${model.path} ${model.hash.slice(0, 16)}`).join('; ')]]);
}

function backends(clip) {
  const number = true;
  return clip.backends.length ? small_table([{title: 'extractor'}, {title: 'what ran'}, {title: 'backend'}, {title: 'device'},
    {title: 'first frame', number}, {title: 'last frame', number}, {title: 'why not what was asked for'}],
  clip.backends.map((one) => [one.extractor, one.implementation, one.backend, one.device, count(one.first_frame), count(one.last_frame),
    one.reason]),
  'Backends') : null;
}

const POOLED = [['frames', 'frames'], ['mean', 'mean'], ['harmonic_mean', 'harmonic mean'], ['stddev', 'deviation'], ['min', 'min'],
  ['p1', 'p1'], ['p5', 'p5'],
  ['p10', 'p10'], ['p50', 'median'], ['p90', 'p90'], ['p95', 'p95'], ['p99', 'p99'], ['max', 'max'], ['infinite', 'infinite']];

function pooled(clip, summary) {
  const cell = (one, id) => {
    if (one.pooled === null || one.pooled === undefined) return id === 'mean' && one.value !== null ? score_cell(one.value, 6) : '–';
    return id === 'frames' || id === 'infinite' ? count(one.pooled[id]) : score_cell(one.pooled[id], 6);
  };
  return small_table([{title: 'feature'}, ...POOLED.map(([, title]) => ({title, number: true})), {title: 'values'}],
    clip.features.map((one) => [one.name, ...POOLED.map(([id]) => cell(one, id)), feature_note(summary.features[one.feature])]),
    'Pooled values');
}

function description_of(one, curve) {
  const pooled_values = one.pooled ? `mean ${score(one.pooled.mean)}, smallest ${score(one.pooled.min)}, largest ${score(one.pooled.max)}`
    : 'no values';
  const worst = one.worst?.length ? `, worst frame ${one.worst[0].frame}` : '';
  return `${one.name} over ${curve.count} ${curve.exact ? 'frames' : 'stretches of frames'}: ${pooled_values}${worst}`;
}

// The features with curves, in the order of their graphs.
function framed_features({summary, clip}) {
  return by_interest(clip.features.filter((one) => one.curve), summary);
}

function graph_names(documents) {
  return JSON.stringify(framed_features(documents).map((one) => one.name));
}

class ClipView {
  constructor({summary, clip}) {
    this.take({summary, clip});
    this.chosen = first_choice(this.framed);
    this.graphs = new FrameGraphs({frames: this.frame_count(clip), fps: clip.fps});
    this.distributions = element('div', {class: 'distributions'});
    [this.problems, this.about, this.pooled, this.made] = [1, 2, 3, 4].map(() => element('div', {}));
    this.status = element('p', {class: 'clip-status'});
    this.worst = new WorstFrames({clip, summary, look_at: (frame) => this.look_at(frame)});
    this.node = element('div', {class: 'clip'}, element('h1', {}, clip.name), this.status, this.problems, this.about,
      element('h2', {}, 'Over time'), this.framed.length ? [this.chooser(), this.graphs.node] : element('p', {}, 'No values per frame.'),
      this.worst.node, element('h2', {}, 'Distribution'), this.distributions, element('h2', {}, 'Values'), this.pooled,
      element('h2', {}, 'Made with'), this.made);
    this.refresh_texts();
  }

  take({summary, clip}) {
    Object.assign(this, {summary, clip, text: JSON.stringify(clip), framed: framed_features({summary, clip})});
  }

  refresh_texts() {
    const {clip, summary} = this;
    refresh(this.status, this.status_nodes());
    refresh(this.problems, problems(clip));
    refresh(this.about, about(clip));
    refresh(this.pooled, pooled(clip, summary));
    refresh(this.made, backends(clip), made_with(clip));
  }

  // The graphs end where the last curve ends: a clip that failed may have values of more frames than it counts.
  frame_count(clip) {
    const ends = clip.features.filter((one) => one.curve).map(({curve}) => curve.first + curve.count * curve.step);
    return Math.max(clip.frames ?? 0, ...ends.map((end) => Math.min(end, clip.frames ?? end)), 1);
  }

  status_nodes() {
    const {clip} = this;
    return [status_mark(clip.status), ` ${plural(clip.frames ?? 0, 'frame')}`, clip.running !== null && clip.running !== undefined
      ? element('span', {}, ', being scored again') : ''];
  }

  chooser() {
    const box = (one) => element('label', {}, element('input',
      {type: 'checkbox', checked: this.chosen.has(one.feature), value: String(one.feature),
      onchange: (event) => this.choose(one.feature, event.target.checked)}), one.name);
    return element('fieldset', {class: 'chooser'}, element('legend', {}, 'Features'), this.framed.map(box));
  }

  choose(feature, on) {
    if (on) this.chosen.add(feature); else this.chosen.delete(feature);
    chosen_names = new Set(this.shown().map((one) => one.name));
    this.draw();
  }

  shown() {
    return this.framed.filter((one) => this.chosen.has(one.feature));
  }

  series_of(one) {
    const {direction} = this.summary.features[one.feature];
    return [{name: one.name, curve: decode_curve(one.curve), colour: data_colour(this.framed.indexOf(one)), line: WORST_SIDE[direction]}];
  }

  // What the graphs of the chosen features show.
  definitions() {
    const {clip} = this;
    return this.shown().map((one) => {
      const series = this.series_of(one);
      const about = this.summary.features[one.feature];
      return {title: one.name, note: feature_note(about), decimals: decimals_of(about), series,
        marks: one.worst.slice(0, 1).map((worst) => worst.frame),
        description: description_of(one, series[0].curve),
        fetch_detail: embedded ? null : async (first, last) => decode_curve((await read_frames(clip.id, one.feature, first, last)).curve)};
    });
  }

  draw() {
    this.graphs.set_graphs(this.definitions());
    this.draw_distributions();
  }

  draw_distributions() {
    this.distributions.replaceChildren(...this.shown().filter((one) => one.histogram).map((one) => {
      const {low, high, counts, below, above} = one.histogram;
      const outside = [[below, '−∞'], [above, '∞']].filter(([times]) => times).map(([times, text]) =>
        `, ${plural(times, 'frame')} at ${text}`).join('');
      return element('figure', {}, element('figcaption', {}, element('strong', {}, one.name), element('span', {class: 'note'},
        `${plural(counts.length, 'bin')}, frames in each${outside}`)),
      histogram({low: Number(low), high: Number(high), counts}, (value) => score(value),
        `How often ${one.name} has which value, from ${score(low)} to ${score(high)}`));
    }));
  }

  look_at(frame) {
    if (!this.framed.length) return;
    if (this.shown().length === 0) this.choose(this.framed[0].feature, true);
    this.graphs.look_at(frame);
    this.graphs.node.scrollIntoView({block: 'nearest'});
  }

  // Newer documents of the same clip: while it is scored, or after its values were replaced.
  update({summary, clip}) {
    const {text, clip: before} = this;
    this.take({summary, clip});
    if (this.text === text) return;
    this.refresh_texts();
    this.worst.update({summary, clip});
    this.graphs.fps = clip.fps;
    this.graphs.grow(this.frame_count(clip), this.definitions(), before.status === 'running');
    this.draw_distributions();
  }
}

// frame, feature: where a link points to, or undefined.
export function clip_view({summary, clip}, frame, feature) {
  const view = new ClipView({summary, clip});
  if (feature !== undefined && view.framed.some((one) => one.feature === feature)) view.chosen.add(feature);
  return {
    title: clip.name, node: view.node, id: clip.id,
    placed: () => {
      if (!view.framed.length) return;
      view.draw();
      if (frame !== undefined) view.look_at(frame);
    },
    redraw: () => { if (view.framed.length) view.draw(); },
    update: (newer) => view.update(newer),
    has_features_of: (newer) => newer.clip.name === view.clip.name && graph_names(newer) === graph_names(view),
    left: () => view.graphs.destroy(),
  };
}
