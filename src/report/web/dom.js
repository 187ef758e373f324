// Elements from code. Every text becomes a text node: nothing that comes from a database is ever read as HTML.

const SVG = 'http://www.w3.org/2000/svg';

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'checked' || name === 'selected') node[name] = value;
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

// element('a', {href: '#clips', onclick: act}, 'Clips'): properties are attributes, or listeners where their names begin with `on`.
export function element(name, properties = {}, ...children) {
  return fill(document.createElement(name), properties, children);
}

export function svg(name, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, name), properties, children);
}

// Fills a holder anew; where nothing changed it stays as it is, with what is marked or has the focus in it.
export function refresh(holder, ...children) {
  const fresh = fill(holder.cloneNode(false), {}, children);
  if (!holder.isEqualNode(fresh)) holder.replaceChildren(...fresh.childNodes);
}

// A table of a known, small size. columns: [{title, number, help}], rows: arrays of texts or nodes, one per column.
export function small_table(columns, rows, caption) {
  const align = (column) => (column.number ? 'number' : null);
  return element('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption}, element('table', {},
    element('caption', {}, caption),
    element('thead', {}, element('tr', {}, columns.map((c) => element('th', {scope: 'col', class: align(c), title: c.help}, c.title)))),
    element('tbody', {}, rows.map((row) => element('tr', {}, row.map((cell, i) => element('td', {class: align(columns[i])}, cell)))))));
}

// <dl> of what is known: pairs whose value is undefined, null or '' are left out.
export function facts(pairs) {
  return element('dl', {}, pairs.filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))));
}

export function option(value, text, selected = false) {
  return element('option', {value, selected}, text);
}

// A labelled field: field('Text', element('input', ...)).
export function field(text, control) {
  return element('label', {}, element('span', {}, text), control);
}

// Puts a newer form in the place of what a holder has; who is in one of its controls, known by its name, stays there.
export function replace_form(holder, form) {
  const {name} = holder.contains(document.activeElement) ? document.activeElement : {};
  holder.replaceChildren(form);
  if (name) holder.querySelector(`[name="${CSS.escape(name)}"]`)?.focus();
}

// `act` once, `delay_ms` after the last call.
export function later(act, delay_ms) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...args), delay_ms);
  };
}
