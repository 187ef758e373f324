#include "extractors/cambi_picture.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

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

template <class Sample>
void convert(const io::Plane<const Sample>& in, int bit_depth, const io::Plane<std::uint16_t>& out) {
  const auto ten_bits = [bit_depth](Sample sample) { return static_cast<std::uint16_t>(cambi_ten_bits(sample, bit_depth)); };
  if (in.width == out.width && in.height == out.height) {
    for (int y = 0; y < out.height; ++y) std::transform(in.row(y), in.row(y) + in.width, out.row(y), ten_bits);
    return;
  }
  const std::vector<int> rows = cambi_nearest_positions(in.height, out.height);
  const std::vector<int> columns = cambi_nearest_positions(in.width, out.width);
  for (int y = 0; y < out.height; ++y) {
    const Sample* row = in.row(rows[static_cast<size_t>(y)]);
    std::transform(columns.begin(), columns.end(), out.row(y), [&](int x) { return ten_bits(row[x]); });
  }
}

// In place, in raster order: each result needs samples that are still as they were.
void take_dithering_away(const io::Plane<std::uint16_t>& plane) {
  const int last_x = plane.width - 1;
  const int last_y = plane.height - 1;
  for (int y = 0; y < last_y; ++y) {
    std::uint16_t* row = plane.row(y);
    const std::uint16_t* below = plane.row(y + 1);
    for (int x = 0; x < last_x; ++x) row[x] = static_cast<std::uint16_t>(cambi_mean4(row[x], row[x + 1], below[x], below[x + 1]));
    row[last_x] = static_cast<std::uint16_t>(cambi_mean2(row[last_x], below[last_x]));
  }
  std::uint16_t* row = plane.row(last_y);
  for (int x = 0; x < last_x; ++x) row[x] = static_cast<std::uint16_t>(cambi_mean2(row[x], row[x + 1]));
}

// 1 where a sample equals its right and its lower neighbour, of those that there are.
CambiPlane<std::uint8_t> flat_samples(const io::Plane<const std::uint16_t>& samples) {
  CambiPlane<std::uint8_t> flat(samples.width, samples.height);
  for (int y = 0; y < samples.height; ++y) {
    const std::uint16_t* row = samples.row(y);
    const std::uint16_t* below = samples.row(std::min(y + 1, samples.height - 1));
    for (int x = 0; x < samples.width; ++x) {
      const int right = std::min(x + 1, samples.width - 1);
      flat.view().row(y)[x] = row[x] == row[right] && row[x] == below[x] ? 1 : 0;
    }
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

CambiPlane<std::uint16_t> cambi_ten_bit_plane(const io::Frame& frame, const CambiView& view, bool antidither) {
  CambiPlane<std::uint16_t> plane(view.width, view.height);
  with_sample_type(frame.format(), [&](auto sample) {
    const io::Plane<const decltype(sample)> luma = frame.plane<decltype(sample)>(0);
    check_samples(luma, frame.format().bit_depth);
    convert(luma, frame.format().bit_depth, plane.view());
  });
  if (antidither) take_dithering_away(plane.view());
  return plane;
}

int cambi_mask_threshold(int width, int height) {
  const auto blocks = static_cast<unsigned>((width >> 6) * (height >> 6));
  const int bits = blocks <= 1 ? 0 : static_cast<int>(std::bit_width(blocks - 1));  // of 2^bits >= blocks
  return (49 + 3 * (bits - 11) - 1) >> 1;
}

CambiPlane<std::uint8_t> slow_cambi_mask(io::Plane<const std::uint16_t> samples) {
  const CambiPlane<std::uint8_t> flat = flat_samples(samples);
  const int threshold = cambi_mask_threshold(samples.width, samples.height);
  CambiPlane<std::uint8_t> mask(samples.width, samples.height);
  std::vector<int> columns(static_cast<size_t>(samples.width));
  for (int y = 0; y < samples.height; ++y) {
    std::ranges::fill(columns, 0);
    for (int v = std::max(y - kMaskReach, 0); v <= std::min(y + kMaskReach, samples.height - 1); ++v) {
      for (int x = 0; x < samples.width; ++x) columns[static_cast<size_t>(x)] += flat.view().row(v)[x];
    }
    for (int x = 0; x < samples.width; ++x) {
      int count = 0;
      for (int u = std::max(x - kMaskReach, 0); u <= std::min(x + kMaskReach, samples.width - 1); ++u) {
        count += columns[static_cast<size_t>(u)];
      }
      mask.view().row(y)[x] = count > threshold ? 1 : 0;
    }
  }
  return mask;
}

CambiPlane<std::uint8_t> cambi_mask(io::Plane<const std::uint16_t> samples) { return slow_cambi_mask(samples); }

const CambiPicture& cambi_picture(const io::Frame& frame, const CambiView& view, bool antidither) {
  const std::string key =
      "cambi " + std::to_string(view.width) + "x" + std::to_string(view.height) + (antidither ? " without dithering" : "");
  return frame.derived().get<CambiPicture>(key, [&] {
    CambiPicture picture;
    picture.samples = cambi_ten_bit_plane(frame, view, antidither);
    picture.mask = cambi_mask(std::as_const(picture.samples).view());
    return picture;
  });
}

size_t cambi_picture_bytes(const CambiView& view) {
  return static_cast<size_t>(view.width) * static_cast<size_t>(view.height) * (sizeof(std::uint16_t) + sizeof(std::uint8_t));
}

}  // namespace vmafbatch::extractors
