// Pictures of where cambi sees banding: one file per frame and scale, raw 16-bit little-endian grey.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "extractors/cambi_setup.h"
#include "io/plane.h"

namespace vmafbatch::extractors {

// The files of one clip: FOLDER/CLIP/cambi_heatmap_scale_S_WxH_16b_NNNNNN.gray, where CLIP is the clip's name, S the scale, NNNNNN the
// frame's position in the clip, and WxH the encoded size halved S times (with cambi_high_res_speedup the picture is one halving smaller
// than that, as in the reference). Behind "cambi" stand the options of the key, if any. The files of one scale, joined in the order of
// their names, are the file that the reference writes. Any thread may write any frame.
class CambiHeatmaps {
 public:
  // Makes the folders. The error names the folder that cannot be made.
  static Result<CambiHeatmaps> create(const std::string& folder, std::string_view clip_name, std::string_view key_suffix,
                                      const CambiView& view, int steps);

  // Throws std::runtime_error, which names the file, where it cannot be written.
  void write(std::int64_t frame, int scale, io::Plane<const float> contrasts) const;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  CambiHeatmaps(std::filesystem::path folder, std::string_view key_suffix, const CambiView& view, int steps);

  std::filesystem::path folder_;
  std::string stem_;
  CambiView view_;
  int largest_;  // the contrast that becomes white
};

// The samples of a heat map: `contrasts` scaled so that `largest` becomes 65535, two bytes each.
std::vector<char> cambi_heatmap_bytes(io::Plane<const float> contrasts, int largest);

// Where the files of a clip go, and whether one of them could have this name.
std::filesystem::path heatmap_folder(std::string_view folder, std::string_view clip_name);
bool is_heatmap_name(std::string_view file_name);

// A name as one part of a path: "/" and what else a path treats specially, and "%", become "%" and two hexadecimal digits. Two
// names never give the same part.
std::string path_part(std::string_view name);

}  // namespace vmafbatch::extractors
