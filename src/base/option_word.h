// What separates the options of a scoring from each other in the one text in which a database has them:
// "features=cambi=window_size=33;psnr;model vmaf 01ab frames=5 scale=bicubic".
#pragma once

#include <string_view>

namespace vmafbatch {

// "scale=bicubic", a word as the options behind the features and models are written: small letters and '_', then '='.
bool is_option_word(std::string_view word);

// Whether a value that people choose (a path, a name) would be read as the end of its option there: it holds a ';', which stands between
// features and models, or an option word behind a blank.
bool ends_its_option(std::string_view value);

}  // namespace vmafbatch
