#include "support/media_files.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace vmafbatch::testing {
namespace {

std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_file(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

void cut_file(const std::string& path, std::uintmax_t bytes) { std::filesystem::resize_file(path, bytes); }

bool run_ffmpeg(const std::vector<std::string>& arguments) {
  std::string command = "ffmpeg -nostdin -hide_banner -loglevel error -y";
  for (const std::string& argument : arguments) command += " " + shell_quoted(argument);
  return std::system((command + " 2>/dev/null").c_str()) == 0;
}

bool has_encoder(const std::string& name) {
  return std::system(("ffmpeg -hide_banner -encoders 2>/dev/null | grep -q " + shell_quoted(" " + name + " ")).c_str()) == 0;
}

std::string plane_bytes(const io::Frame& frame) {
  std::string bytes;
  with_sample_type(frame.format(), [&](auto sample) {
    for (int i = 0; i < frame.format().plane_count(); ++i) {
      const auto plane = frame.plane<decltype(sample)>(i);
      for (int y = 0; y < plane.height; ++y) {
        bytes.append(reinterpret_cast<const char*>(plane.row(y)), static_cast<size_t>(plane.width) * sizeof sample);
      }
    }
  });
  return bytes;
}

Decoded decode_all(io::VideoReader& reader) {
  io::FramePool pool(0);
  Decoded decoded;
  while (true) {
    io::ReadResult result = reader.next(pool);
    if (result.kind != io::ReadResult::Kind::kFrame) {
      decoded.end = result;
      return decoded;
    }
    decoded.bytes += plane_bytes(*result.frame);
    ++decoded.frames;
  }
}

}  // namespace vmafbatch::testing
