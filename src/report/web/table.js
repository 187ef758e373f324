// A table of any length: only the rows in sight are elements.
import {element} from './dom.js';

const ROW_HEIGHT_PX = 30;  // app.css: .long-table td
const SPARE_ROWS = 8;      // above and below what is seen

const collator = new Intl.Collator('en', {numeric: true});

// Missing values come last, whichever way the others are sorted.
function compare(a, b, direction) {
  const missing = (value) => value === null || value === undefined || Number.isNaN(value);
  if (missing(a) || missing(b)) return missing(a) - missing(b);
  return direction * (typeof a === 'string' ? collator.compare(a, b) : a < b ? -1 : a > b ? 1 : 0);
}

// columns: [{id, title, help, number, value(row), cell(row)}], where `value` is what is sorted by and `cell` a text or a node. A row is
// found again by its `key`, and opened by `open(row)`. sort: {column: id, direction: 1 or -1}, changed in place.
export class LongTable {
  constructor({caption, columns, sort, key, open}) {
    Object.assign(this, {caption, sort, key, open, rows: [], all: [], current: null});
    this.head = element('thead');
    this.body = element('tbody', {onkeydown: (event) => this.row_key(event)});
    this.table = element('table', {}, element('caption', {class: 'hidden'}, caption), this.head, this.body);
    this.node = element('div', {class: 'long-table', onscroll: () => this.scrolled()}, this.table);
    this.set_columns(columns);
  }

  set_columns(columns) {
    this.columns = columns;
    if (!columns.some((column) => column.id === this.sort.column)) this.sort.column = columns[0].id;
    this.draw_head();
  }

  draw_head() {
    const focused = this.head.contains(document.activeElement) ? document.activeElement.closest('th').dataset.column : undefined;
    this.head.replaceChildren(element('tr', {'aria-rowindex': 1}, this.columns.map((column) => {
      const sorted = column.id === this.sort.column ? this.sort.direction : 0;
      return element('th', {scope: 'col', class: column.number ? 'number' : null, 'data-column': column.id,
        'aria-sort': sorted > 0 ? 'ascending' : sorted < 0 ? 'descending' : null},
      column.value ? element('button', {type: 'button', title: column.help, onclick: () => this.sort_by(column.id)},
        column.title, element('span', {class: 'arrow', 'aria-hidden': 'true'}, sorted > 0 ? '▲' : sorted < 0 ? '▼' : ''))
        : element('span', {title: column.help}, column.title));
    })));
    if (focused !== undefined) this.head.querySelector(`th[data-column="${CSS.escape(focused)}"] button`)?.focus();
  }

  sort_by(id) {
    this.sort.direction = this.sort.column === id ? -this.sort.direction : 1;
    this.sort.column = id;
    this.draw_head();
    this.set_rows(this.all);
  }

  set_rows(rows) {
    this.all = rows;
    const column = this.columns.find((one) => one.id === this.sort.column);
    const keyed = rows.map((row, i) => [column.value(row), i, row]);
    keyed.sort((a, b) => compare(a[0], b[0], this.sort.direction) || a[1] - b[1]);
    this.rows = keyed.map(([, , row]) => row);
    this.table.setAttribute('aria-rowcount', this.rows.length + 1);
    this.draw_rows(true);
  }

  scrolled() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => { this.waiting = 0; this.draw_rows(false); });
  }

  draw_rows(changed) {
    const seen = Math.ceil((this.node.clientHeight || 600) / ROW_HEIGHT_PX);
    const top = Math.floor(this.node.scrollTop / ROW_HEIGHT_PX);
    const first = Math.max(0, Math.min(top - SPARE_ROWS, this.rows.length - seen - 2 * SPARE_ROWS));
    const last = Math.min(this.rows.length, first + seen + 2 * SPARE_ROWS);
    if (!changed && first === this.first && last === this.last) return;
    [this.first, this.last] = [first, last];
    const focused = this.body.contains(document.activeElement) ? document.activeElement.closest('tr')?.dataset.key : undefined;
    const shown = this.rows.slice(first, last);
    if (!shown.some((row) => String(this.key(row)) === this.current)) this.current = shown.length ? String(this.key(shown[0])) : null;
    const space = (rows) => {
      if (rows <= 0) return [];
      const cell = element('td', {colspan: this.columns.length});
      cell.style.height = `${rows * ROW_HEIGHT_PX}px`;
      return element('tr', {class: 'space', 'aria-hidden': 'true'}, cell);
    };
    this.body.replaceChildren(...[space(first), shown.map((row, i) => this.row_element(row, first + i)),
      space(this.rows.length - last)].flat());
    if (focused !== undefined) this.body.querySelector(`tr[data-key="${CSS.escape(focused)}"]`)?.focus({preventScroll: true});
  }

  row_element(row, index) {
    const key = String(this.key(row));
    return element('tr', {'data-key': key, 'aria-rowindex': index + 2, tabindex: key === this.current ? 0 : -1,
      onclick: (event) => { if (!event.target.closest('a, button')) this.open(row); },  // those have an act of their own
      onfocus: () => this.make_current(key)},
    this.columns.map((column) => element('td', {class: column.number ? 'number' : null}, column.cell(row))));
  }

  make_current(key) {
    this.body.querySelector('tr[tabindex="0"]')?.setAttribute('tabindex', -1);
    this.current = key;
    this.body.querySelector(`tr[data-key="${CSS.escape(key)}"]`)?.setAttribute('tabindex', 0);
  }

  row_key(event) {
    const at = this.rows.findIndex((row) => String(this.key(row)) === this.current);
    const page = Math.max(1, Math.floor(this.node.clientHeight / ROW_HEIGHT_PX) - 2);
    const steps = {__proto__: null, ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.rows.length, End: this.rows.length};
    if (event.key === 'Enter' && event.target.matches('tr')) this.open(this.rows[at]);
    else if (event.key in steps) this.focus_row(Math.min(Math.max(at + steps[event.key], 0), this.rows.length - 1));
    else return;
    event.preventDefault();
  }

  focus_row(index) {
    const head = this.head.offsetHeight, top = index * ROW_HEIGHT_PX;
    const lowest = top + ROW_HEIGHT_PX + head - this.node.clientHeight;
    this.node.scrollTop = Math.min(top, Math.max(lowest, this.node.scrollTop));
    this.draw_rows(false);
    this.body.querySelector(`tr[data-key="${CSS.escape(String(this.key(this.rows[index])))}"]`)?.focus({preventScroll: true});
  }
}
