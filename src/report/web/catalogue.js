// The catalogue: one row per clip, sorted and filtered.
import {element, field, later, option, replace_form} from './dom.js';
import {LongTable} from './table.js';
import {address} from './links.js';
import {bytes, clock, count, number_of, plural, score} from './format.js';
import {tag_of} from './documents.js';
import {decode_numbers} from './curve.js';
import {choices_of, decimals_of, feature_note, feature_number, feature_select, status_mark} from './features.js';
import {sparkline} from './sparkline.js';

const STATISTICS = [['mean', 'mean', 'Mean over all frames; the value itself for features with one value per clip'],
  ['harmonic_mean', 'harmonic mean', 'Harmonic mean over all frames, which weighs bad frames more'],
  ['p1', 'p1', 'One percent of the frames lie below'], ['p5', 'p5', 'Five percent of the frames lie below'],
  ['min', 'min', 'The smallest value'], ['max', 'max', 'The largest value']];

// What the view remembers while others are shown; the feature by its name, which another database may have under another number.
const NO_FILTER = {text: '', status: '', tag: '', tag_text: '', from: '', to: ''};
const state = {...NO_FILTER, feature: null, statistic: 'mean', sort: {column: 'name', direction: 1}};

function statistic_of(row, feature, name) {
  const scores = row.scores[feature];
  return scores === null || scores === undefined ? NaN : number_of(scores[name]);
}

// The ends of the sparklines' height: those of the feature where it has them, else those of the values.
function spark_range(rows, number, feature) {
  if (feature.low !== null && feature.high !== null) return [feature.low, feature.high];
  let low = Infinity, high = -Infinity;
  for (const row of rows) {
    const lowest = statistic_of(row, number, 'min'), highest = statistic_of(row, number, 'max');
    if (Number.isFinite(lowest)) low = Math.min(low, lowest);
    if (Number.isFinite(highest)) high = Math.max(high, highest);
  }
  return low < high ? [low, high] : [0, 1];
}

// The columns of one feature's scores; number: which of the features it is.
function score_columns(rows, number, feature) {
  const range = spark_range(rows, number, feature);
  const statistics = STATISTICS.map(([id, title, help]) => ({id, title, help, number: true, value: (row) => statistic_of(row, number, id),
    cell: (row) => score(statistic_of(row, number, id), decimals_of(feature))}));
  const worst = (row) => row.scores[number]?.worst_frame ?? null;
  const spark = (row) => {
    const text = row.scores[number]?.spark;
    return text ? sparkline(Array.from(decode_numbers(text, 'f32')), range, `${feature.name} over time`) : '';
  };
  return [...statistics,
    {id: 'worst', title: 'worst frame', help: 'The first frame with the worst value', number: true, value: worst,
      cell: (row) => (worst(row) === null ? '–' : element('a', {href: address('clip', row.id, worst(row), number), tabindex: -1,
        title: row.fps ? `at ${clock(worst(row) / row.fps, 3)}` : ''}, count(worst(row))))},
    {id: 'spark', title: 'over time', help: `Worst value of each stretch, from ${score(range[0], 0)} to ${score(range[1], 0)}`,
      cell: spark}];
}

function columns_of(summary, rows, number) {
  const several_labels = rows.some((row) => row.label !== rows[0].label);
  const tags = summary.tags.slice(0, 4).map((tag) => ({id: `tag.${tag.name}`, title: `tag.${tag.name}`,
    value: (row) => tag_of(row, tag.name), cell: (row) => tag_of(row, tag.name) ?? ''}));
  const plain = (id, title, help, cell = (row) => count(row[id])) => ({id, title, help, number: true, value: (row) => row[id], cell});
  return [
    {id: 'name', title: 'clip', value: (row) => row.name,
      cell: (row) => element('a', {href: address('clip', row.id), tabindex: -1, title: row.name}, row.name)},
    several_labels ? {id: 'label', title: 'label', value: (row) => row.label, cell: (row) => row.label} : null,
    {id: 'status', title: 'status', value: (row) => ['failed', 'partial', 'running', 'done'].indexOf(row.status),
      cell: (row) => { const mark = status_mark(row.status); if (row.first_failure) mark.title = row.first_failure; return mark; }},
    ...score_columns(rows, number, summary.features[number]),
    ...tags,
    plain('frames', 'frames', 'Picture pairs that were scored'),
    plain('bitrate', 'bit rate', 'kbit/s, from the size of the distorted file or from tag.bitrate',
      (row) => (row.bitrate === null ? '–' : count(Math.round(row.bitrate / 1000)))),
    plain('distorted_size', 'size', 'Size of the distorted file', (row) => bytes(row.distorted_size ?? NaN)),
    plain('warnings', 'warnings', 'How many warnings the clip has'), plain('failures', 'failures', 'How many failures the clip has'),
  ].filter((column) => column !== null);
}

