// Catalogues, CSV and JSON lines, damaged: rows or one sentence.
#include <stdexcept>
#include <string>

#include "fuzz/fuzz_main.h"
#include "io/catalogue.h"
#include "support/temporary_folder.h"

namespace {

constexpr const char* kCsv[] = {
    "reference,distorted,name,label,frames,subsample,start,duration,features,models,tag.codec\n"
    "a.y4m,b.mp4,first,x264,100,2,1.5,00:00:02.250,psnr=enable_mse=true;motion,vmaf_v0.6.1,h264\n"
    "\"a,b.y4m\",\"c\"\"d.mp4\",,,,,,,,,\r\n",
    "reference,distorted,width,height,pixel_format,bit_depth,fps,reference_width,scale,sync,skip_distorted\n"
    "a.yuv,b.yuv,1920,1080,420,10,30000/1001,,bicubic,index,3\n",
};
constexpr const char* kJson[] = {
    "{\"reference\": \"a.y4m\", \"distorted\": \"b\\u00e9.mp4\", \"frames\": 10, \"features\": \"psnr;motion\", \"tag.x\": \"y\"}\n"
    "{\"reference\": \"a.y4m\", \"distorted\": \"c.mp4\", \"start\": 1.5, \"subsample\": 2}\n",
};

}  // namespace

int main(int argc, char** argv) {
  const vmafbatch::testing::TemporaryFolder folder;
  return vmafbatch::fuzz::run(argc, argv, [&](vmafbatch::fuzz::Random& random) {
    const bool is_json = random.one_in(3);
    const std::string text = vmafbatch::fuzz::damaged(is_json ? random.pick(kJson) : random.pick(kCsv), random);
    const std::string name = is_json ? "c.jsonl" : "c.csv";
    folder.write(name, text);
    const auto rows = vmafbatch::io::read_catalogue(folder.path(name));
    if (rows.ok()) {
      for (const auto& row : *rows) static_cast<void>(vmafbatch::io::group_key(row));
    } else if (rows.error().message.empty() || rows.error().message.find('\n') != std::string::npos) {
      throw std::logic_error("the error is not one sentence: " + rows.error().message);
    }
  });
}
