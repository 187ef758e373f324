// The first view: what failed and what is doubtful first, then what was done, with what, and how fast.
import {element, facts, small_table} from './dom.js';
import {clip_link} from './links.js';
import {count, duration, plural} from './format.js';
import {feature_note, status_mark} from './features.js';

const KINDS = {__proto__: null, alignment: 'Alignment', colour: 'Colour tags', lengths: 'Lengths', other: 'Other'};

// A sentence of which clips say the same, with links to some of them.
function told_by({text, count: times, clips}, names) {
  const links = clips.map((id) => [clip_link(id, names), ' ']);
  return element('li', {}, element('p', {class: 'sentence'}, text), element('p', {class: 'note'}, `${plural(times, 'time')}: `, links,
    times > clips.length ? '…' : ''));
}

function failures_part(summary, names) {
  if (!summary.failures.length) return null;
  return element('section', {class: 'failed-part'}, element('h2', {}, 'Failures'),
    element('ul', {class: 'sentences'}, summary.failures.map((one) => told_by(one, names))));
}

function warnings_part(summary, names) {
  if (!summary.warnings.length) return null;
  return element('section', {class: 'warned-part'}, element('h2', {}, 'Warnings'), summary.warnings.map((kind) => [
    element('h3', {}, `${KINDS[kind.kind] ?? kind.kind} (${count(kind.count)})`),
    element('ul', {class: 'sentences'}, kind.texts.map((one) => told_by(one, names)))]));
}

// listed: the clips have a view of their own.
function counts_part({counts}, listed) {
  const tile = (fragment, times, text) => element(listed ? 'a' : 'div', {class: 'tile', href: listed ? fragment : null},
    element('span', {class: 'big'}, count(times)), text);
  return element('div', {class: 'tiles'}, tile('#clips/status/', counts.clips, 'clips'),
    ['failed', 'partial', 'running', 'done'].map((status) => tile(`#clips/status/${status}`, counts[status], status_mark(status))));
}

function runs_part(summary) {
  if (!summary.runs.length) return null;
  const number = true;
  return small_table([{title: 'run', number}, {title: 'started (UTC)'}, {title: 'ended'}, {title: 'clips', number},
    {title: 'frames', number},
    {title: 'time', number}, {title: 'frames per second', number}, {title: 'program'}, {title: 'host'}, {title: 'processor'},
    {title: 'command'}],
  summary.runs.map((run) => [count(run.id), run.started_at, run.ended_at ?? 'not ended', count(run.scorings), count(run.frames),
    duration(run.wall_s ?? NaN), run.frames_per_second === null ? '–' : run.frames_per_second.toFixed(1), run.program_version, run.host,
    run.processor, element('code', {}, run.command_line)]), 'Runs, newest first');
}

function backends_part(summary) {
  if (!summary.backends.length) return null;
  return small_table([{title: 'extractor'}, {title: 'what ran'}, {title: 'backend'}, {title: 'device'}, {title: 'clips', number: true},
    {title: 'frames', number: true}, {title: 'why not what was asked for'}],
  summary.backends.map((one) => [one.extractor, one.implementation, one.backend, one.device, count(one.clips), count(one.frames),
    one.reason]), 'Backends');
}

function features_part(summary) {
  return small_table([{title: 'feature'}, {title: 'from'}, {title: 'values'}, {title: 'what it tells'}, {title: 'clips', number: true}],
    summary.features.map((one) => [one.name, one.source, feature_note(one), one.help, count(one.clips)]), 'Features');
}

function made_with_part(summary) {
  const several = (list) => list.map(({text, clips}, i) => [i ? element('br') : null, text,
    list.length > 1 ? ` (${plural(clips, 'clip')})` : '']);
  const filled = (list) => (list && list.length ? several(list) : null);
  return facts([['Program', filled(summary.made_with.program)], ['Options', filled(summary.options)],
    ['Labels', summary.labels.length > 1 ||
    summary.labels[0]?.text ? filled(summary.labels) : null], ['C library', filled(summary.made_with.c_library)],
  ['Processor', filled(summary.made_with.processor)], ['Decoder', filled(summary.made_with.decoder)]]);
}

function models_part(summary) {
  if (!summary.models?.length) return null;
  return small_table([{title: 'model'}, {title: 'file'}, {title: 'hash'}, {title: 'clips', number: true}],
    summary.models.map((one) => [one.name, one.path, element('code', {}, one.hash.slice(0, 16)), count(one.clips)]), 'Models');
}

function work_part(summary) {
  const speed = summary.seconds > 0 ? `${(summary.frames / summary.seconds).toFixed(1)} frames per second, one clip at a time` : null;
  return facts([['Frames scored', count(summary.frames)], ['Playing time', duration(summary.duration_s ?? NaN)],
    ['Time of all clips', duration(summary.seconds ?? NaN)], ['of which decoding', duration(summary.decode_seconds ?? NaN)],
    ['Speed', speed]]);
}

// Whether a run is writing the database that a server shows, and how far it has come.
export function state_text({live, counts}) {
  const word = live ? 'live' : counts.running ? 'stopped' : 'finished';
  return `${word}: ${counts.done} of ${counts.clips} clips done`;
}

// names: a Map from id to a clip's name, for links, as far as they are known; listed: the clips have a view of their own.
export function summary_view({summary, names, listed}) {
  const quiet = !summary.failures.length && !summary.warnings.length
    ? element('p', {class: 'all-well'}, summary.counts.running ? 'No failures and no warnings so far.' : 'No failures and no warnings.')
      : null;
  return {
    title: 'Summary',
    node: element('div', {}, element('h1', {}, summary.title),
      element('p', {class: 'note'}, `${summary.program}, ${summary.live ? 'live' : `made ${summary.made_at}`}`,
        summary.label ? `, label ${summary.label}` : ''),
      counts_part(summary, listed), failures_part(summary, names), warnings_part(summary, names), quiet,
      element('h2', {}, 'What was done'), work_part(summary), made_with_part(summary), models_part(summary), backends_part(summary),
      features_part(summary), runs_part(summary)),
  };
}
