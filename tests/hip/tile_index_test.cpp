// Every tiled kernel loads inside the plane, and its guard is the identity wherever the value is used. A new kernel: one line below.
#include "hip/platform/tile_index.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "extractors/adm_geometry.h"
#include "extractors/motion_sad.h"
#include "hip/kernels/adm_kernels.h"
#include "hip/kernels/float_adm_kernels.h"
#include "hip/kernels/float_motion_kernels.h"
#include "hip/kernels/float_vif_kernels.h"
#include "hip/kernels/motion_kernels.h"
#include "hip/kernels/vif_kernels.h"
#include "tile_replay.h"

namespace vmafbatch::testing {
namespace {

TEST(TileIndex, IsTheIdentityInsideAndTheNearestIndexOutside) {
  for (const int size : {1, 2, 3, 17}) {
    for (int i = -40; i < 60; ++i) EXPECT_EQ(hip::tile_index(i, size), std::max(0, std::min(i, size - 1)));
  }
}

// The masking of adm and float_adm: a plane here is a band, of which the reach alone is stored. What lies behind the reach counts as
// outside.
template <class Axis>
struct MaskReplay : Axis {
  static const extractors::adm::ScaleGeometry& of(int size) {
    static extractors::adm::ScaleGeometry last;
    if (last.width != size) last = extractors::adm::scale_geometry(1, size, size);
    return last;
  }
  static int outputs(int size) { return of(size).inner.width(); }
  static int reflected(int block, int i, int size) { return Axis::reflected(block, i, size, of(size).inner.left, of(size).reach.left); }
  static int index(int block, int i, int size) {
    const auto& g = of(size);
    const int index = Axis::index(block, i, size, g.inner.left, g.reach.left, g.reach.width());
    return index < g.reach.width() ? index : size;
  }
};
template <class Kernel>
struct MaskTiles {
  using Columns = MaskReplay<typename Kernel::Columns>;
  using Rows = MaskReplay<typename Kernel::Rows>;
  static hip::Grid grid(int width, int height) { return Kernel::blocks(Columns::outputs(width), Rows::outputs(height)); }
};
constexpr int kSmallestAdmInput = 3;  // of a transform, at scale 3
constexpr int kSmallestAdmBand = 2;

TEST(TileIndex, KeepsEveryLoadOfEveryKernelInside) {
  EXPECT_EQ(replay_tiles<hip::MotionSadKernel<std::uint8_t>>(extractors::kMotionSmallestSide), "");
  EXPECT_EQ(replay_tiles<hip::MotionSadKernel<std::uint16_t>>(extractors::kMotionSmallestSide), "");
  EXPECT_EQ(replay_tiles<hip::AdmTransformKernel<std::uint8_t>>(extractors::adm::kSmallestSide), "");
  EXPECT_EQ(replay_tiles<hip::AdmTransformKernel<std::uint16_t>>(extractors::adm::kSmallestSide), "");
  EXPECT_EQ(replay_tiles<hip::AdmTransformKernel<std::int16_t>>(kSmallestAdmInput), "");
  EXPECT_EQ(replay_tiles<hip::AdmTransformKernel<std::int32_t>>(kSmallestAdmInput), "");
  EXPECT_EQ(replay_tiles<hip::WaveletKernel<hip::FloatAdmStep<std::uint8_t>>>(extractors::adm::kSmallestSide), "");
  EXPECT_EQ(replay_tiles<hip::WaveletKernel<hip::FloatAdmStep<std::uint16_t>>>(extractors::adm::kSmallestSide), "");
  EXPECT_EQ(replay_tiles<hip::WaveletKernel<hip::FloatAdmStep<float>>>(kSmallestAdmInput), "");
  EXPECT_EQ(replay_tiles<MaskTiles<hip::AdmContrastKernel<std::int16_t>>>(kSmallestAdmBand), "");
  EXPECT_EQ(replay_tiles<MaskTiles<hip::AdmContrastKernel<std::int32_t>>>(kSmallestAdmBand), "");
  EXPECT_EQ(replay_tiles<MaskTiles<hip::FloatAdmTermsKernel<1>>>(kSmallestAdmBand), "");
  EXPECT_EQ(replay_tiles<MaskTiles<hip::FloatAdmTermsKernel<3>>>(kSmallestAdmBand), "");
  EXPECT_EQ((replay_tiles<hip::FloatVifScaleKernel<hip::FloatVifLuma<std::uint8_t>, hip::FloatVifFixedRadii<8, 4>>>(9)), "");
  EXPECT_EQ((replay_tiles<hip::FloatVifScaleKernel<hip::FloatVifPlanes, hip::FloatVifFixedRadii<4, 2>>>(5)), "");
  EXPECT_EQ((replay_tiles<hip::FloatVifScaleKernel<hip::FloatVifPlanes, hip::FloatVifFixedRadii<2, 1>>>(3)), "");
  EXPECT_EQ((replay_tiles<hip::FloatVifScaleKernel<hip::FloatVifPlanes, hip::FloatVifFixedRadii<1, 0>>>(2)), "");
  for (const int radius : {1, 32}) {
    EXPECT_EQ((replay_tiles<hip::FloatVifScaleKernel<hip::FloatVifPlanes, hip::FloatVifAnyRadii>>(radius + 1, 32 - radius)), "");
  }
  EXPECT_EQ(replay_tiles<hip::VifScaleKernel<hip::VifLuma<std::uint8_t>>>(16), "");
  EXPECT_EQ(replay_tiles<hip::VifScaleKernel<hip::VifLuma<std::uint16_t>>>(16), "");
  EXPECT_EQ(replay_tiles<hip::VifScaleKernel<hip::VifCoarse<1>>>(8), "");
  EXPECT_EQ(replay_tiles<hip::VifScaleKernel<hip::VifCoarse<2>>>(4), "");
  EXPECT_EQ(replay_tiles<hip::VifScaleKernel<hip::VifCoarse<3>>>(2), "");
  // The blur of 5 taps, of 3, and none.
  for (const int taps : {5, 3, 1}) {
    EXPECT_EQ(replay_tiles<hip::FloatMotionBlurKernel<std::uint8_t>>(taps / 2 + 1, 2 - taps / 2), "");
    EXPECT_EQ(replay_tiles<hip::FloatMotionBlurKernel<std::uint16_t>>(taps / 2 + 1, 2 - taps / 2), "");
  }
}

TEST(TileIndex, IsNotNeededAtHalfSize) {
  for (int size = 1; size <= 2 * 7680; ++size) {
    for (int i = 0; i < (size + 1) / 2; ++i) {
      const extractors::HalfPosition position = extractors::half_position(i, size);
      ASSERT_TRUE(position.low >= 0 && position.low <= position.high && position.high <= position.low + 1 && position.high < size)
          << size << " " << i;
    }
  }
}

// Faults that a replay must see.

struct Unguarded : hip::MirroredAxis<16, 2> {
  static int index(int block, int i, int size) { return reflected(block, i, size); }
};
struct ShortTile : hip::MirroredAxis<16, 2> {
  static constexpr int kLoaded = 19;
};
template <class Axis>
struct Tiled {
  using Columns = Axis;
  using Rows = Axis;
  static hip::Grid grid(int width, int height) {
    return {hip::blocks_for(width, Axis::kOutputs), hip::blocks_for(height, Axis::kOutputs), 1};
  }
};
using Sound = Tiled<hip::MirroredAxis<16, 2>>;
struct OneBlockTooFew : Sound {
  static hip::Grid grid(int width, int height) { return {hip::blocks_for(width - 1, 16), hip::blocks_for(height, 16), 1}; }
};
struct Narrowing : Sound {
  static hip::Grid grid(int width, int height) { return {hip::blocks_for(height > 16 ? 1 : width, 16), hip::blocks_for(height, 16), 1}; }
};

TEST(TileReplay, FindsALoadOutsideThePlane) {
  EXPECT_EQ(replay_tiles<Tiled<Unguarded>>(3), "columns, size 1, block 0, tile position 0 loads 2: outside the plane");
}

TEST(TileReplay, FindsAUsedSampleThatTheGuardMoved) {
  EXPECT_EQ(replay_tiles<Sound>(3), "");
  EXPECT_EQ(replay_tiles<Sound>(2), "columns, size 2, block 0, tile position 0 loads 1: moved by the guard and used");
}

TEST(TileReplay, FindsASampleThatIsUsedAndNotLoaded) {
  EXPECT_EQ(replay_tiles<Tiled<ShortTile>>(3), "columns, size 16, block 0, tile position 19 loads 13: used and not loaded");
}

TEST(TileReplay, FindsOutputsWithoutABlock) { EXPECT_EQ(replay_tiles<OneBlockTooFew>(3), "columns, size 1: outputs without a block"); }

TEST(TileReplay, FindsAGridThatAxesDoNotGive) { EXPECT_EQ(replay_tiles<Narrowing>(3), "17x17: a grid of its own"); }

}  // namespace
}  // namespace vmafbatch::testing
