// The row loops of cambi's pictures, each in two forms with the same bits.
#pragma once

#include <cstdint>

namespace vmafbatch::extractors {

// Functions over `n` neighbouring samples of a row; n may be 0. Input and output are apart unless it says otherwise.
struct CambiRows {
  // Samples of `bit_depth` bits as ten bits.
  void (*ten_bits_of_bytes)(const std::uint8_t* in, int n, int bit_depth, std::uint16_t* out);
  void (*ten_bits_of_words)(const std::uint16_t* in, int n, int bit_depth, std::uint16_t* out);
  // row[x] = mean of row[x], row[x + 1], below[x], below[x + 1]: n + 1 samples are read.
  void (*mean_in_place)(std::uint16_t* row, const std::uint16_t* below, int n);
  // 1 where row[x] equals row[x + 1] and below[x], else 0: n + 1 samples of the row are read.
  void (*flat)(const std::uint16_t* row, const std::uint16_t* below, int n, std::uint8_t* out);
  // counts[x] += entering[x] - leaving[x]
  void (*move_counts)(const std::uint8_t* entering, const std::uint8_t* leaving, int n, std::uint8_t* counts);
  // 1 where the counts from x - 3 to x + 3, of at most 7 each, make more than `threshold`, else 0; 3 more are read on either side.
  void (*mask)(const std::uint8_t* counts, int n, int threshold, std::uint8_t* out);
  // cambi_mode() of three rows, which may overlap.
  void (*mode)(const std::uint16_t* a, const std::uint16_t* b, const std::uint16_t* c, int n, std::uint16_t* out);
};

// The fast form, or the plain one with --simd scalar.
const CambiRows& cambi_rows();
// The plain twins.
const CambiRows& slow_cambi_rows();

// What cambi_rows() takes with vectors, on this processor.
const CambiRows& fast_cambi_rows();

}  // namespace vmafbatch::extractors
