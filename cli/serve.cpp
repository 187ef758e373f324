// vmafbatch serve DB, vmafbatch serve OLD NEW: the pages of a report from a local server.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "base/number_text.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/tell.h"
#include "report/http_server.h"
#include "report/read_guard.h"
#include "report/site.h"

namespace vmafbatch::cli {
namespace {

// Sorting and joining of all SQL that runs at a time.
constexpr long long kDatabaseMemory = 256LL << 20;
// What cannot be interrupted when the server is to end (a decoder that waits for its file) is left so long.
constexpr std::chrono::seconds kLastAnswers{2};
constexpr int kUsualPort = 8077;

struct ServeArguments {
  std::string first;
  std::string second;
  std::string host = "127.0.0.1";
  int port = kUsualPort;
  report::ShownPart shown;
};

// The database is only read: nothing can be lost.
constexpr SignalWords kServeWords = {"\nstopping\n", "\nended at once\n"};

int fail(const Error& error) { return refuse("vmafbatch serve", error); }

// Ends the program where it has not ended by itself. Nothing is written, so nothing is lost.
void end_soon(int exit_code) {
  std::thread([exit_code] {
    std::this_thread::sleep_for(kLastAnswers);
    std::_Exit(exit_code);
  }).detach();
}

int run(const ServeArguments& arguments) {
  const bool compares = !arguments.second.empty();
  const std::string& shown = compares ? arguments.second : arguments.first;
  report::limit_database_memory(kDatabaseMemory);
  for (const std::string& path : {arguments.first, shown}) {
    if (const auto opened = report::ReportDatabase::open(path, arguments.shown); !opened.ok()) return fail(opened.error());
  }
  const std::atomic<bool>& stop = stop_on_signals(kServeWords);
  report::Site site(shown, compares ? std::optional(arguments.first) : std::nullopt, arguments.shown, {}, stop);
  report::HttpServer server([&](const report::HttpRequest& request) { return site.answer(request); });
  const auto port = server.start(arguments.host, arguments.port);
  if (!port.ok()) return fail(port.error());
  const bool is_v6 = arguments.host.find(':') != std::string::npos;
  fmt::print("http://{}:{}/ (Ctrl-C ends)\n", is_v6 ? "[" + arguments.host + "]" : arguments.host, *port);
  std::fflush(stdout);
  if (!report::is_loopback_host(arguments.host)) {
    tell(fmt::format("vmafbatch serve: everybody who reaches {} can read the database and see pictures of its clips", arguments.host));
  }
  while (!stop && server.is_well()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const bool is_well = server.is_well();
  end_soon(is_well ? kExitOk : kExitError);
  server.stop();
  return is_well ? kExitOk : fail(Error{"the address can no longer be used; start the server again"});
}

void add_port(CLI::App& command, int& port) {
  command
      .add_option_function<std::string>(
          "--port",
          [&port](const std::string& text) {
            const auto number = parse_integer(text);
            if (!number || *number < 0 || *number > 65535)
              throw CLI::ValidationError("--port", "\"" + text + "\" is no number from 0 to 65535");
            port = static_cast<int>(*number);
          },
          fmt::format("the port; 0: any free one (default: {})", kUsualPort))
      ->type_name("N");
}

}  // namespace

void add_serve(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<ServeArguments>();
  CLI::App* command =
      app.add_subcommand("serve", "Show a database in the browser, live while a run writes it; or what differs between two");
  command->add_option("database", arguments->first, "The database, which is only read; with a second one: the old side")->required();
  command->add_option("new", arguments->second, "The new side, whose pages are shown, with what differs");
  add_port(*command, arguments->port);
  command->add_option("--host", arguments->host, "the address to listen on (default: 127.0.0.1, which only this machine reaches)")
      ->type_name("ADDRESS");
  command
      ->add_option_function<std::string>(
          "--label", [label = &arguments->shown.label](const std::string& text) { *label = text; }, "only scorings under this label")
      ->type_name("LABEL");
  command->footer(
      "Prints the address of the pages; Ctrl-C ends. SQL of the pages can only read. docs/serve.md\n"
      "Examples:\n"
      "  vmafbatch serve scores.db\n"
      "  vmafbatch serve scores.db --port 0\n"
      "  vmafbatch serve before.db after.db");
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace vmafbatch::cli
