// The page: which view is shown, links between views, and what a running server tells anew.
import {element} from './dom.js';
import {embedded, read_clip, read_clips, read_comparison, read_comparison_clip, read_ladders, read_summary} from './documents.js';
import {parts_of} from './links.js';
import {catalogue_view} from './catalogue.js';
import {clip_view} from './clip.js';
import {change_address, change_key, change_view, comparison_view, equal_view} from './comparison.js';
import {console_view} from './console.js';
import {ladders_view} from './ladders.js';
import {state_text, summary_view} from './summary.js';

const LIVE_MS = 2000;     // how often a server is asked while a run is on
const QUIET_MS = 15000;   // and while none is
const MANY_CLIPS = 3000;  // larger catalogues are read again less often
const MANY_CLIPS_MS = 15000;
const COMPARISON_MS = 15000;  // a comparison reads all values of both sides

const main = document.getElementById('main');
const page = {summary: null, rows: [], first_rows: null, rows_at: 0, rows_state: '', view: null, name: '', shown: 0, behind: false,
  databases: 1};

// Another text of state: something of the database is new. Features that do not go on from those before: it is another database, of
// which nothing that was read holds.
function take_summary(summary) {
  const before = page.summary;
  page.summary = summary;
  if (before === null) return;
  page.behind ||= summary.state !== before.state;
  if (before.features.every(({name}, i) => name === summary.features[i]?.name)) return;
  page.databases++;
  [page.rows, page.first_rows] = [[], null];
}

function names_of(rows) {
  return new Map(rows.map((row) => [row.id, row.name]));
}

// A file with a comparison holds no clips of their own.
function is_listed() {
  return !embedded || page.summary.compared_with === null;
}

function links() {
  const compared = page.summary.compared_with !== null ? [['comparison', 'Comparison']] : [];
  if (!is_listed()) return [...compared, ['summary', 'Summary']];
  const list = [['summary', 'Summary'], ['clips', 'Clips'], ['ladders', 'Ladders'], ...compared];
  return embedded ? list : [...list, ['sql', 'SQL']];
}

function draw_navigation() {
  const current = SHOWN_BY[page.name];
  document.querySelector('nav').replaceChildren(...links().map(([name, text]) => element('a',
    {href: `#${name}`, 'aria-current': name === current ? 'page' : null}, text)));
  document.querySelector('.state').textContent = embedded ? '' : state_text(page.summary);
}

// The catalogue's rows: those that are there once the first have come. The view that shows them is told of the others.
async function rows() {
  if (!is_listed()) return [];
  page.first_rows ??= new Promise((resolve, reject) => {
    const {databases} = page;
    page.rows_state = page.summary.state;
    const arrived = (some) => { if (databases === page.databases) page.rows = some; resolve(); };
    read_clips(arrived).then(() => { page.rows_at = Date.now(); show_rows(); }, (error) => { page.first_rows = null; reject(error); });
  });
  await page.first_rows;
  return page.rows;
}

function show_rows() {
  const {view, summary} = page;
  if (view?.name === 'clips' && view.update && view.row_count !== page.rows.length) view.update({summary, rows: page.rows});
  if (view?.name === 'summary' && !embedded) replace_summary();
}

function summary_of_page() {
  return summary_view({summary: page.summary, names: names_of(page.rows), listed: is_listed()});
}

// A newer summary in the place of the one that is read.
function replace_summary() {
  const scroll = window.scrollY;
  place(summary_of_page(), 'summary');
  window.scrollTo(0, scroll);
}

// A server's summary does not wait for the names of all clips.
async function show_summary() {
  const read = rows();
  if (embedded) await read; else read.catch(() => {});
  return summary_of_page();
}

async function found_clip(id) {
  const clip = /^\d+$/.test(id) ? await read_clip(id) : null;
  if (clip === null) throw new Error(`There is no clip ${id} in this report.`);
  return clip;
}

// A clip with a summary that has its features: a run may have stored a new one since the last was read.
async function clip_documents(id) {
  const clip = await found_clip(id);
  if (clip.features.some((one) => one.feature >= page.summary.features.length)) take_summary(await read_summary());
  return {summary: page.summary, clip};
}

// The change of a comparison that `is_wanted` chooses, with its curves; null where there is none.
async function change_documents(is_wanted) {
  const comparison = await read_comparison();
  const change = comparison?.changes.find(is_wanted);
  if (!change) return null;
  return {comparison, change, listed: is_listed(), detail: change.only_in === null ? await read_comparison_clip(change) : null};
}

async function found_change(key) {
  const found = await change_documents((one) => change_key(one) === key);
  if (found === null) throw new Error(`There is no change ${key} in this comparison.`);
  return found;
}

