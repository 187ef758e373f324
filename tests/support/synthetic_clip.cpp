#include "support/synthetic_clip.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace vmafbatch::testing {
namespace {

std::uint32_t hash(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  std::uint32_t h = a * 0x9E3779B1u ^ b * 0x85EBCA77u ^ c * 0xC2B2AE3Du ^ d * 0x27D4EB2Fu;
  h ^= h >> 15;
  h *= 0x2C1B3C6Du;
  h ^= h >> 12;
  h *= 0x297A2D39u;
  h ^= h >> 15;
  return h;
}

std::uint32_t u32(int v) { return static_cast<std::uint32_t>(v); }

// Value noise in [0, 65535]: a lattice of pitch 2^shift, bilinear between lattice points, position in 1/16 sample.
int value_noise(int x16, int y16, int shift, std::uint32_t seed) {
  const int pitch = 16 << shift;
  const auto lattice = [pitch](int v) { return v >= 0 ? v / pitch : -((-v + pitch - 1) / pitch); };
  const int lx = lattice(x16);
  const int ly = lattice(y16);
  const std::int64_t fx = x16 - lx * pitch;
  const std::int64_t fy = y16 - ly * pitch;
  const auto at = [&](int i, int j) { return std::int64_t{hash(u32(i), u32(j), u32(shift), seed) & 0xFFFF}; };
  const std::int64_t top = at(lx, ly) * (pitch - fx) + at(lx + 1, ly) * fx;
  const std::int64_t bottom = at(lx, ly + 1) * (pitch - fx) + at(lx + 1, ly + 1) * fx;
  return static_cast<int>((top * (pitch - fy) + bottom * fy) / (std::int64_t{pitch} * pitch));
}

int nature_sample(int plane, int x, int y, int w, int h, int frame, std::uint32_t s) {
  const int px = x * 16 + frame * 37;
  const int py = y * 16 + frame * 11;
  std::int64_t sum = 0;
  std::int64_t weight = 0;
  for (int octave = 6; octave >= 2; --octave) {
    const std::int64_t octave_weight = std::int64_t{1} << octave;
    sum += octave_weight * value_noise(px, py, octave, s);
    weight += octave_weight;
  }
  int v = static_cast<int>(sum / weight);
  v = 32768 + (v - 32768) * 3 / 2;
  const int cx = w * 2 / 3 - frame * 5;
  const int cy = h / 2 + frame * 2;
  const int r = std::min(w, h) / 5;
  const auto square = [](std::int64_t distance) { return distance * distance; };  // far from the disc in long clips
  if (square(x - cx) + square(y - cy) < square(r)) {
    v = 20000 + value_noise(x * 16, y * 16, 3, s + 77) / 3 + (plane != 0 ? 8000 : 0);
  }
  v += static_cast<int>(hash(u32(x), u32(y), u32(frame) + 1000, s) % 1200u) - 600;
  if (plane != 0) v = 32768 + (v - 32768) / 3;
  return std::clamp(v, 0, 65535);
}

int scene_sample(const std::string& scene, int plane, int x, int y, int w, int h, int frame, std::uint32_t seed) {
  const std::uint32_t s = seed * 3 + u32(plane);
  if (scene == "flat") return plane != 0 ? 32768 : 26000;
  if (scene == "noise") return static_cast<int>(hash(u32(x), u32(y), u32(frame), s) & 0xFFFF);
  if (scene == "bright") return 64000 + static_cast<int>(hash(u32(x), u32(y), u32(frame), s) % 1500u);
  if (scene == "checker") return plane != 0 ? 32768 : ((((x + frame * 4) / 8 + y / 8) & 1) != 0 ? 60000 : 5000);
  if (scene == "gradient") {
    const std::int64_t diagonal = (std::int64_t{x} * 3 + std::int64_t{y} * 5) * 40000 / (std::int64_t{w} * 3 + std::int64_t{h} * 5);
    return plane != 0 ? 32768 + static_cast<int>(diagonal / 8) - 2500 : 12000 + static_cast<int>(diagonal) + (frame * 37) % 300;
  }
  if (scene == "text") {
    const bool ink = (hash(u32(x / 3), u32(y / 5), 0, s) % 7 == 0) && ((y / 12) % 2 == 0);
    return plane != 0 ? 32768 : (ink ? 6000 : 58000);
  }
  if (scene == "nature") return nature_sample(plane, x, y, w, h, frame, s);
  throw std::invalid_argument("no scene " + scene);
}

// Samples on a 16-bit scale, 0..65535.
struct WidePlane {
  int w, h;
  std::vector<int> v;
};

void distort(WidePlane& p, const std::string& kind, int amount, int plane, int frame, std::uint32_t seed) {
  if (kind == "none") return;
  const WidePlane src = p;
  const auto at = [&](int x, int y) {
    x = std::clamp(x, 0, src.w - 1);
    y = std::clamp(y, 0, src.h - 1);
    return src.v[static_cast<size_t>(y) * static_cast<size_t>(src.w) + static_cast<size_t>(x)];
  };
  for (int y = 0; y < p.h; ++y) {
    for (int x = 0; x < p.w; ++x) {
      int v = at(x, y);
      if (kind == "quantise" || kind == "posterise") {
        v = (v + amount / 2) / amount * amount;
      } else if (kind == "blur") {
        v = (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1) + 4 * v + 4) / 8;
      } else if (kind == "grain") {
        v += static_cast<int>(hash(u32(x), u32(y), u32(frame) + 5000, seed + u32(plane)) % u32(2 * amount)) - amount;
      } else if (kind == "shift") {
        v = at(x + amount, y);
      }
      p.v[static_cast<size_t>(y) * static_cast<size_t>(p.w) + static_cast<size_t>(x)] = std::clamp(v, 0, 65535);
    }
  }
}

