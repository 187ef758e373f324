// vmafbatch report DB, vmafbatch report OLD NEW: pages in one file.
#include "report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>

#include "cli/commands.h"
#include "cli/number_check.h"
#include "cli/outputs.h"
#include "cli/tell.h"
#include "report/clip_documents.h"

namespace vmafbatch::cli {
namespace {

constexpr int kPictureWidth = 1280;  // three pictures side by side, in a page

struct ReportArguments {
  std::string first;
  std::string second;
  report::ReportWish wish;
};

int run(ReportArguments& arguments) {
  report::ReportWish& wish = arguments.wish;
  wish.database = arguments.second.empty() ? arguments.first : arguments.second;
  if (!arguments.second.empty()) wish.old_database = arguments.first;
  wish.pictures.format = io::ImageFormat::kJpeg;
  wish.pictures.max_width = kPictureWidth;
  wish.pictures.decoder_threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const auto fail = [](const Error& error) { return refuse("vmafbatch report", error); };
  if (wish.output.empty()) return fail(Error{"--output is empty; name a file for the report"});
  if (Status place = check_outputs({wish.output}, {wish.database, arguments.first}); !place.ok()) return fail(place.error());
  const auto outcome = report::write_report(wish);
  if (!outcome.ok()) return fail(outcome.error());
  for (const std::string& note : outcome->notes) tell("vmafbatch report: " + note);
  return kExitOk;
}

void add_patterns(CLI::App& command, const std::string& name, std::vector<std::string>& patterns, const std::string& help) {
  command.add_option(name, patterns, help)->allow_extra_args(false)->type_name("GLOB")->check([name](const std::string& text) {
    return text.empty() ? "the pattern is empty; '*' stands for any text, '?' for one character" : "";
  });
}

}  // namespace

void add_report(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<ReportArguments>();
  report::ReportWish& wish = arguments->wish;
  CLI::App* command = app.add_subcommand("report", "Write pages of a database, or of two compared, into one HTML file");
  command->add_option("database", arguments->first, "The database; with a second one: the old side")->required();
  command->add_option("new", arguments->second, "The new side: show what differs");
  command->add_option("-o,--output", wish.output, "The file to write; a report that is there is replaced")->required()->type_name("FILE");
  add_patterns(*command, "--clips", wish.shown.clips, "only clips whose name matches");
  add_patterns(*command, "--features", wish.shown.features, "only features whose name matches");
  command
      ->add_option_function<std::string>(
          "--label", [&wish](const std::string& text) { wish.shown.label = text; }, "only scorings under this label")
      ->type_name("LABEL");
  CLI::Option* worst = command->add_option("--worst", wish.worst, "Pictures of the N worst frames of each clip")
                           ->transform(whole_number(1, static_cast<std::int64_t>(report::kWorstFrames)))
                           ->type_name("N");
  command
      ->add_option("--feature", wish.worst_feature,
                   "Worst by this feature (default: the first model score, else the first feature that tells quality)")
      ->needs(worst);
  command->footer(
      "The file opens from disk and loads nothing from a network. Each clip is shown by its newest finished scoring, under each label.\n"
      "--worst decodes the clips again as they were scored; where that cannot be done, the page has no picture and says why, as a line "
      "does.\n"
      "GLOB: '*' is any text, '?' one character; --clips and --features may be given several times.\n"
      "Exit codes: 0 written, 2 not.\n"
      "Examples:\n"
      "  vmafbatch report scores.db -o report.html\n"
      "  vmafbatch report scores.db --worst 3 --feature vmaf -o report.html\n"
      "  vmafbatch report before.db after.db -o comparison.html");
  command->callback([arguments, worst, &exit_code] {
    if (!arguments->second.empty() && worst->count() > 0) {
      throw CLI::ValidationError("--worst", "a comparison has no pictures; leave it out, or name one database");
    }
    exit_code = run(*arguments);
  });
}

}  // namespace vmafbatch::cli
