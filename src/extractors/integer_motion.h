// The extractor behind motion and motion_v2: the same numbers under two sets of keys.
#pragma once

#include <array>
#include <optional>

#include "extractors/extractor.h"
#include "extractors/motion_series.h"

namespace vmafbatch::extractors {

// Where the features stand in the extractor's table.
struct IntegerMotionFeatures {
  size_t sad_score;
  std::optional<size_t> debug_score;  // the sad score once more
  size_t motion2;
  size_t motion3;
};

// The options of both; motion adds debug behind them.
inline constexpr std::array kIntegerMotionOptions = {
    OptionSpec{.name = "motion_force_zero",
               .alias = "force_0",
               .type = OptionType::kBool,
               .default_value = false,
               .help = "every output is 0; nothing is measured"},
    OptionSpec{.name = "motion_blend_factor",
               .alias = "mbf",
               .type = OptionType::kReal,
               .default_value = 1.0,
               .minimum = 0.0,
               .maximum = 1.0,
               .help = "motion3: weight of the part above motion_blend_offset"},
    OptionSpec{.name = "motion_blend_offset",
               .alias = "mbo",
               .type = OptionType::kReal,
               .default_value = 40.0,
               .minimum = 0.0,
               .maximum = 1000.0,
               .help = "motion3: value from which the blend flattens"},
    OptionSpec{.name = "motion_fps_weight",
               .alias = "mfw",
               .type = OptionType::kReal,
               .default_value = 1.0,
               .minimum = 0.0,
               .maximum = 5.0,
               .help = "factor on the score, for other frame rates"},
    OptionSpec{.name = "motion_max_val",
               .alias = "mmxv",
               .type = OptionType::kReal,
               .default_value = 10000.0,
               .minimum = 0.0,
               .maximum = 10000.0,
               .help = "cap of the score"},
    OptionSpec{.name = "motion_five_frame_window",
               .alias = "mffw",
               .type = OptionType::kBool,
               .default_value = false,
               .help = "compare with the frame two back"},
    OptionSpec{.name = "motion_moving_average",
               .alias = "mma",
               .type = OptionType::kBool,
               .default_value = false,
               .help = "motion3: mean of two frames"},
};

class IntegerMotion final : public Extractor {
 public:
  IntegerMotion(const IntegerMotionFeatures& features, const Options& options, const ClipInfo& clip);

  Needs needs() const override;
  std::vector<size_t> outputs() const override;
  // Slot 0: motion_sad against the frame one (five-frame window: two) back; 0 where there is none or with motion_force_zero.
  void measure(const io::FrameWindow& window, Measurements& out) const override;
  void conclude(const Measurements& measured, FrameFeatures& out) const override;
  void finish(ClipSeries& series) const override;

 private:
  double score(const Measurements& measured) const;

  IntegerMotionFeatures features_;
  int lag_;  // frames between the two that are compared
  bool force_zero_;
  bool moving_average_;
  double weight_;
  MotionBlend blend_;
  double pixels_;
};

// The body of both extractors' create: refuses pictures below 3x3.
Result<std::unique_ptr<Extractor>> make_integer_motion(const ExtractorInfo& info, const IntegerMotionFeatures& features,
                                                       const Options& options, const ClipInfo& clip);

}  // namespace vmafbatch::extractors
