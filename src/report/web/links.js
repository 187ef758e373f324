// Links between the views: the view and its arguments stand in the address behind #, each part encoded.
import {element} from './dom.js';

export function address(...parts) {
  return `#${parts.map((part) => encodeURIComponent(part)).join('/')}`;
}

export function parts_of(hash) {
  return hash.replace(/^#/, '').split('/').map((part) => {
    try { return decodeURIComponent(part); } catch { return part; }
  });
}

// names: a Map from id to name; a clip that it does not have is named by its number, without a link.
export function clip_link(id, names) {
  return names.has(id) ? element('a', {href: address('clip', id)}, names.get(id)) : `#${id}`;
}
