// Two databases: what changed, by how much, and why; the curves of both sides and their difference.
import {element, field, facts, refresh, small_table} from './dom.js';
import {LongTable} from './table.js';
import {address} from './links.js';
import {clock, count, difference, number_of, plural, score} from './format.js';
import {decode_curve} from './curve.js';
import {decimals_of, feature_note, WORST_SIDE} from './features.js';
import {data_colour, FrameGraphs} from './graphs.js';

const OUTCOMES = {__proto__: null, equal: 'Every compared value is equal.', different: 'The two sides differ.',
  nothing_compared: 'There was nothing to compare.'};
const state = {text: '', sort: {column: 'place', direction: 1}};

// Names a change in addresses: the two scorings, of which one may be missing.
export function change_key({old_id, new_id}) {
  return `${old_id ?? ''}-${new_id ?? ''}`;
}

export function change_address(change) {
  return address('change', change_key(change));
}

// One row per change of a clip's feature; a clip whose difference is no value has one row without a feature.
function rows_of(comparison) {
  let place = 0;
  const features = (change) => (change.features.length ? change.features : [null]);
  return comparison.changes.flatMap((change) => features(change).map((feature) => ({change, feature, place: place++})));
}

function what_of({only_in, texts}) {
  const side = only_in === null ? [] : [`only in the ${only_in} database`];
  return [...side, ...texts].join('; ');
}

function columns_of_changes() {
  const value = (get) => (row) => (row.feature === null ? NaN : number_of(get(row.feature)));
  const number = (id, title, help, get, text = score) => ({id, title, help, number: true, value: value(get),
    cell: (row) => (row.feature === null ? '' : text(get(row.feature)))});
  const size = (feature) => Math.abs(number_of(feature.largest?.change ?? null));
  const causes = (row) => row.change.causes.map((cause) => cause.name).join(', ');
  return [
    {id: 'place', title: 'no.', help: 'The largest changes first', number: true, value: (row) => row.place,
      cell: (row) => count(row.place + 1)},
    {id: 'name', title: 'clip', value: (row) => row.change.name,
      cell: (row) => element('a', {href: change_address(row.change), tabindex: -1}, row.change.name)},
    {id: 'feature', title: 'feature', value: (row) => row.feature?.name ?? null, cell: (row) => row.feature?.name ?? ''},
    {id: 'size', title: 'largest change', help: 'New minus old, sorted by its size', number: true,
      value: (row) => (row.feature === null ? NaN : size(row.feature)),
      cell: (row) => (row.feature?.largest ? difference(row.feature.largest.change) : '')},
    number('frame', 'at frame', 'Where the largest change is', (feature) => feature.largest?.frame ?? null, (frame) => count(frame)),
    number('old_mean', 'old mean', 'Mean over the old frames', (feature) => feature.old_mean),
    number('new_mean', 'new mean', 'Mean over the new frames', (feature) => feature.new_mean),
    number('mean_change', 'change of the mean', 'New minus old', (feature) => feature.mean_change, difference),
    number('changed', 'frames changed', 'Frames whose value is another', (feature) => feature.changed, (frames) => count(frames)),
    number('compared', 'compared', 'Frames that both sides have', (feature) => feature.compared, (frames) => count(frames)),
    {id: 'causes', title: 'cause', help: 'What else differs between the two scorings', value: causes, cell: causes},
    {id: 'what', title: 'otherwise', value: (row) => what_of(row.change), cell: (row) => what_of(row.change)},
  ];
}

function about_nodes(comparison) {
  const {old, new: fresh} = comparison;
  return [element('h1', {}, `${old.title} → ${fresh.title}`),
    element('p', {class: `outcome ${comparison.outcome}`}, OUTCOMES[comparison.outcome] ?? comparison.outcome),
    facts([['Clips', count(comparison.clips)], ['Differences', count(comparison.differences)],
      ['Values compared', count(comparison.values)], ['Values changed', count(comparison.changed_values)],
      ['Old program', old.program.join(', ')], ['New program', fresh.program.join(', ')]])];
}

export function comparison_view({comparison}) {
  let rows = [];
  const about = element('div', {});
  const table = new LongTable({caption: 'Changes', columns: columns_of_changes(), sort: state.sort, key: (row) => row.place,
    open: (row) => { location.hash = change_address(row.change); }});
  const show = () => {
    const text = state.text.toLowerCase();
    table.set_rows(rows.filter((row) => `${row.change.name} ${row.feature?.name ?? ''}`.toLowerCase().includes(text)));
  };
  const more = element('p', {class: 'note'});
  const take = (newer) => {
    rows = rows_of(newer);
    about.replaceChildren(...about_nodes(newer));
    more.textContent = newer.more_changes ? `${plural(newer.more_changes, 'more clip')} that differ are not listed.` : '';
    listed.hidden = rows.length === 0;
  };
  const form = element('form', {class: 'filters', role: 'search', onsubmit: (event) => event.preventDefault()},
    field('Text', element('input', {type: 'search',
    name: 'text', value: state.text, placeholder: 'clip or feature', oninput: (event) => { state.text = event.target.value; show(); }})));
  const listed = element('div', {}, form, table.node);
  take(comparison);
  return {
    title: 'Comparison',
    node: element('div', {}, about, listed, more),
    read_at: Date.now(),
    placed: show,
    // A newer comparison, after a database changed.
    update(newer) {
      this.read_at = Date.now();
      take(newer);
      show();
    },
  };
}

