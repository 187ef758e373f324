// Renditions of one reference: score against bit rate, and the Bjøntegaard rate between two values of a tag.
import {element, field, option, replace_form, small_table} from './dom.js';
import {address} from './links.js';
import {chart_legend, xy_chart} from './chart.js';
import {count, number_of, plural, score} from './format.js';
import {tag_of} from './documents.js';
import {choices_of, decimals_of, feature_note, feature_number, feature_select} from './features.js';

// What the view remembers while others are shown; the feature by its name, which another database may have under another number.
const state = {feature: null, ladder: null, tag: null};

function kilobits(bits) {
  return count(Math.round(bits / 1000));
}

function percent(value) {
  const number = number_of(value);
  return Number.isNaN(number) ? '–' : `${number > 0 ? '+' : ''}${number.toFixed(2)} %`.replace('-', '−');
}

function ladder_name({reference, label}) {
  return label ? `${reference} (${label})` : reference;
}

// One line per value of the chosen tag.
function ladder_part(ladder, feature, number, tag) {
  const groups = new Map();
  for (const rendition of ladder.renditions) {
    const value = number_of(rendition.scores[number]);
    if (!Number.isFinite(value)) continue;
    const group = tag ? tag_of(rendition, tag) ?? 'without the tag' : 'renditions';
    if (!groups.has(group)) groups.set(group, []);
    const label = `${rendition.name}: ${feature.name} ${score(value, decimals_of(feature))} at ${kilobits(rendition.bitrate)} kbit/s`;
    groups.get(group).push({x: rendition.bitrate, y: value, label});
  }
  const series = [...groups].map(([name, points]) => ({name, points: points.sort((a, b) => a.x - b.x)}));
  const chart = series.length ? xy_chart({series, x: {title: 'bit rate, kbit/s (logarithmic)', text: kilobits, log: true},
    y: {title: feature.name, text: (value) => String(value)},
    description: `${feature.name} against bit rate for ${plural(ladder.renditions.length, 'rendition')} of ${ladder.reference}`})
      : element('p', {}, 'No values.');
  const table = small_table([{title: 'clip'}, ...(tag ? [{title: `tag.${tag}`}] : []), {title: 'bit rate, kbit/s', number: true},
    {title: feature.name, number: true}],
    ladder.renditions.map((one) => [element('a', {href: address('clip', one.id)}, one.name), ...(tag ? [tag_of(one, tag) ?? ''] : []),
      kilobits(one.bitrate),
      score(one.scores[number], decimals_of(feature))]), 'Renditions');
  return [tag ? chart_legend(series.map((one) => one.name)) : null, chart, table];
}

function rate_part(document, number, feature) {
  const rates = document.bd_rates.filter((rate) => rate.feature === number);
  if (!rates.length) return element('p', {}, `No BD-rate for ${feature.name}: it needs two values of a tag, with four renditions of one reference each.`);
  return rates.map((rate) => {
    const name = (ladder) => ladder_name(document.ladders[ladder]);
    const rows = [...rate.clips.map((one) => [name(one.ladder), percent(one.percent), score(one.low), score(one.high), '']),
      ...rate.left_out.map((one) => [name(one.ladder), '–', '–', '–', `left out: ${one.reason}`])];
    return element('section', {class: 'bd-rate'}, element('h3', {}, `tag.${rate.tag}: ${rate.to} against ${rate.from}`),
      element('p', {}, element('span', {class: 'big'}, percent(rate.mean_percent)),
        ` bit rate for equal ${feature.name}, mean over ${plural(rate.clips.length, 'ladder')}`,
        rate.left_out.length ? `; ${count(rate.left_out.length)} left out` : ''),
      small_table([{title: 'reference'}, {title: 'BD-rate', number: true}, {title: 'scores from', number: true},
        {title: 'to', number: true}, {title: ''}],
        rows, `BD-rate per reference, ${rate.to} against ${rate.from}`));
  });
}

// The tag that tells the lines of a chart apart: the first that BD-rates were measured for, else the first with several values.
function first_tag(document, summary) {
  return document.bd_rates[0]?.tag ?? summary.tags.find((tag) => tag.values.length > 1)?.name ?? '';
}

function left_out_part({left_out}) {
  return left_out.length ? small_table([{title: 'clip'}, {title: 'why it is in no ladder'}],
    left_out.map((one) => [element('a', {href: address('clip', one.id)}, one.name), one.reason]), 'Left out') : '';
}

class LaddersView {
  constructor(documents) {
    [this.form, this.body, this.left_out] = [element('div', {}), element('div', {}), element('div', {})];
    this.node = element('div', {}, element('h1', {}, 'Ladders'), this.form, this.body, this.left_out);
    this.choices = '';  // of the form that is drawn
    this.update(documents);
  }

  // Documents, and newer ones while a run is on.
  update({summary, ladders}) {
    Object.assign(this, {summary, ladders, number: feature_number(summary, state.feature)});
    const names = ladders.ladders.map(ladder_name), choices = JSON.stringify([names, choices_of(summary)]);
    if (!summary.tags.some((tag) => tag.name === state.tag) && state.tag !== '') state.tag = first_tag(ladders, summary);
    if (!names.includes(state.ladder)) state.ladder = names[0] ?? null;
    if (choices !== this.choices) replace_form(this.form, names.length ? this.filled_form() : '');
    this.choices = choices;
    this.draw_body();
    this.left_out.replaceChildren(left_out_part(ladders));
  }

  select(name, options) {
    return element('select', {name, onchange: (event) => { state[name] = event.target.value; this.draw_body(); }},
      options.map(([value, text]) => option(value, text, value === state[name])));
  }

  filled_form() {
    const {summary, ladders} = this;
    return element('form', {class: 'filters', onsubmit: (event) => event.preventDefault()},
      field('Reference', this.select('ladder', ladders.ladders.map((ladder) => [ladder_name(ladder), ladder_name(ladder)]))),
      field('Feature', feature_select(summary.features, this.number, (number) => this.choose(number))),
      field('A line for each', this.select('tag', [['', 'no tag'], ...summary.tags.map((tag) => [tag.name, `tag.${tag.name}`])])));
  }

  choose(number) {
    this.number = number;
    state.feature = this.summary.features[number].name;
    this.draw_body();
  }

  draw_body() {
    const {ladders, number} = this, feature = this.summary.features[number];
    if (!ladders.ladders.length || feature === undefined) {
      this.body.replaceChildren(element('p', {}, 'No two clips have the same reference and a known bit rate.'));
      return;
    }
    const ladder = ladders.ladders.find((one) => ladder_name(one) === state.ladder);
    this.body.replaceChildren(element('p', {class: 'note'}, feature_note(feature)), element('h2', {}, ladder_name(ladder)),
      element('div', {}, ladder_part(ladder, feature, number, state.tag)), element('h2', {}, 'BD-rate'),
      element('p', {class: 'note'}, 'How much more bit rate one codec, say, needs than the other for the same score; less is better.'),
      element('div', {}, rate_part(ladders, number, feature)),
      ladders.more_bd_rates ? element('p', {class: 'note'}, `${count(ladders.more_bd_rates)} more BD-rates are not listed.`) : '');
  }
}

export function ladders_view(documents) {
  const view = new LaddersView(documents);
  return {title: 'Ladders', node: view.node, update: (newer) => view.update(newer)};
}
