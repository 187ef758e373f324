// The extractor behind motion and motion_v2: the same numbers under two sets of keys.
#pragma once

#include <array>
#include <optional>

#include "extractors/extractor.h"
#include "extractors/motion_options.h"

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
    kMotionForceZero,
    kMotionBlendFactor,
    kMotionBlendOffset,
    kMotionFpsWeight,
    kMotionMaxVal,
    flag_option("motion_five_frame_window", "mffw", "compare with the frame two back"),
    flag_option("motion_moving_average", "mma", "motion3: mean of two frames"),
};

// Which two frames an instance compares.
struct IntegerMotionWindow {
  bool force_zero;  // none
  int lag;          // frames from the earlier one to the current one

  explicit IntegerMotionWindow(const Options& options)
      : force_zero(options.flag("motion_force_zero")), lag(options.flag("motion_five_frame_window") ? 2 : 1) {}
  // Whether the earlier frame is there and is asked for; else the measurement is 0.
  bool comparable(const io::FrameWindow& window) const { return !force_zero && window.history() >= lag; }
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
  IntegerMotionWindow compared_;
  bool moving_average_;
  double weight_;
  MotionBlend blend_;
  double pixels_;
};

// The body of both extractors' create: refuses pictures below 3x3.
Result<std::unique_ptr<Extractor>> make_integer_motion(const ExtractorInfo& info, const IntegerMotionFeatures& features,
                                                       const Options& options, const ClipInfo& clip);

}  // namespace vmafbatch::extractors