WidePlane make_plane(const SyntheticClip& clip, int plane, int frame) {
  const io::PictureFormat format = format_of(clip);
  WidePlane p{format.plane_width(plane), format.plane_height(plane), {}};
  p.v.reserve(static_cast<size_t>(p.w) * static_cast<size_t>(p.h));
  for (int y = 0; y < p.h; ++y) {
    for (int x = 0; x < p.w; ++x) p.v.push_back(scene_sample(clip.scene, plane, x, y, p.w, p.h, frame, clip.seed));
  }
  const size_t colon = clip.distortion.find(':');
  const int amount = colon == std::string::npos ? 0 : std::atoi(clip.distortion.c_str() + colon + 1);
  distort(p, clip.distortion.substr(0, colon), amount, plane, frame, clip.seed);
  return p;
}

std::shared_ptr<io::Frame> empty_frame(const io::PictureFormat& format) {
  return std::make_shared<io::Frame>(format, std::make_unique<io::FrameBuffer>(format));
}

void write_planes(const io::Frame& frame, std::ostream& out) {
  with_sample_type(frame.format(), [&](auto sample) {
    using Sample = decltype(sample);
    for (int i = 0; i < frame.format().plane_count(); ++i) {
      const io::Plane<const Sample> plane = frame.plane<Sample>(i);
      for (int y = 0; y < plane.height; ++y) {
        out.write(reinterpret_cast<const char*>(plane.row(y)), static_cast<std::streamsize>(sizeof(Sample)) * plane.width);
      }
    }
  });
}

}  // namespace

io::PictureFormat format_of(const SyntheticClip& clip) {
  const io::Chroma chroma = clip.chroma == "400"   ? io::Chroma::k400
                            : clip.chroma == "420" ? io::Chroma::k420
                            : clip.chroma == "422" ? io::Chroma::k422
                                                   : io::Chroma::k444;
  return {clip.width, clip.height, chroma, clip.depth};
}

std::vector<std::shared_ptr<const io::Frame>> make_frames(const SyntheticClip& clip) {
  std::vector<std::shared_ptr<const io::Frame>> frames;
  for (int n = 0; n < clip.frames; ++n) {
    const std::shared_ptr<io::Frame> frame = empty_frame(format_of(clip));
    for (int plane = 0; plane < frame->format().plane_count(); ++plane) {
      const WidePlane wide = make_plane(clip, plane, n);
      with_sample_type(frame->format(), [&](auto sample) {
        using Sample = decltype(sample);
        const io::Plane<Sample> out = frame->writable_plane<Sample>(plane);
        for (int y = 0; y < wide.h; ++y) {
          for (int x = 0; x < wide.w; ++x) {
            const int v = wide.v[static_cast<size_t>(y) * static_cast<size_t>(wide.w) + static_cast<size_t>(x)];
            out.row(y)[x] = static_cast<Sample>(v >> (16 - clip.depth));
          }
        }
      });
    }
    frames.push_back(frame);
  }
  return frames;
}

std::vector<std::shared_ptr<const io::FramePair>> make_pairs(const SyntheticClip& clip) {
  SyntheticClip source = clip;
  source.distortion = "none";
  const auto reference = make_frames(source);
  const auto distorted = make_frames(clip);
  std::vector<std::shared_ptr<const io::FramePair>> pairs;
  for (size_t n = 0; n < reference.size(); ++n) pairs.push_back(std::make_shared<io::FramePair>(reference[n], distorted[n]));
  return pairs;
}

void write_y4m(const SyntheticClip& clip, const std::filesystem::path& path) {
  std::ofstream out(path, std::ios::binary);
  std::string tag = clip.chroma == "400" ? "mono" : clip.chroma;
  if (clip.depth > 8) tag += (clip.chroma == "400" ? "" : "p") + std::to_string(clip.depth);
  out << "YUV4MPEG2 W" << clip.width << " H" << clip.height << " F25:1 Ip A1:1 C" << tag << "\n";
  for (const auto& frame : make_frames(clip)) {
    out << "FRAME\n";
    write_planes(*frame, out);
  }
}

void write_raw(const SyntheticClip& clip, const std::filesystem::path& path) {
  std::ofstream out(path, std::ios::binary);
  for (const auto& frame : make_frames(clip)) write_planes(*frame, out);
}

std::shared_ptr<const io::Frame> make_frame(const io::PictureFormat& format, const std::function<int(int, int, int)>& sample) {
  const std::shared_ptr<io::Frame> frame = empty_frame(format);
  with_sample_type(format, [&](auto type) {
    using Sample = decltype(type);
    for (int i = 0; i < format.plane_count(); ++i) {
      const io::Plane<Sample> plane = frame->writable_plane<Sample>(i);
      for (int y = 0; y < plane.height; ++y) {
        for (int x = 0; x < plane.width; ++x) plane.row(y)[x] = static_cast<Sample>(sample(i, x, y));
      }
    }
  });
  return frame;
}

io::FrameWindow window_at(const std::vector<std::shared_ptr<const io::FramePair>>& pairs, std::int64_t index, int history) {
  std::vector<std::shared_ptr<const io::FramePair>> window;
  for (std::int64_t n = index; n >= 0 && n >= index - history; --n) window.push_back(pairs[static_cast<size_t>(n)]);
  return {index, std::move(window)};
}

}  // namespace vmafbatch::testing
