#include "extractors/cambi_picture.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <utility>

#include "extractors/cambi_math.h"

namespace vmafbatch::extractors {
namespace {

constexpr int kMaskReach = 3;  // 7x7 samples

template <class Sample>
void check_samples(const io::Plane<const Sample>& plane, int bit_depth) {
  if (bit_depth == 8 * static_cast<int>(sizeof(Sample))) return;
  const int largest = (1 << bit_depth) - 1;
  Sample bits = 0;
  for (int y = 0; y < plane.height; ++y) {
    for (int x = 0; x < plane.width; ++x) bits = static_cast<Sample>(bits | plane.row(y)[x]);
  }
  if (bits > largest) {
    throw std::runtime_error("a luma sample is above " + std::to_string(largest) + ", the largest of " + std::to_string(bit_depth) +
                             " bits; check the bit depth of the input");
  }
}

void ten_bits(const std::uint8_t* in, int n, int bit_depth, std::uint16_t* out, const CambiRows& rows) {
  rows.ten_bits_of_bytes(in, n, bit_depth, out);
}
void ten_bits(const std::uint16_t* in, int n, int bit_depth, std::uint16_t* out, const CambiRows& rows) {
  rows.ten_bits_of_words(in, n, bit_depth, out);
}

template <class Sample>
void convert(const io::Plane<const Sample>& in, int bit_depth, const io::Plane<std::uint16_t>& out, const CambiRows& rows) {
  if (in.width == out.width && in.height == out.height) {
    for (int y = 0; y < out.height; ++y) ten_bits(in.row(y), in.width, bit_depth, out.row(y), rows);
    return;
  }
  const std::vector<int> from_rows = cambi_nearest_positions(in.height, out.height);
  const std::vector<int> from_columns = cambi_nearest_positions(in.width, out.width);
  for (int y = 0; y < out.height; ++y) {
    const Sample* row = in.row(from_rows[static_cast<size_t>(y)]);
    std::transform(from_columns.begin(), from_columns.end(), out.row(y),
                   [&](int x) { return static_cast<std::uint16_t>(cambi_ten_bits(row[x], bit_depth)); });
  }
}

// In place, in raster order: each result needs samples that are still as they were.
void take_dithering_away(const io::Plane<std::uint16_t>& plane, const CambiRows& rows) {
  const int last_x = plane.width - 1;
  const int last_y = plane.height - 1;
  for (int y = 0; y < last_y; ++y) {
    std::uint16_t* row = plane.row(y);
    const std::uint16_t* below = plane.row(y + 1);
    rows.mean_in_place(row, below, last_x);
    row[last_x] = static_cast<std::uint16_t>(cambi_mean2(row[last_x], below[last_x]));
  }
  std::uint16_t* row = plane.row(last_y);
  for (int x = 0; x < last_x; ++x) row[x] = static_cast<std::uint16_t>(cambi_mean2(row[x], row[x + 1]));
}

// 1 where a sample equals its right and its lower neighbour, of those that there are.
CambiPlane<std::uint8_t> flat_samples(const io::Plane<const std::uint16_t>& samples, const CambiRows& rows) {
  CambiPlane<std::uint8_t> flat(samples.width, samples.height);
  const int last_x = samples.width - 1;
  for (int y = 0; y < samples.height; ++y) {
    const std::uint16_t* row = samples.row(y);
    const std::uint16_t* below = samples.row(std::min(y + 1, samples.height - 1));
    rows.flat(row, below, last_x, flat.view().row(y));
    flat.view().row(y)[last_x] = row[last_x] == below[last_x] ? 1 : 0;
  }
  return flat;
}

}  // namespace

std::vector<int> cambi_nearest_positions(int input_count, int count) {
  const float step = static_cast<float>(input_count) / static_cast<float>(count);
  auto position = static_cast<float>(static_cast<double>(step / 2) - 0.5);
  std::vector<int> positions(static_cast<size_t>(count));
  for (int& nearest : positions) {
    // Enlarging, the accumulated error can pass the last sample.
    nearest = std::min(static_cast<int>(static_cast<double>(position) + 0.5), input_count - 1);
    position += step;
  }
  return positions;
}

CambiPlane<std::uint16_t> cambi_ten_bit_plane(const io::Frame& frame, const CambiView& view, bool antidither, const CambiRows& rows) {
  CambiPlane<std::uint16_t> plane(view.width, view.height);
  with_sample_type(frame.format(), [&](auto sample) {
    const io::Plane<const decltype(sample)> luma = frame.plane<decltype(sample)>(0);
    check_samples(luma, frame.format().bit_depth);
    convert(luma, frame.format().bit_depth, plane.view(), rows);
  });
  if (antidither) take_dithering_away(plane.view(), rows);
  return plane;
}

int cambi_mask_threshold(int width, int height) {
  const auto blocks = static_cast<unsigned>((width >> 6) * (height >> 6));
  const int bits = blocks <= 1 ? 0 : static_cast<int>(std::bit_width(blocks - 1));  // of 2^bits >= blocks
  return (49 + 3 * (bits - 11) - 1) >> 1;
}

CambiPlane<std::uint8_t> cambi_mask(io::Plane<const std::uint16_t> samples, const CambiRows& rows) {
  const CambiPlane<std::uint8_t> flat = flat_samples(samples, rows);
  const std::vector<std::uint8_t> outside(static_cast<size_t>(samples.width));
  const auto flat_row = [&](int y) { return y >= 0 && y < samples.height ? flat.view().row(y) : outside.data(); };
  const int threshold = cambi_mask_threshold(samples.width, samples.height);

  CambiPlane<std::uint8_t> mask(samples.width, samples.height);
  std::vector<std::uint8_t> padded(static_cast<size_t>(samples.width) + 2 * kMaskReach);
  std::uint8_t* const counts = padded.data() + kMaskReach;  // of each column, over the rows around y
  for (int y = 0; y < kMaskReach; ++y) rows.move_counts(flat_row(y), outside.data(), samples.width, counts);
  for (int y = 0; y < samples.height; ++y) {
    rows.move_counts(flat_row(y + kMaskReach), flat_row(y - kMaskReach - 1), samples.width, counts);
    rows.mask(counts, samples.width, threshold, mask.view().row(y));
  }
  return mask;
}

const CambiPicture& cambi_picture(const io::Frame& frame, const CambiView& view, bool antidither) {
  const std::string key =
      "cambi " + std::to_string(view.width) + "x" + std::to_string(view.height) + (antidither ? " without dithering" : "");
  return frame.derived().get<CambiPicture>(key, [&] {
    CambiPicture picture;
    picture.samples = cambi_ten_bit_plane(frame, view, antidither, cambi_rows());
    picture.mask = cambi_mask(std::as_const(picture.samples).view(), cambi_rows());
    return picture;
  });
}

size_t cambi_picture_bytes(const CambiView& view) {
  return static_cast<size_t>(view.width) * static_cast<size_t>(view.height) * (sizeof(std::uint16_t) + sizeof(std::uint8_t));
}

}  // namespace vmafbatch::extractors
