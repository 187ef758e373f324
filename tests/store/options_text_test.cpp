#include "store/options_text.h"

#include <gtest/gtest.h>

#include <string>

namespace vmafbatch::store {
namespace {

TEST(CanonicalOptions, SortsFeaturesAndModelsAndNothingElse) {
  EXPECT_EQ(canonical_options("features=vif;psnr=enable_mse=true;ciede scale=bicubic"),
            "features=ciede;psnr=enable_mse=true;vif scale=bicubic");
  EXPECT_EQ(canonical_options(
                "features=psnr;model b 22 disable_clip adm.gain=1.5;model a 11 subsample=5 start=1.5 reference_raw=16x16:420:8@25/1 "
                "scale=none align_search=9"),
            "features=model a 11;model b 22 disable_clip adm.gain=1.5;psnr subsample=5 start=1.5 reference_raw=16x16:420:8@25/1 scale=none "
            "align_search=9");
}

TEST(CanonicalOptions, SortsTheOptionsOfAModel) {
  EXPECT_EQ(canonical_options("features=psnr;model my.a=b 22 disable_clip enable_transform vif.x=1 adm.y=2 scale=none"),
            "features=model my.a=b 22 disable_clip enable_transform adm.y=2 vif.x=1;psnr scale=none");
  EXPECT_EQ(canonical_features("model b 22 vif.x=1 adm.y=2;model a 11"), "model a 11;model b 22 adm.y=2 vif.x=1");
}

TEST(CanonicalOptions, ChangesNothingOfACanonicalText) {
  for (const std::string text :
       {"features=ciede;psnr scale=bicubic", "features=psnr", "features=", "features= scale=none", "features=a;;b"}) {
    const std::string once = canonical_options(text);
    EXPECT_EQ(canonical_options(once), once);
    EXPECT_EQ(once.size(), text.size());
  }
  EXPECT_EQ(canonical_options("features=ciede;psnr scale=bicubic"), "features=ciede;psnr scale=bicubic");
}

TEST(CanonicalOptions, LeavesOtherTextsAlone) {
  for (const std::string text : {"", "psnr;motion", "imported format=json log=xxh3:0 rename=b=a;a=b"})
    EXPECT_EQ(canonical_options(text), text);
}

}  // namespace
}  // namespace vmafbatch::store
