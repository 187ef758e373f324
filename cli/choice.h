// An option that takes one of a few words: CLI11's own transformer accepts the numbers behind the words too, and shows them in its error.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

namespace vmafbatch::cli {

// Sets `value` to what stands beside the word. An error says what was given and lists the words.
// REQUIRES: `value` outlives the parsing.
template <class Value>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Value& value, const std::vector<std::pair<std::string, Value>>& choices,
                        const std::string& help) {
  return command.add_option_function<std::string>(
      name,
      [&value, choices, name](const std::string& text) {
        std::string words;
        for (const auto& [word, meaning] : choices) {
          if (word == text) {
            value = meaning;
            return;
          }
          words += (words.empty() ? "" : ", ") + word;
        }
        throw CLI::ValidationError(name, "\"" + text + "\" is unknown; use one of " + words);
      },
      help);
}

}  // namespace vmafbatch::cli
