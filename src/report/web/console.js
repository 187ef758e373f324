// SQL on the served database: read-only, with a table, a chart and CSV.
import {element, field, option} from './dom.js';
import {LongTable} from './table.js';
import {xy_chart, chart_legend} from './chart.js';
import {count, number_of, plural} from './format.js';
import {run_sql, run_sql_to_csv} from './documents.js';

const EXAMPLES = [
  ['Worst clips', "SELECT clip, mean, p5, min FROM clip_scores\nWHERE feature = (SELECT feature FROM clip_scores LIMIT 1)\nORDER BY mean LIMIT 50"],
  ['Mean by tag', "SELECT t.name AS tag, t.value, s.feature, count(*) AS clips, avg(s.mean) AS mean\n" +
    "FROM tag t JOIN clip c ON c.id = t.clip JOIN clip_scores s ON s.clip = c.name\nGROUP BY 1, 2, 3 ORDER BY 1, 3, 2"],
  ['Frames of one clip', "SELECT frame, value FROM frame_features\nWHERE clip = (SELECT name FROM clip LIMIT 1)\n" +
    "  AND feature = (SELECT feature FROM clip_scores LIMIT 1)\nORDER BY frame"],
  ['Worst frames of all', 'SELECT clip, feature, frame, value FROM frame_features\nORDER BY value LIMIT 100'],
  ['Failures', 'SELECT clip, extractor, frame, reason FROM failures'],
  ['Warnings', 'SELECT clip, text FROM warnings'],
  ['Backends', 'SELECT extractor, implementation, backend, device, reason, count(*) AS clips\nFROM backends GROUP BY 1, 2, 3, 4, 5'],
  ['Slowest clips', "SELECT c.name, s.frames, s.seconds, s.frames / s.seconds AS fps\nFROM newest_scoring s JOIN clip c ON c.id = s.clip\n" +
    "WHERE s.seconds > 0 ORDER BY fps LIMIT 50"],
];
const VIEWS = ['frame_features(clip, frame, feature, value)',
  'clip_scores(clip, feature, frames, mean, min, max, harmonic_mean, stddev, p1, p5, p10, p50, p90, p95, p99, infinite, finite_mean)',
  'clip_aggregates(clip, feature, value)', 'backends(clip, extractor, implementation, backend, device, reason)',
  'failures(clip, extractor, frame, reason)', 'warnings(clip, text)'];
const CHART_POINTS = 5000;

const state = {text: EXAMPLES[0][1], ran: '', result: null, x: 0, y: null};

function cell_text(value) {
  return value === null ? 'NULL' : String(value);
}

