// The JSON documents behind the pages (docs/report-data.md): inside the page where it is a file, else from the server that gave the page.

export const embedded = document.getElementById('data-summary') !== null;

// The page shows its first view before the browser has read a large file to its end.
function whole_page() {
  if (document.readyState !== 'loading') return Promise.resolve();
  return new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, {once: true}));
}

// The value of a clip's tag, or null. A tag may have any name, also one of what every object inherits.
export function tag_of({tags}, name) {
  return Object.hasOwn(tags, name) ? tags[name] : null;
}

async function read_embedded(name) {
  if (document.getElementById(`data-${name}`) === null) await whole_page();
  const holder = document.getElementById(`data-${name}`);
  return holder === null ? null : JSON.parse(holder.textContent);
}

// Throws the sentence that a server says instead of an answer (docs/serve.md).
async function check_answer(response) {
  if (response.ok) return;
  const text = await response.text();
  let sentence = text;
  try {
    const {error, line, column} = JSON.parse(text);
    sentence = line ? `line ${line}, column ${column}: ${error}` : error;
  } catch { /* no JSON: the text itself is the sentence */ }
  throw new Error(sentence || `the server answered ${response.status}`);
}

async function ask(path, request = {}) {
  let response;
  try {
    response = await fetch(`api/${path}`, {cache: 'no-store', ...request});
  } catch {
    throw new Error('the server does not answer: is `vmafbatch serve` still running?');
  }
  await check_answer(response);
  return response;
}

async function fetch_document(path) {
  return (await ask(path)).json();
}

export function read_summary() {
  return embedded ? read_embedded('summary') : fetch_document('summary');
}

let embedded_clips = null;

// All rows of the catalogue, in order; `arrived` is called with those that are there so far, as often as more arrive.
export async function read_clips(arrived = () => {}) {
  if (embedded) {
    embedded_clips ??= (await read_embedded('clips'))?.clips ?? [];
    arrived(embedded_clips);
    return embedded_clips;
  }
  const rows = [];
  for (;;) {
    const page = await fetch_document(`clips?first=${rows.length}&count=500`);
    rows.push(...page.clips);
    arrived(rows);
    if (page.clips.length === 0 || rows.length >= page.total) return rows;
  }
}

export function read_clip(id) {
  return embedded ? read_embedded(`clip-${id}`) : fetch_document(`clip?id=${id}`);
}

// The values of one feature between two frames, both included; only from a server.
export function read_frames(id, feature, first, last) {
  return fetch_document(`frames?id=${id}&feature=${feature}&first=${first}&last=${last}`);
}

export function read_ladders() {
  return embedded ? read_embedded('ladders') : fetch_document('ladders');
}

export function read_comparison() {
  return embedded ? read_embedded('comparison') : fetch_document('comparison');
}

// Of a change that has values on both sides; null where no frame's value is another.
export function read_comparison_clip({number, old_id, new_id}) {
  return embedded ? read_embedded(`comparison-clip-${number}`) : fetch_document(`comparison-clip?old=${old_id}&new=${new_id}`);
}

// Which pictures of a clip's worst frames a report has, and why it lacks others; null where none were asked for.
export function read_pictures(id) {
  return read_embedded(`pictures-${id}`);
}

// The address of a frame's picture for <img>, or null where the report has none. A server is asked first: <img> is not told why it gets
// no picture. A picture that was made is kept there for the second request.
export async function picture_address(id, frame) {
  if (!embedded) {
    const path = `picture?id=${id}&frame=${frame}`;
    await (await ask(path)).blob();
    return `api/${path}`;
  }
  const picture = await read_embedded(`picture-${id}-${frame}`);
  if (picture === null || !/^image\/(png|jpeg)$/.test(picture.type)) return null;
  return `data:${picture.type};base64,${picture.base64}`;
}

function statement(text) {
  return {method: 'POST', headers: {'Content-Type': 'text/plain; charset=utf-8'}, body: text};
}

// {columns, rows, more, seconds}; only from a server.
export async function run_sql(text) {
  return (await ask('sql', statement(text))).json();
}

// The same rows, and those that are too many to show, as a CSV file.
export async function run_sql_to_csv(text) {
  return (await ask('sql.csv', statement(text))).blob();
}
