// The page.
import {element} from './dom.js';
import {read_summary} from './documents.js';

async function start() {
  const summary = await read_summary();
  document.getElementById('main').replaceChildren(element('h1', {}, summary.title));
}

start();