function download(name, blob) {
  const address = URL.createObjectURL(blob);
  const link = element('a', {href: address, download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

function is_number_column(result, i) {
  return result.rows.length > 0 && result.rows.every((row) => row[i] === null || !Number.isNaN(number_of(row[i])));
}

function result_table(result) {
  const keyed = result.rows.map((cells, key) => ({cells, key}));
  const table = new LongTable({caption: 'Result', sort: {column: 'row', direction: 1}, key: (row) => row.key, open: () => {},
    columns: [{id: 'row', title: 'row', number: true, value: (row) => row.key, cell: (row) => count(row.key + 1)},
      ...result.columns.map((title, i) => {
        const number = is_number_column(result, i);
        return {id: `column ${i}`, title, number, value: (row) => (number ? number_of(row.cells[i]) : row.cells[i]),
          cell: (row) => cell_text(row.cells[i])};
      })]});
  return {node: table.node, placed: () => table.set_rows(keyed)};
}

// The chart's drawing: the column state.y over state.x, which of -1 is the row's number.
function chart_nodes(result) {
  const rows = result.rows.slice(0, CHART_POINTS);
  const points = rows.map((row, i) => ({x: state.x < 0 ? i + 1 : number_of(row[state.x]), y: number_of(row[state.y]),
    label: row.map(cell_text).join(', ')})).sort((a, b) => a.x - b.x);
  const x_name = state.x < 0 ? 'row' : result.columns[state.x], y_name = result.columns[state.y];
  const short = (value) => String(Number(value.toPrecision(6)));
  return [xy_chart({series: [{name: y_name, points}], x: {title: x_name, text: short}, y: {title: y_name, text: short},
    description: `${y_name} over ${x_name}, ${plural(points.length, 'point')}`}),
  chart_legend([y_name]),
  rows.length < result.rows.length ? element('p', {class: 'note'}, `The first ${count(CHART_POINTS)} rows are drawn.`) : ''];
}

function chart_part(result) {
  const numbers = result.columns.map((_, i) => i).filter((i) => is_number_column(result, i));
  if (!numbers.length || result.rows.length < 2) return null;
  state.x = numbers.includes(state.x) && numbers.length > 1 ? state.x : numbers.length > 1 ? numbers[0] : -1;
  if (!numbers.includes(state.y) || state.y === state.x) state.y = numbers.find((i) => i !== state.x);
  const holder = element('div', {});
  const draw = () => holder.replaceChildren(...chart_nodes(result));
  const select = (name, numbers_of) => element('select', {name, onchange: (event) => { state[name] = Number(event.target.value); draw(); }},
    numbers_of.map((i) => option(String(i), i < 0 ? 'row' : result.columns[i], i === state[name])));
  draw();
  return element('details', {class: 'sql-chart', open: true}, element('summary', {}, 'Chart'),
    element('div', {class: 'filters'}, field('Across', select('x', [-1, ...numbers])), field('Up', select('y', numbers))), holder);
}

// Runs statements and shows what they give; of several that were asked for, the last.
class Runner {
  constructor() {
    this.output = element('div', {class: 'sql-result'});
    this.message = element('p', {role: 'status', class: 'found'});
    this.asked = 0;
  }

  say(text, classes = 'found') {
    this.message.className = classes;
    this.message.textContent = text;
  }

  complain(error) {
    this.say(error.message, 'found error');
  }

  async run() {
    const mine = ++this.asked, {text} = state;
    this.say('Running …');
    try {
      const result = await run_sql(text);
      if (mine !== this.asked) return;
      [state.result, state.ran] = [result, text];
      this.show(result);
    } catch (error) {
      if (mine !== this.asked) return;
      state.result = null;
      this.output.replaceChildren();
      this.complain(error);
    }
  }

  async save() {
    try {
      download('result.csv', await run_sql_to_csv(state.ran));
    } catch (error) {
      this.complain(error);
    }
  }

  show(result) {
    const table = result_table(result);
    this.say(plural(result.rows.length, 'row') + (result.more ? ', the first of more' : '') +
      (Number.isFinite(result.seconds) ? ` in ${result.seconds.toFixed(3)} s` : ''));
    this.output.replaceChildren(element('p', {}, element('button', {type: 'button', name: 'csv', onclick: () => this.save()}, 'Download CSV')),
      table.node, chart_part(result) ?? '');
    table.placed();
  }
}

function statement_area(run) {
  return element('textarea', {name: 'sql', rows: 6, spellcheck: 'false', autocapitalize: 'off', 'aria-label': 'SQL statement',
    value: state.text,
    oninput: (event) => { state.text = event.target.value; },
    onkeydown: (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      run();
    }});
}

// Puts the chosen example into the area.
function example_select(area) {
  return element('select', {name: 'example', onchange: (event) => {
    if (event.target.value === '') return;
    state.text = area.value = EXAMPLES[Number(event.target.value)][1];
    event.target.value = '';
  }}, option('', 'choose …', true), EXAMPLES.map(([name], i) => option(String(i), name)));
}

function views_part() {
  return element('details', {}, element('summary', {}, 'Views'),
    element('ul', {}, VIEWS.map((view) => element('li', {}, element('code', {}, view))),
      element('li', {}, 'With all_ in front of their names: every scoring, not only the newest, with its number, label, run and status.')));
}

export function console_view() {
  const runner = new Runner(), run = () => runner.run();
  const area = statement_area(run);
  return {
    title: 'SQL',
    node: element('div', {class: 'console'}, element('h1', {}, 'SQL'),
      element('p', {class: 'note'}, 'One statement that reads. Ctrl+Enter runs it. The database cannot be changed from here.'), area,
      element('div', {class: 'filters'}, element('button', {type: 'button', name: 'run', class: 'first', onclick: run}, 'Run'),
        field('Examples', example_select(area))),
      views_part(), runner.message, runner.output),
    placed: () => { if (state.result) runner.show(state.result); },
  };
}
