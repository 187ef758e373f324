// What is said about a feature beside its name.
import {element, option} from './dom.js';
import {digits, score} from './format.js';

export const WORST_SIDE = {__proto__: null, higher: 'low', lower: 'high', none: 'low'};

const BETTER = {__proto__: null, higher: 'higher is better', lower: 'lower is better', none: 'no quality score'};
const STATUS_SIGNS = {__proto__: null, done: '✓', partial: '◐', failed: '✗', running: '▶'};

// "0 .. 100, higher is better", with the unit.
export function feature_note(feature) {
  const better = BETTER[feature.direction];
  const range = feature.range || better;
  const unit = feature.unit && !range.includes(feature.unit) ? `${feature.unit}, ` : '';
  return unit + (range.includes('better') || feature.direction === 'none' ? range : `${range}, ${better}`);
}

// Digits behind the point that tell scores of a feature apart: more where its whole range is 0 to 1.
export function decimals_of(feature) {
  return feature.high !== null && feature.high <= 1 ? 6 : 3;
}

// A <select> of features; `chosen` is a number.
export function feature_select(features, chosen, act, wanted = () => true) {
  return element('select', {name: 'feature', onchange: (event) => act(Number(event.target.value))},
    features.map((feature, i) => (wanted(feature) ? option(String(i), feature.name, i === chosen) : null)));
}

// A text of all that forms offer for choice: another one where they must be drawn again.
export function choices_of({features, tags}) {
  return JSON.stringify([features.map((feature) => feature.name), tags]);
}

// The feature that a view begins with.
export function first_feature({primary, features}) {
  return primary ?? Math.max(features.findIndex((feature) => feature.direction !== 'none'), 0);
}

// The number of the feature with a name; where no feature has it, that of the one that a view begins with.
export function feature_number(summary, name) {
  const number = summary.features.findIndex((feature) => feature.name === name);
  return number >= 0 ? number : first_feature(summary);
}

// Features of a clip in the order in which a reader wants them: the one that views begin with, those that tell quality, the others.
export function by_interest(list, summary) {
  const rank = (one) => (one.feature === first_feature(summary) ? 0 : summary.features[one.feature].direction !== 'none' ? 1 : 2);
  return [...list].sort((a, b) => rank(a) - rank(b));
}

// A score in a table; its title has all digits.
export function score_cell(value, decimals) {
  return element('span', {title: digits(value)}, score(value, decimals));
}

export function status_mark(status) {
  return element('span', {class: `status ${status in STATUS_SIGNS ? status : ''}`},
    element('span', {'aria-hidden': 'true'}, `${STATUS_SIGNS[status] ?? '?'} `), status);
}
