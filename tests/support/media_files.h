// Files for the tests of the input side: a folder that vanishes, clips by the ffmpeg program, bytes in and out.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/frame.h"
#include "io/video_reader.h"
#include "support/temporary_folder.h"

namespace vmafbatch::testing {

std::string file_bytes(const std::string& path);
void write_file(const std::string& path, std::string_view bytes);
// Keeps the first `bytes` bytes.
void cut_file(const std::string& path, std::uintmax_t bytes);

// Runs the ffmpeg program with these arguments, quietly. False where it is missing or fails.
bool run_ffmpeg(const std::vector<std::string>& arguments);
// Whether the ffmpeg program is there and has the encoder.
bool has_encoder(const std::string& name);

// The planes of a picture without padding.
std::string plane_bytes(const io::Frame& frame);

// All pictures of a reader, joined, and how it ended.
struct Decoded {
  std::string bytes;
  int frames = 0;
  io::ReadResult end;
};
Decoded decode_all(io::VideoReader& reader);

}  // namespace vmafbatch::testing
