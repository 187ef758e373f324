// Small text in pictures, in a font of our own: printable ASCII, 5x8 dots in cells of 6x9.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/picture_writer.h"

namespace vmafbatch::report {

inline constexpr int kCellWidth = 6;  // of one character, with the gap behind it; times the scale
inline constexpr int kCellHeight = 9;

using Colour = std::array<std::uint8_t, 3>;  // red, green, blue

// What can be drawn of a text of any bytes: every other character (one of UTF-8, else one byte) is a '?'.
std::string drawable(std::string_view text);

// Breaks a line at spaces, or inside a longer word, so that no part has more than `width` characters. REQUIRES: width > 0
std::vector<std::string> wrapped(const std::string& line, int width);

// Draws drawable(text) with its upper left corner at (x, y), each dot `scale` pixels wide and high. What lies outside is left out.
void draw_text(io::RgbPicture& picture, int x, int y, std::string_view text, int scale, Colour colour);

}  // namespace vmafbatch::report
