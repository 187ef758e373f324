// The worst frames of a clip, and what they look like.
import {element, option, refresh, small_table} from './dom.js';
import {clock, count, score} from './format.js';
import {by_interest, feature_note, score_cell} from './features.js';
import {decode_curve} from './curve.js';
import {embedded, picture_address, read_pictures} from './documents.js';

// The scores of a frame, as far as the clip's curves hold them exactly or its lists of worst frames name them.
function scores_at(clip, frame) {
  return clip.features.map((one) => {
    const listed = one.worst?.find((worst) => worst.frame === frame);
    if (listed) return `${one.name} ${score(listed.value)}`;
    if (!one.curve || one.curve.encoding !== 'f64') return null;
    const curve = decode_curve(one.curve), place = (frame - curve.first) / curve.step;
    return Number.isInteger(place) && place >= 0 && place < curve.count ? `${one.name} ${score(curve.low[place])}` : null;
  }).filter((text) => text !== null).join(', ');
}

// What stands in the place of a frame's picture; nothing where the report has none.
async function picture_nodes(clip, frame) {
  try {
    const address = await picture_address(clip.id, frame);
    if (address === null) return [];
    const picture = element('img', {src: address, alt: `Frame ${frame}: reference, distorted, and their amplified difference side by side`,
      onerror: () => picture.replaceWith(element('p', {class: 'error'}, 'This picture cannot be shown.'))});
    return [picture, element('p', {class: 'note'}, 'Left to right: reference, distorted, amplified difference.')];
  } catch (error) {
    return [element('p', {class: 'error'}, `No picture: ${error.message}`)];
  }
}

async function show_picture(clip, frame, holder) {
  const time = clip.fps ? ` at ${clock(frame / clip.fps, 3)}` : '';
  const caption = element('figcaption', {}, element('strong', {}, `Frame ${count(frame)}${time}`),
    element('span', {class: 'note'}, scores_at(clip, frame)));
  const place = element('p', {class: 'note'}, 'Reading …');
  const figure = element('figure', {'data-frame': frame, class: 'picture'}, caption, place);
  const old = holder.querySelector(`figure[data-frame="${frame}"]`);
  if (old) old.replaceWith(figure); else holder.append(figure);
  const nodes = await picture_nodes(clip, frame);
  if (nodes.length) place.replaceWith(...nodes); else figure.remove();
}

// look_at(frame): shows the frame in the graphs.
export class WorstFrames {
  constructor({clip, summary, look_at}) {
    Object.assign(this, {look_at, with_picture: new Set(), name: null});
    [this.table, this.missing, this.pictures] = [element('div', {}), element('div', {}), element('div', {class: 'pictures'})];
    this.select = element('select', {name: 'worst', onchange: (event) => { this.name = event.target.value; this.draw(); }});
    this.any_frame = element('input', {type: 'number', min: 0, name: 'frame', 'aria-label': 'Frame number'});
    this.node = element('section', {class: 'worst'}, element('h2', {}, 'Worst frames'), element('label', {}, 'By ', this.select), this.table,
      embedded ? null : this.any_frame_form(), this.missing, this.pictures);
    this.update({clip, summary});
    if (embedded) this.show_held();
  }

  // Newer documents of the same clip.
  update({clip, summary}) {
    Object.assign(this, {clip, summary, listed: by_interest(clip.features.filter((one) => one.worst?.length), summary)});
    this.node.hidden = this.listed.length === 0;
    if (!this.listed.length) return;
    this.any_frame.max = Math.max((clip.frames ?? 1) - 1, 0);
    const names = this.listed.map((one) => one.name);
    if (!names.includes(this.name)) [this.name] = names;
    refresh(this.select, names.map((name) => option(name, name)));
    this.select.value = this.name;
    this.draw();
  }

  draw() {
    const {clip} = this, one = this.listed.find(({name}) => name === this.name);
    const button = (text, act) => element('button', {type: 'button', onclick: act}, text);
    const buttons = (frame) => [button('In the graphs', () => this.look_at(frame)),
      !embedded || this.with_picture.has(frame) ? button('Picture', () => this.show_picture(frame)) : null];
    refresh(this.table, small_table([{title: 'frame', number: true}, {title: 'time', number: true}, {title: one.name, number: true}, {title: ''}],
      one.worst.map(({frame, value}) => [count(frame), clip.fps ? clock(frame / clip.fps, 3) : '–', score_cell(value, 6), buttons(frame)]),
      `Worst frames by ${one.name} (${feature_note(this.summary.features[one.feature])})`));
  }

  show_picture(frame) {
    return show_picture(this.clip, frame, this.pictures);
  }

  any_frame_form() {
    return element('form', {class: 'any-frame', onsubmit: (event) => {
      event.preventDefault();
      if (this.any_frame.value !== '') this.show_picture(Number(this.any_frame.value));
    }}, element('label', {}, 'Any frame ', this.any_frame), element('button', {}, 'Picture'));
  }

  // A report holds the pictures of its worst frames: they are shown at once, the worst first.
  async show_held() {
    const held = await read_pictures(this.clip.id);
    if (held === null || !this.listed.length) return;
    for (const {frame} of held.pictures) this.with_picture.add(frame);
    this.draw();
    refresh(this.missing, held.missing.map(({text}) => element('p', {class: 'note missing'}, `No picture: ${text}`)));
    const rank = ({frame}) => (this.listed[0].worst.findIndex((worst) => worst.frame === frame) + 1 || 1e9);
    for (const {frame} of held.pictures.sort((a, b) => rank(a) - rank(b))) await this.show_picture(frame);
  }
}