function changes_table(change) {
  const number = true;
  return small_table([{title: 'feature'}, {title: 'largest change', number}, {title: 'at frame', number}, {title: 'old', number},
    {title: 'new', number},
    {title: 'old mean', number}, {title: 'new mean', number}, {title: 'frames changed', number}, {title: 'compared', number},
    {title: 'only old', number}, {title: 'only new', number}],
  change.features.map((one) => [one.name, difference(one.largest?.change), count(one.largest?.frame), score(one.largest?.old, 6),
    score(one.largest?.new, 6), score(one.old_mean, 6), score(one.new_mean, 6), count(one.changed), count(one.compared),
    count(one.only_old), count(one.only_new)]),
  'Changed features, the largest change first');
}

// The graphs of a changed clip: per feature both sides, and their difference.
function definitions_of({comparison, change, detail}) {
  return (detail?.features ?? []).flatMap((one) => {
    const about = comparison.features[one.feature], line = WORST_SIDE[about.direction], decimals = decimals_of(about);
    const largest = change.features.find((changed) => changed.feature === one.feature)?.largest;
    const marks = largest ? [largest.frame] : [];
    const at = marks.length ? `, largest change at frame ${marks[0]}${detail.fps ? `, ${clock(marks[0] / detail.fps, 3)}` : ''}` : '';
    return [
      {title: one.name, note: `${feature_note(about)}; old dashed, new solid`, marks, decimals,
        description: `${one.name} of both sides${at}`,
        series: [{name: 'old', curve: decode_curve(one.old), colour: data_colour(1), dashed: true, line},
          {name: 'new', curve: decode_curve(one.new), colour: data_colour(0), line}]},
      {title: `${one.name}: new − old`, note: '', marks, from_zero: true, decimals,
        description: `Difference of ${one.name}, new minus old${at}`,
        series: [{name: 'difference', curve: decode_curve(one.difference), colour: data_colour(2),
          line: about.direction === 'lower' ? 'high' : 'low'}]}];
  });
}

function frames_of({change, detail}) {
  const ends = (detail?.features ?? []).flatMap((one) => [one.old, one.new].map((curve) => curve.first + curve.count * curve.step));
  return Math.max(1, ...ends, ...change.features.map((one) => (one.largest ? one.largest.frame + 1 : 0)));
}

function head_nodes(name) {
  return [element('p', {}, element('a', {href: '#comparison'}, 'All changes')), element('h1', {}, name)];
}

// What is said above the graphs.
function change_nodes({change, listed}) {
  const sentences = change.only_in === null ? change.texts : [`Only in the ${change.only_in} database.`, ...change.texts];
  return [...head_nodes(change.name),
    listed && change.new_id !== null
      ? element('p', {}, element('a', {href: address('clip', change.new_id)}, 'The clip in the new database')) : null,
    element('ul', {class: 'sentences'}, sentences.map((text) => element('li', {}, element('p', {class: 'sentence'}, text)))),
    change.causes.length ? small_table([{title: 'what else differs'}, {title: 'old'}, {title: 'new'}],
      change.causes.map((cause) => [cause.name, cause.old, cause.new]), 'Causes')
      : element('p', {class: 'note'}, 'Nothing else is known to differ.'),
    change.features.length ? changes_table(change) : null];
}

function graph_names({detail}) {
  return JSON.stringify((detail?.features ?? []).map((one) => one.name));
}

// shown: {comparison, change, detail, listed}. detail: the document `comparison-clip`, or null for a clip that only one side has; listed:
// the new side's clips have views of their own.
export function change_view(shown) {
  const texts = element('div', {}, change_nodes(shown));
  const graphs = new FrameGraphs({frames: frames_of(shown), fps: shown.detail?.fps ?? null});
  const has_graphs = (shown.detail?.features ?? []).length > 0;
  const draw = () => { if (has_graphs) graphs.set_graphs(definitions_of(shown)); };
  return {
    title: shown.change.name, clip: shown.change, read_at: Date.now(),
    node: element('div', {class: 'change'}, texts, has_graphs ? graphs.node : null),
    placed: draw, redraw: draw, left: () => graphs.destroy(),
    has_graphs_of: (newer) => graph_names(newer) === graph_names(shown),
    // Newer documents of the same clip, with the same graphs.
    update(newer) {
      shown = newer;
      this.clip = newer.change;
      this.read_at = Date.now();
      refresh(texts, change_nodes(newer));
      graphs.fps = newer.detail?.fps ?? null;
      graphs.grow(frames_of(newer), definitions_of(newer), false);
    },
  };
}

// In the place of a change that is none any more.
export function equal_view(clip) {
  return {title: clip.name, clip, read_at: Date.now(), has_graphs_of: () => false,
    node: element('div', {class: 'change'}, head_nodes(clip.name), element('p', {class: 'note'}, 'The two databases no longer differ here.'))};
}
