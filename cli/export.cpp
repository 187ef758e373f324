// vmafbatch export DB CLIP: one clip as a report of libvmaf's layout.
#include "store/export.h"

#include <iostream>
#include <memory>
#include <string>

#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/outputs.h"
#include "cli/tell.h"

namespace vmafbatch::cli {
namespace {

struct ExportArguments {
  std::string database;
  std::string clip;
  std::string label;
  std::string output;
  std::string precision = "max";
  store::ReportFormat format = store::ReportFormat::kJson;
};

Status write_report(const ExportArguments& arguments, const store::ExportOptions& options) {
  if (arguments.output.empty() || arguments.output == "-") {
    return store::export_clip(arguments.database, arguments.clip, options, std::cout);
  }
  if (Status place = check_outputs({arguments.output}, {arguments.database}); !place.ok()) return place;
  return store::export_clip_to_file(arguments.database, arguments.clip, options, arguments.output);
}

int run(const ExportArguments& arguments, bool label_given) {
  store::ExportOptions options;
  options.format = arguments.format;
  options.precision = *store::parse_precision(arguments.precision);  // checked by the parser
  if (label_given) options.label = arguments.label;
  const Status status = write_report(arguments, options);
  return status.ok() ? kExitOk : refuse("vmafbatch export", status.error());
}

std::string check_precision(const std::string& text) {
  return store::parse_precision(text) ? std::string() : "\"" + text + "\" is no precision; give max, legacy or a number from 1 to 17";
}

}  // namespace

void add_export(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = app.add_subcommand("export", "Write one clip's scores as a libvmaf report (JSON, XML, CSV, subtitle)");
  command->add_option("database", arguments->database, "The database")->required();
  command->add_option("clip", arguments->clip, "The clip's name")->required();
  const CLI::Option* label = command->add_option("--label", arguments->label, "The scoring under this label (default: the clip's newest)");
  add_choice<store::ReportFormat>(*command, "--format", arguments->format,
                                  {{"json", store::ReportFormat::kJson},
                                   {"xml", store::ReportFormat::kXml},
                                   {"csv", store::ReportFormat::kCsv},
                                   {"sub", store::ReportFormat::kSub}},
                                  "json, xml, csv or sub (default: json)")
      ->type_name("FORMAT");
  command->add_option("--precision", arguments->precision, "max (17 digits, reads back exactly), legacy (%.6f) or 1 to 17 digits")
      ->check(CLI::Validator(check_precision, ""))
      ->type_name("PRECISION");
  command->add_option("-o,--output", arguments->output, "The file (default: standard output)");
  command->footer(
      "Examples:\n"
      "  vmafbatch export scores.db film_720p -o film_720p.json\n"
      "  vmafbatch export scores.db film_720p --format xml --precision legacy");
  command->callback([arguments, label, &exit_code] { exit_code = run(*arguments, label->count() > 0); });
}

}  // namespace vmafbatch::cli
