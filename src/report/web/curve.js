// Curves as documents hold them, decoded: the smallest and the largest value of each stretch of frames.

export function decode_numbers(text, encoding) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return encoding === 'f64' ? new Float64Array(bytes.buffer) : new Float32Array(bytes.buffer);
}

// {first, step, count, exact, low, high}: value or stretch i begins at frame first + i * step. `exact`: low and high are the values themselves.
export function decode_curve(curve) {
  const {first, step, count} = curve;
  if (curve.encoding === 'f64') {
    const values = decode_numbers(curve.values, 'f64');
    return {first, step, count, exact: true, low: values, high: values};
  }
  return {first, step, count, exact: false, low: decode_numbers(curve.min, 'f32'), high: decode_numbers(curve.max, 'f32')};
}

// A curve that was asked for up to a frame, its `end`, tells nothing of those behind: its last stretch may be shorter than the others.
export function last_frame(curve) {
  const last = curve.count === 0 ? curve.first : curve.first + curve.count * curve.step - (curve.exact ? curve.step : 1);
  return Math.min(last, curve.end ?? Infinity);
}

// Smallest and largest finite value of several curves, as [low, high]; [0, 1] where there are none.
export function finite_range(curves) {
  let low = Infinity, high = -Infinity;
  for (const curve of curves) {
    for (let i = 0; i < curve.count; i++) {
      if (Number.isFinite(curve.low[i]) && curve.low[i] < low) low = curve.low[i];
      if (Number.isFinite(curve.high[i]) && curve.high[i] > high) high = curve.high[i];
    }
  }
  return low <= high ? [low, high] : [0, 1];
}

// The overview with its middle replaced by a finer curve of the same feature: {frame, from, last, low, high} in order of `frame`, where it is
// drawn; low and high are those of the frames `from` to `last`. A stretch of the overview that the detail covers in part stays, with its
// low and high: no frame may be without a stretch that has its value.
export function stretches(overview, detail) {
  const list = [];
  const take = (curve, is_wanted, drawn_at = (frame) => frame) => {
    for (let i = 0; i < curve.count; i++) {
      const from = curve.first + i * curve.step, last = curve.exact ? from : Math.min(from + curve.step - 1, last_frame(curve));
      if (is_wanted(from, last)) list.push({frame: drawn_at(from), from, last, low: curve.low[i], high: curve.high[i]});
    }
  };
  const all = () => true;
  if (detail === null || detail.count === 0) {
    take(overview, all);
    return list;
  }
  const end = last_frame(detail);
  take(overview, (from) => from < detail.first);
  take(detail, all);
  take(overview, (_, last) => last > end, (from) => Math.max(from, end + 1));
  return list;
}
