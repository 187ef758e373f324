// A curve as small as a word.
import {svg} from './dom.js';
import {number_of} from './format.js';

const WIDTH = 120, HEIGHT = 24;

// values: the worst value of each part of the clip, in order; range: what the height stands for, [low, high].
export function sparkline(values, range, label) {
  const finite = values.map(number_of);
  const [low, high] = range;
  const scale = high > low ? (HEIGHT - 4) / (high - low) : 0;
  const at = (value) => HEIGHT - 2 - (Math.min(Math.max(value, low), high) - low) * scale;
  const step = finite.length > 1 ? (WIDTH - 4) / (finite.length - 1) : 0;
  let path = '', drawn = false;
  finite.forEach((value, i) => {
    if (Number.isNaN(value)) { drawn = false; return; }
    path += `${drawn ? 'L' : 'M'}${(2 + i * step).toFixed(1)} ${at(value).toFixed(1)}`;
    drawn = true;
  });
  if (finite.length === 1 && path) path += 'h4';
  return svg('svg', {class: 'sparkline', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, role: 'img', 'aria-label': label},
    svg('path', {d: path}));
}
