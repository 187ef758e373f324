// vmafbatch frames DB: pictures of scored frames, the worst ones or any by number.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/number_text.h"
#include "base/utf8.h"
#include "base/whole_file.h"
#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/number_check.h"
#include "cli/outputs.h"
#include "cli/tell.h"
#include "io/picture_writer.h"
#include "report/side_by_side.h"
#include "report/worst_frames.h"
#include "store/untrusted.h"

namespace vmafbatch::cli {
namespace {

constexpr int kMostFrames = 1000;     // of one call
constexpr int kMostWidth = 16384;     // pixels
constexpr double kMostAmplify = 255;  // a difference of 1 is white

struct FramesArguments {
  std::string database;
  report::FrameWish wish;
  report::PictureOptions pictures;
  std::string folder;
};

// One line of the list that is printed.
struct Made {
  report::FramePicture picture;  // without its bytes
  std::string path;
};

std::string path_of(const report::ScoredPair& scored, std::int64_t frame, const FramesArguments& arguments) {
  const std::string clip = scored.label.empty() ? scored.clip : scored.clip + "_" + scored.label;
  const std::string name = fmt::format("{}_frame{:06}.{}", io::safe_file_name(clip), frame, io::image_extension(arguments.pictures.format));
  return (std::filesystem::path(arguments.folder) / name).string();
}

// No picture takes the place of a file that must stay.
Status check_places(const report::PicturePlan& plan, const FramesArguments& arguments) {
  std::vector<std::string> paths;
  for (const report::WantedFrame& wanted : plan.frames) paths.push_back(path_of(plan.scored, wanted.frame, arguments));
  return check_outputs(paths, {arguments.database});
}

void print(const Made& made) {
  const report::FramePicture& picture = made.picture;
  if (!picture.problem.empty()) {
    tell("vmafbatch frames: " + picture.problem);
    return;
  }
  std::string line = fmt::format("{}: frame {}", display_text(made.path), picture.frame);
  if (picture.time_s) line += fmt::format(", {:.3f} s", *picture.time_s);
  for (const auto& [name, value] : picture.scores) line += fmt::format(", {} {}", display_text(name), format_general(value, 6));
  fmt::print("{}\n", line);
}

Status make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (std::filesystem::is_directory(folder, error)) return {};
  return Error{display_text(folder) + ": this folder cannot be made; name another one with --output"};
}

// The database is closed again: decoding takes long.
Result<report::PicturePlan> read_plan(const FramesArguments& arguments) {
  const auto opened = store::UntrustedDatabase::open(arguments.database);
  if (!opened.ok()) return opened.error();
  try {
    return (*opened)->guard([&] { return report::plan_pictures_inside_read((*opened)->database(), arguments.wish); });
  } catch (const store::UntrustedError& error) {
    return Error{error.what()};
  }
}

// Writes every picture; `made` is in the wish's order at the end.
Status write_pictures(const report::PicturePlan& plan, const FramesArguments& arguments, std::vector<Made>& made) {
  Status status = report::each_frame_picture(plan, arguments.pictures, [&](report::FramePicture picture) {
    const std::string path = path_of(plan.scored, picture.frame, arguments);
    Status written;
    if (picture.problem.empty()) written = write_whole_file(path, picture.bytes);
    picture.bytes.clear();
    made.push_back({std::move(picture), path});
    return written;
  });
  std::ranges::sort(made, {}, [](const Made& m) { return m.picture.place; });
  return status;
}

int run(const FramesArguments& arguments) {
  const auto fail = [](const Error& error) { return refuse("vmafbatch frames", error); };
  const Result<report::PicturePlan> plan = read_plan(arguments);
  if (!plan.ok()) return fail(plan.error());
  if (Status places = check_places(*plan, arguments); !places.ok()) return fail(places.error());
  if (Status folder = make_folder(arguments.folder); !folder.ok()) return fail(folder.error());
  std::vector<Made> made;
  if (Status status = write_pictures(*plan, arguments, made); !status.ok()) return fail(status.error());
  size_t shown = 0;
  for (const Made& each : made) {
    print(each);
    if (each.picture.problem.empty()) ++shown;
  }
  if (shown == made.size() && shown > 0) return kExitOk;
  if (made.empty()) return fail(Error{"there is no frame to show: the feature has no values"});
  return shown > 0 ? kExitDifferent : kExitError;
}

std::string check_amplify(const std::string& text) {
  const std::optional<double> number = parse_decimal(text);
  return number && *number >= 1 && *number <= kMostAmplify ? std::string() : "\"" + text + "\" is no number from 1 to 255";
}

// "0,123": digits and commas between them. CLI11's own list takes 0x1, and leaves out what is empty.
std::vector<std::int64_t> frames_of(const std::string& text) {
  std::vector<std::int64_t> frames;
  for (size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find(',', begin);
    const std::string piece = text.substr(begin, end - begin);
    const bool is_digits = !piece.empty() && piece.find_first_not_of("0123456789") == std::string::npos;
    const auto frame = is_digits ? parse_integer(piece) : std::nullopt;
    if (!frame || *frame > kAnyNumber) {
      throw CLI::ValidationError("--frame", "\"" + line_text(text) + "\" is no list of frames; write numbers from 0: 0,123");
    }
    frames.push_back(*frame);
  }
  return frames;
}

void add_wish(CLI::App& command, FramesArguments& arguments) {
  command.add_option("--clip", arguments.wish.clip, "The clip's name")->required();
  command.add_option("--label", arguments.wish.label, "The scoring under this label (default: the clip's newest)");
  command.add_option("--worst", arguments.wish.worst, "So many frames, the worst first (default: 3, without --frame)")
      ->transform(whole_number(1, kMostFrames));
  command.add_option("--feature", arguments.wish.feature,
                     "Of this feature (default: the first model score, else the first feature that tells quality)");
  command
      .add_option_function<std::vector<std::string>>(
          "--frame",
          [wish = &arguments.wish](const std::vector<std::string>& lists) {
            for (const std::string& list : lists) {
              for (const std::int64_t frame : frames_of(list)) wish->frames.push_back(frame);
            }
          },
          "These frames, by number from 0, separated by commas")
      ->allow_extra_args(false)
      ->type_name("N,...");
}

void add_look(CLI::App& command, FramesArguments& arguments) {
  command.add_option("-o,--output", arguments.folder, "The folder for the pictures; it is made where it is missing")->required();
  add_choice<io::ImageFormat>(command, "--format", arguments.pictures.format,
                              {{"png", io::ImageFormat::kPng}, {"jpeg", io::ImageFormat::kJpeg}}, "png (exact) or jpeg (default: png)")
      ->type_name("FORMAT");
  command.add_option("--amplify", arguments.pictures.amplify, "Differences times this, on the scale of 8 bits (default: 8)")
      ->check(CLI::Validator(check_amplify, "FLOAT in [1 - 255]"));
  command
      .add_option("--max-width", arguments.pictures.max_width,
                  "Of the whole picture, in pixels; larger ones are scaled down (default: 3840)")
      ->transform(whole_number(report::kLeastWidth, kMostWidth));
  command.add_option("--threads", arguments.pictures.decoder_threads, "Threads of each decoder (default: all processors)")
      ->transform(whole_number(1, 1024));
}

}  // namespace

void add_frames(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<FramesArguments>();
  arguments->pictures.max_width = 3840;
  arguments->pictures.decoder_threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  CLI::App* command = app.add_subcommand("frames", "Show frames of a clip: reference, distorted and difference side by side");
  command->add_option("database", arguments->database, "The database")->required();
  add_wish(*command, *arguments);
  add_look(*command, *arguments);
  command->footer(
      "The frames are decoded again as they were scored; files that changed since then are refused.\n"
      "Examples:\n"
      "  vmafbatch frames scores.db --clip film_720p --worst 5 --feature vmaf -o pictures\n"
      "  vmafbatch frames scores.db --clip film_720p --frame 0,123 --format jpeg --amplify 16 -o pictures\n"
      "Exit codes: 0 all shown, 1 some frames could not be shown, 2 none could.");
  command->callback([arguments, &exit_code] {
    if (arguments->wish.frames.empty() && arguments->wish.worst == 0) arguments->wish.worst = 3;
    exit_code = run(*arguments);
  });
}

}  // namespace vmafbatch::cli