// A clip that was scored again has another key, and the view another address.
async function refresh_change(view) {
  const newer = await change_documents(({name, label}) => name === view.clip.name && label === view.clip.label);
  if (view !== page.view) return;
  if (newer === null) {
    place(equal_view(view.clip), 'change');
    return;
  }
  history.replaceState(null, '', change_address(newer.change));
  if (view.has_graphs_of(newer)) view.update(newer); else place(change_view(newer), 'change');
}

// The views, and the link of the navigation that stands for each.
const SHOWN_BY = {__proto__: null, summary: 'summary', clips: 'clips', clip: 'clips', ladders: 'ladders', comparison: 'comparison',
  change: 'comparison', sql: 'sql'};
const optional_number = (text) => (/^\d+$/.test(text ?? '') && Number.isSafeInteger(Number(text)) ? Number(text) : undefined);

const VIEWS = {
  summary: show_summary,
  clips: async (parameters) => catalogue_view({summary: page.summary, rows: await rows()}, parameters),
  clip: async ([id, frame, feature]) => clip_view(await clip_documents(id), optional_number(frame), optional_number(feature)),
  ladders: async () => ladders_view({summary: page.summary, ladders: await read_ladders()}),
  comparison: async () => comparison_view({comparison: await read_comparison()}),
  change: async ([key]) => change_view(await found_change(key)),
  sql: async () => console_view(),
};

function error_view(error) {
  return {title: 'Not shown', node: element('div', {}, element('h1', {}, 'This view cannot be shown'),
    element('p', {class: 'error'}, error.message))};
}

// name: that of the view, '' for an error. While the next view is read, the one before is still in its place.
function place(view, name) {
  page.view?.left?.();
  page.view = view;
  view.name = name;
  main.replaceChildren(view.node);
  view.placed?.();
  document.title = `${view.title} – ${page.summary?.title ?? 'vmafbatch'}`;
}

// Shows what the address names. A view that was asked for later wins.
async function show() {
  const mine = ++page.shown;
  const [name, ...parameters] = parts_of(location.hash);
  page.name = SHOWN_BY[name] !== undefined && links().some(([link]) => link === SHOWN_BY[name]) ? name : links()[0][0];
  draw_navigation();
  const {name: wanted} = page;
  let view, failed = false;
  try {
    view = await VIEWS[wanted](parameters);
  } catch (error) {
    view = error_view(error);
    failed = true;
  }
  if (mine !== page.shown) return;
  place(view, failed ? '' : wanted);
  // The rows may be those of a state that was seen in another view.
  if (['summary', 'clips'].includes(wanted)) page.behind ||= page.rows_state !== page.summary.state;
}

async function read_rows_again() {
  const due = page.rows.length < MANY_CLIPS || Date.now() - page.rows_at > MANY_CLIPS_MS;
  if (!due) return false;
  const {databases, summary: {state}} = page, rows = await read_clips();
  if (databases === page.databases) [page.rows, page.rows_at, page.rows_state] = [rows, Date.now(), state];
  return true;
}

// What changed on the server goes into the view that is shown; where the reader is in it stays. False: not all of it yet.
async function refresh_view() {
  const {view, summary} = page;
  if (view.name === 'summary') {
    const all = await read_rows_again();
    if (view === page.view) replace_summary();
    return all;
  }
  if (view.name === 'clips') {
    if (!await read_rows_again()) return false;
    if (view !== page.view) return true;
    if (view.update) view.update({summary, rows: page.rows}); else await show();
  } else if (view.name === 'ladders') {
    const ladders = await read_ladders();
    if (view === page.view) view.update({summary, ladders});
  } else if (view.name === 'comparison') {
    if (Date.now() - view.read_at < COMPARISON_MS) return false;
    const comparison = await read_comparison();
    if (view === page.view) view.update(comparison);
  } else if (view.name === 'change') {
    if (Date.now() - view.read_at < COMPARISON_MS) return false;
    await refresh_change(view);
  } else if (view.name === 'clip') {
    const newer = await clip_documents(String(view.id));
    if (view !== page.view) return true;
    if (view.has_features_of(newer)) view.update(newer); else await show();
  }
  return true;
}

async function poll() {
  try {
    const {databases} = page;
    take_summary(await read_summary());
    draw_navigation();
    if (databases !== page.databases) {
      await show();
      page.behind = false;
    } else if (page.behind) {
      page.behind = !await refresh_view();
    }
  } catch (error) {
    document.querySelector('.state').textContent = error.message;
  }
  setTimeout(poll, page.summary.live || page.behind ? LIVE_MS : QUIET_MS);
}

async function start() {
  try {
    take_summary(await read_summary());
  } catch (error) {
    place(error_view(error), '');
    return;
  }
  window.addEventListener('hashchange', async () => {
    await show();
    main.focus({preventScroll: true});
    window.scrollTo(0, 0);
  });
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => page.view?.redraw?.());
  await show();
  performance.mark('first view');
  if (!embedded) setTimeout(poll, page.summary.live ? LIVE_MS : QUIET_MS);
}

start();