function filter_of(number) {
  const words = state.text.toLowerCase().split(/\s+/).filter((word) => word !== '');
  const low = state.from === '' ? -Infinity : Number(state.from), high = state.to === '' ? Infinity : Number(state.to);
  const ranged = state.from !== '' || state.to !== '';
  return (row) => {
    if (state.status && row.status !== state.status) return false;
    if (state.tag && (state.tag_text === '' ? tag_of(row, state.tag) === null : tag_of(row, state.tag) !== state.tag_text)) return false;
    if (ranged) {
      const value = statistic_of(row, number, state.statistic);
      if (!(value >= low && value <= high)) return false;
    }
    if (!words.length) return true;
    const text = `${row.name} ${row.label} ${row.reference} ${row.distorted} ${Object.values(row.tags).join(' ')}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

// choice: the field that chooses the feature; clear: empties the other fields.
function filter_form(summary, changed, choice, clear) {
  const soon = later(changed, 80);
  const input = (name, properties) => element('input', {...properties, value: state[name],
    oninput: (event) => { state[name] = event.target.value; soon(); }});
  const select = (name, options, after = changed) => element('select',
    {name, onchange: (event) => { state[name] = event.target.value; after(); }},
    options.map(([value, text]) => option(value, text, value === state[name])));
  const tag_values = () => [['', 'any value'], ...(summary.tags.find((tag) => tag.name === state.tag)?.values ?? []).map((value) => [value,
    value])];
  const values = element('span', {}, select('tag_text', tag_values()));
  const tag_changed = () => {
    state.tag_text = '';
    values.replaceChildren(select('tag_text', tag_values()));
    changed();
  };
  return element('form', {class: 'filters', role: 'search', onsubmit: (event) => event.preventDefault()}, choice,
    field('Text', input('text', {type: 'search', name: 'text', placeholder: 'name, path, tag'})),
    field('Status', select('status', [['', 'any'], ['failed', 'failed'], ['partial', 'partial'], ['running', 'running'],
      ['done', 'done']])),
    summary.tags.length ? field('Tag', select('tag', [['', 'any'], ...summary.tags.map((tag) => [tag.name, tag.name])], tag_changed))
      : null,
    summary.tags.length ? field('is', values) : null,
    field('Statistic', select('statistic', STATISTICS.map(([id, title]) => [id, title]))),
    field('from', input('from', {type: 'number', step: 'any', name: 'from'})),
    field('to', input('to', {type: 'number', step: 'any', name: 'to'})),
    element('button', {type: 'button', name: 'clear', onclick: clear}, 'Clear'));
}

class CatalogueView {
  constructor({summary, rows}) {
    Object.assign(this, {summary, rows, number: feature_number(summary, state.feature)});
    this.found = element('p', {class: 'found', role: 'status'});
    this.note = element('span', {class: 'note feature-note'});
    this.form = element('div', {});
    this.table = new LongTable({caption: 'Clips', columns: columns_of(summary, rows, this.number), sort: state.sort,
      key: (row) => row.id, open: (row) => { location.hash = address('clip', row.id); }});
    this.draw_form();
    this.node = element('div', {class: 'catalogue'}, element('h1', {}, 'Clips'), this.form, element('p', {}, this.note), this.found,
      this.table.node);
  }

  draw_form() {
    const choice = field('Feature', feature_select(this.summary.features, this.number, (number) => this.choose(number)));
    replace_form(this.form, filter_form(this.summary, () => this.filter(), choice, () => this.clear()));
  }

  clear() {
    Object.assign(state, NO_FILTER);
    this.draw_form();
    this.filter();
  }

  choose(number) {
    this.number = number;
    state.feature = this.summary.features[number].name;
    this.draw();
  }

  draw() {
    this.note.textContent = feature_note(this.summary.features[this.number]);
    this.table.set_columns(columns_of(this.summary, this.rows, this.number));
    this.filter();
  }

  filter() {
    const {rows} = this, kept = rows.filter(filter_of(this.number));
    this.table.set_rows(kept);
    this.found.textContent = kept.length === rows.length ? plural(rows.length, 'clip')
      : `${count(kept.length)} of ${plural(rows.length, 'clip')}`;
  }

  // Newer rows, while a run is on, or those of another database.
  update({summary, rows}) {
    const same = choices_of(summary) === choices_of(this.summary);
    Object.assign(this, {summary, rows, number: feature_number(summary, state.feature)});
    if (!same) this.draw_form();
    this.draw();
  }
}

// parameters: ['status', 'failed'] shows the failed ones, ['status', ''] all; rows: those of the document `clips`.
export function catalogue_view({summary, rows}, parameters) {
  if (parameters[0] === 'status') Object.assign(state, NO_FILTER, {status: parameters[1]});
  if (!summary.features.length) return {title: 'Clips', node: element('div', {}, element('h1', {}, 'Clips'),
    element('p', {}, 'The database has no scores yet.'))};
  const view = new CatalogueView({summary, rows});
  return {title: 'Clips', node: view.node, row_count: rows.length, placed: () => view.draw(), update: (newer) => view.update(newer)};
}
