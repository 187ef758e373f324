// Clips made from a formula: the same samples on every machine (tests/golden/make_clips.cpp writes the same as Y4M files).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/frame.h"

namespace vmafbatch::testing {

struct SyntheticClip {
  std::string scene = "nature";  // nature, checker, gradient, noise, flat, bright, text
  int width = 64;
  int height = 48;
  std::string chroma = "420";  // 400, 420, 422, 444
  int depth = 8;
  int frames = 3;
  std::uint32_t seed = 1;
  std::string distortion = "none";  // none, quantise:N, blur, grain:N, shift:N, posterise:N
};

io::PictureFormat format_of(const SyntheticClip& clip);

// The pictures of the clip with its distortion.
std::vector<std::shared_ptr<const io::Frame>> make_frames(const SyntheticClip& clip);

// Reference (without the distortion) and distorted pictures, paired.
std::vector<std::shared_ptr<const io::FramePair>> make_pairs(const SyntheticClip& clip);

// Writes the clip as a Y4M file.
void write_y4m(const SyntheticClip& clip, const std::filesystem::path& path);
// Writes the planes alone.
void write_raw(const SyntheticClip& clip, const std::filesystem::path& path);

// A picture from a function of (plane, x, y); the sample is cut to the container's bits.
std::shared_ptr<const io::Frame> make_frame(const io::PictureFormat& format, const std::function<int(int, int, int)>& sample);

// Window n of a clip, with as much history as there is up to `history`.
io::FrameWindow window_at(const std::vector<std::shared_ptr<const io::FramePair>>& pairs, std::int64_t index, int history);

}  // namespace vmafbatch::testing
