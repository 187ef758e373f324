// The row loops of float_adm as extractors call them.
#include "extractors/float_adm_rows.h"
namespace vmafbatch::extractors::float_adm {
void vertical_filter(const std::array<const float*, 4>& rows, Taps taps, SplitLine& line) { slow_vertical_filter(rows, taps, line); }
void horizontal_filter(const SplitLine& line, Taps taps, int first, int count, float* out) {
  slow_horizontal_filter(line, taps, first, count, out);
}
void weight_row(const BandRows& reference, const BandRows& distorted, int count, BandWeights weights, double gain_limit,
                const WeightedRow& out, int first) {
  slow_weight_row(reference, distorted, count, weights, gain_limit, out, first);
}
void threshold_row(const WeightedRow& above, const WeightedRow& here, const WeightedRow& below, Signal signal, int count, float* out) {
  slow_threshold_row(above, here, below, signal, count, out);
}
void term_row(const WeightedRow& row, const float* restored_threshold, const float* additive_threshold, bool cubed, int count,
              const TermRows& out) {
  slow_term_row(row, restored_threshold, additive_threshold, cubed, count, out);
}
}  // namespace vmafbatch::extractors::float_adm
