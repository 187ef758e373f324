// The worst frames of a clip, and what they look like.
import {element, option, small_table} from './dom.js';
import {clock, count, score} from './format.js';
import {by_interest, feature_note} from './features.js';
import {decode_curve} from './curve.js';
import {embedded, picture_address, picture_problem, read_pictures} from './documents.js';

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

async function show_picture(clip, frame, holder) {
  const time = clip.fps ? ` at ${clock(frame / clip.fps, 3)}` : '';
  const caption = element('figcaption', {}, element('strong', {}, `Frame ${count(frame)}${time}`),
    element('span', {class: 'note'}, scores_at(clip, frame)));
  const address = await picture_address(clip.id, frame);
  if (address === null) return;
  const picture = element('img', {src: address, alt: `Frame ${frame}: reference, distorted, and their amplified difference side by side`,
    onerror: async () => picture.replaceWith(element('p', {class: 'error'}, await picture_problem(clip.id, frame)))});
  const old = holder.querySelector(`figure[data-frame="${frame}"]`);
  const figure = element('figure', {'data-frame': frame, class: 'picture'}, caption, picture,
    element('p', {class: 'note'}, 'Left to right: reference, distorted, amplified difference.'));
  if (old) old.replaceWith(figure); else holder.append(figure);
}

// look_at(frame): shows the frame in the graphs.
export function worst_part({clip, summary, look_at}) {
  const listed = by_interest(clip.features.filter((one) => one.worst?.length), summary);
  if (!listed.length) return {node: ''};
  const pictures = element('div', {class: 'pictures'});
  const with_picture = new Set();
  const table = element('div', {});
  const button = (text, act) => element('button', {type: 'button', onclick: act}, text);
  const show = (one) => table.replaceChildren(small_table([{title: 'frame', number: true}, {title: 'time', number: true},
    {title: one.name, number: true}, {title: ''}],
    one.worst.map(({frame, value}) => [count(frame), clip.fps ? clock(frame / clip.fps, 3) : '–', score(value, 6),
      [button('In the graphs', () => look_at(frame)), !embedded || with_picture.has(frame)
        ? button('Picture', () => show_picture(clip, frame, pictures)) : null]]),
    `Worst frames by ${one.name} (${feature_note(summary.features[one.feature])})`));
  const select = element('select', {name: 'worst', onchange: (event) => show(listed[Number(event.target.value)])},
    listed.map((one, i) => option(String(i), one.name)));
  show(listed[0]);
  const any_frame = element('input', {type: 'number', min: 0, max: Math.max((clip.frames ?? 1) - 1, 0), name: 'frame',
    'aria-label': 'Frame number'});
  const any = embedded ? null : element('form', {class: 'any-frame', onsubmit: (event) => {
    event.preventDefault();
    if (any_frame.value !== '') show_picture(clip, Number(any_frame.value), pictures);
  }}, element('label', {}, 'Any frame ', any_frame), element('button', {}, 'Picture'));
  // A report holds the pictures of its worst frames: they are shown at once, the worst first.
  const rank = ({frame}) => (listed[0].worst.findIndex((worst) => worst.frame === frame) + 1 || 1e9);
  const show_held = async () => {
    const held = await read_pictures(clip.id);
    if (held === null) return;
    for (const {frame} of held.pictures) with_picture.add(frame);
    show(listed[Number(select.value)]);
    pictures.before(...held.missing.map(({text}) => element('p', {class: 'note missing'}, `No picture: ${text}`)));
    for (const {frame} of held.pictures.sort((a, b) => rank(a) - rank(b))) await show_picture(clip, frame, pictures);
  };
  if (embedded) show_held();
  return {node: element('section', {class: 'worst'}, element('h2', {}, 'Worst frames'), element('label', {}, 'By ', select), table, any,
    pictures)};
}
