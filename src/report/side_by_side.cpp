#include "report/side_by_side.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/number_text.h"
#include "report/bitmap_font.h"

namespace vmafbatch::report {
namespace {

constexpr Colour kBackground = {24, 24, 24};
constexpr Colour kText = {232, 232, 232};
constexpr Colour kTitle = {150, 200, 255};
constexpr int kGap = 4;            // between panels, times the text's scale
constexpr int kTinySide = 240;     // panels smaller than this are enlarged as long as they stay within it
constexpr int kTallest = 16384;    // of a panel: what a picture of 8x65000 is cut down to
constexpr int kWideText = 900;     // pixels of width for each step of the text's size
constexpr size_t kMostLines = 40;  // of caption

// Raises out[first + column] to the differences of row y.
template <class Sample>
void add_row(const io::FramePair& pair, int plane, int y, const std::vector<int>& column_of, std::vector<int>& out, size_t first) {
  const Sample* r = pair.reference().plane<Sample>(plane).row(y);
  const Sample* d = pair.distorted().plane<Sample>(plane).row(y);
  for (size_t x = 0; x < column_of.size(); ++x) {
    int& largest = out[first + static_cast<size_t>(column_of[x])];
    largest = std::max(largest, std::abs(r[x] - d[x]));
  }
}

// Where each of `from` places lies in a row of `to`.
std::vector<int> places(int from, int to) {
  std::vector<int> place(static_cast<size_t>(from));
  for (int i = 0; i < from; ++i) place[static_cast<size_t>(i)] = static_cast<int>(std::int64_t{i} * to / from);
  return place;
}

// The largest differences of one plane at the size width x height, which is at most the plane's.
std::vector<int> plane_differences(const io::FramePair& pair, int plane, int width, int height) {
  const io::PictureFormat& format = pair.reference().format();
  const std::vector<int> columns = places(format.plane_width(plane), width);
  const std::vector<int> rows = places(format.plane_height(plane), height);
  std::vector<int> out(static_cast<size_t>(width) * static_cast<size_t>(height));
  io::with_sample_type(format, [&](auto sample) {
    for (size_t y = 0; y < rows.size(); ++y) {
      add_row<decltype(sample)>(pair, plane, static_cast<int>(y), columns, out, static_cast<size_t>(rows[y]) * static_cast<size_t>(width));
    }
  });
  return out;
}

// A plane of differences at any size: by maximum where it is smaller than the plane, repeated where it is larger.
std::vector<int> shown_differences(const io::FramePair& pair, int plane, int width, int height) {
  const io::PictureFormat& format = pair.reference().format();
  const int w = std::min(width, format.plane_width(plane));
  const int h = std::min(height, format.plane_height(plane));
  std::vector<int> small = plane_differences(pair, plane, w, h);
  if (w == width && h == height) return small;
  std::vector<int> out(static_cast<size_t>(width) * static_cast<size_t>(height));
  const std::vector<int> columns = places(width, w);
  const std::vector<int> rows = places(height, h);
  for (size_t y = 0, i = 0; y < rows.size(); ++y) {
    for (const int column : columns) out[i++] = small[static_cast<size_t>(rows[y]) * static_cast<size_t>(w) + static_cast<size_t>(column)];
  }
  return out;
}

// Copies `panel`, every pixel enlarged.
void place(const io::RgbPicture& panel, int enlarge, int x, int y, io::RgbPicture& out) {
  for (int row = 0; row < panel.height * enlarge; ++row) {
    std::uint8_t* to = out.pixel(x, y + row);
    if (enlarge == 1) {
      std::memcpy(to, panel.pixel(0, row), 3 * static_cast<size_t>(panel.width));
      continue;
    }
    for (int column = 0; column < panel.width * enlarge; ++column) {
      to = std::copy_n(panel.pixel(column / enlarge, row / enlarge), 3, to);
    }
  }
}

// The caption's lines as they fit.
std::vector<std::string> fitting(const std::vector<std::string>& caption, int characters) {
  std::vector<std::string> lines;
  for (const std::string& line : caption) {
    for (std::string& part : wrapped(drawable(line), characters)) lines.push_back(std::move(part));
  }
  if (lines.size() > kMostLines) {
    lines.resize(kMostLines);
    lines.back() = "...";
  }
  return lines;
}

}  // namespace

PanelSize panel_size(int width, int height, int max_width) {
  const int most = std::max(1, (max_width - 2 * kGap * std::max(1, max_width / kWideText)) / 3);
  const double scale = std::min({1.0, static_cast<double>(most) / width, static_cast<double>(kTallest) / height});
  PanelSize size;
  size.width = std::clamp(static_cast<int>(std::lround(width * scale)), 1, width);
  size.height = std::clamp(static_cast<int>(std::lround(height * scale)), 1, height);
  const int room = std::min(most, kTinySide);
  size.enlarge = std::max(1, std::min(room / size.width, kTinySide / size.height));
  return size;
}

io::RgbPicture difference_picture(const io::FramePair& pair, double amplify, int width, int height) {
  const io::PictureFormat& format = pair.reference().format();
  const double factor = amplify / (1 << (format.bit_depth - 8));
  const auto shown = [factor](int difference) { return std::min(255L, std::lround(std::min(255.0, difference * factor))); };
  const auto plane = [&](int index) { return shown_differences(pair, index, width, height); };
  const bool gray = format.plane_count() == 1;
  const std::vector<int> luma = plane(0);
  const std::vector<int> cb = gray ? std::vector<int>(luma.size()) : plane(1);
  const std::vector<int> cr = gray ? std::vector<int>(luma.size()) : plane(2);
  io::RgbPicture picture(width, height);
  for (size_t i = 0; i < luma.size(); ++i) {
    const long level = shown(luma[i]);
    picture.bytes[3 * i] = static_cast<std::uint8_t>(std::min(255L, level + shown(cr[i])));
    picture.bytes[3 * i + 1] = static_cast<std::uint8_t>(level);
    picture.bytes[3 * i + 2] = static_cast<std::uint8_t>(std::min(255L, level + shown(cb[i])));
  }
  return picture;
}

Result<io::RgbPicture> side_by_side(const io::FramePair& pair, const io::PairColours& colours, const std::vector<std::string>& caption,
                                    const SideBySideOptions& options) {
  const io::PictureFormat& format = pair.reference().format();
  const PanelSize size = panel_size(format.width, format.height, options.max_width);
  const Result<io::RgbPicture> reference = io::rgb_picture(pair.reference(), colours.reference, size.width, size.height);
  if (!reference.ok()) return reference.error();
  const Result<io::RgbPicture> distorted = io::rgb_picture(pair.distorted(), colours.distorted, size.width, size.height);
  if (!distorted.ok()) return distorted.error();
  const io::RgbPicture difference = difference_picture(pair, options.amplify, size.width, size.height);

  const int shown_width = size.width * size.enlarge;
  const int text = std::max(1, 3 * shown_width / kWideText);
  const int gap = kGap * text;
  const int line = kCellHeight * text;
  const int pitch = std::max(shown_width, (kLeastWidth - 2 * gap) / 3) + gap;  // narrow panels stand apart: their titles want room
  const int width = 3 * pitch - gap;
  const std::vector<std::string> lines = fitting(caption, (width - 2 * gap) / (kCellWidth * text));
  const int top = line + 2 * gap;  // of the panels
  const int below = top + size.height * size.enlarge + gap;
  io::RgbPicture picture(width, below + static_cast<int>(lines.size()) * (line + text) + gap);
  for (size_t i = 0; i < picture.bytes.size(); ++i) picture.bytes[i] = kBackground[i % 3];
  const std::array<const io::RgbPicture*, 3> panels = {&*reference, &*distorted, &difference};
  const std::array<std::string, 3> titles = {"reference", "distorted", "difference x" + format_general(options.amplify, 4)};
  for (int i = 0; i < 3; ++i) {
    const int x = i * pitch;
    draw_text(picture, x, gap, titles[static_cast<size_t>(i)], text, kTitle);
    place(*panels[static_cast<size_t>(i)], size.enlarge, x, top, picture);
  }
  for (size_t i = 0; i < lines.size(); ++i) draw_text(picture, gap, below + static_cast<int>(i) * (line + text), lines[i], text, kText);
  return picture;
}

}  // namespace vmafbatch::report
