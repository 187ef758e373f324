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

export function last_frame(curve) {
  return curve.count === 0 ? curve.first : curve.first + curve.count * curve.step - (curve.exact ? curve.step : 1);
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

// The overview with its middle replaced by a finer curve of the same feature: stretches as {frame, last, low, high}, in order of frames.
export function stretches(overview, detail) {
  const list = [];
  const take = (curve, from, to) => {
    for (let i = 0; i < curve.count; i++) {
      const frame = curve.first + i * curve.step;
      const last = curve.exact ? frame : frame + curve.step - 1;
      if (frame >= from && last <= to) list.push({frame, last, low: curve.low[i], high: curve.high[i]});
    }
  };
  if (detail === null || detail.count === 0) {
    take(overview, -Infinity, Infinity);
    return list;
  }
  take(overview, -Infinity, detail.first - 1);
  take(detail, -Infinity, Infinity);
  take(overview, last_frame(detail) + 1, Infinity);
  return list;
}
