// vmafbatch query DB [SQL|-]: SQL in, rows out.
#include "store/query.h"

#include <cstdio>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>

#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/tell.h"

namespace vmafbatch::cli {
namespace {

struct QueryArguments {
  std::string database;
  std::string sql;
  store::OutputFormat format = store::OutputFormat::kTable;
};

std::string sql_text(const QueryArguments& arguments) {
  if (arguments.sql.empty()) return std::string(store::kOverviewSql);
  if (arguments.sql != "-") return arguments.sql;
  return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
}

int run(const QueryArguments& arguments) {
  const Status status = store::run_query(arguments.database, sql_text(arguments), arguments.format, std::cout);
  return status.ok() ? kExitOk : refuse("vmafbatch query", status.error());
}

}  // namespace

void add_query(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<QueryArguments>();
  CLI::App* command = app.add_subcommand("query", "Run SQL on a database (reads only)");
  command->add_option("database", arguments->database, "The database")->required();
  command->add_option("sql", arguments->sql, "One SELECT; - reads it from standard input; default: the scores of every clip");
  add_choice<store::OutputFormat>(
      *command, "--format", arguments->format,
      {{"table", store::OutputFormat::kTable}, {"csv", store::OutputFormat::kCsv}, {"json", store::OutputFormat::kJson}},
      "table, csv or json (default: table)")
      ->type_name("FORMAT");
  command->footer(
      "Examples:\n"
      "  vmafbatch query scores.db\n"
      "  vmafbatch query scores.db \"SELECT frame, value FROM frame_features WHERE clip = 'a' AND feature = 'vmaf'\" --format csv\n"
      "Views: frame_features, clip_scores, clip_aggregates, backends, failures, warnings, tags; with all_ in front: every scoring.");
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace vmafbatch::cli
