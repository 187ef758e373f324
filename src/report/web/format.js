// Numbers and times as people read them.

// JSON has no infinities: documents write them as the texts "inf" and "-inf", and null where there is no value.
export function number_of(value) {
  if (value === 'inf') return Infinity;
  if (value === '-inf') return -Infinity;
  return typeof value === 'number' ? value : NaN;
}

// All digits of a number: what tells it from every other.
export function digits(value) {
  const number = number_of(value);
  return Number.isFinite(number) ? (Object.is(number, -0) ? '−0' : String(number).replaceAll('-', '−')) : score(number);
}

// A score with `decimals` digits behind the point, so that a column's points stand below each other; with a power of ten where those would
// show nothing of it, or too much.
export function score(value, decimals = 3) {
  const number = number_of(value);
  if (Number.isNaN(number)) return '–';
  if (!Number.isFinite(number)) return number > 0 ? '∞' : '−∞';
  const size = Math.abs(number);
  const text = size !== 0 && (size < 1e-3 || size >= 1e7) ? number.toExponential(3) : number.toFixed(decimals);
  return text.replace('-', '−');
}

// A difference: as a score, with its sign.
export function difference(value) {
  const number = number_of(value);
  return number > 0 ? `+${score(number)}` : score(number);
}

// A whole number, its thousands apart by a narrow space.
export function count(value) {
  return value === undefined || value === null ? '–' : value.toLocaleString('en').replaceAll(',', '\u202f');
}

export function plural(value, one, many = `${one}s`) {
  return `${count(value)} ${value === 1 ? one : many}`;
}

// Seconds as 1:02:03.4, or 02:03.456 with more decimals.
export function clock(seconds, decimals = 1) {
  if (!Number.isFinite(seconds)) return '–';
  const unit = 10 ** decimals;
  const ticks = Math.round(seconds * unit);
  const rest = ((ticks % (60 * unit)) / unit).toFixed(decimals).padStart(decimals ? decimals + 3 : 2, '0');
  const minutes = Math.floor(ticks / (60 * unit));
  const hours = Math.floor(minutes / 60);
  return hours > 0 ? `${hours}:${String(minutes % 60).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

export function duration(seconds) {
  if (!Number.isFinite(seconds)) return '–';
  return seconds < 60 ? `${seconds.toFixed(seconds < 10 ? 2 : 1)} s` : clock(seconds, 0);
}

export function bytes(value) {
  if (!Number.isFinite(value)) return '–';
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let size = value, unit = 0;
  while (size >= 1000 && unit < units.length - 1) { size /= 1000; unit++; }
  return `${size.toFixed(unit === 0 ? 0 : 1)} ${units[unit]}`;
}
