#include "report/json.h"

#include <cmath>

#include "store/text.h"

namespace vmafbatch::report {

Json json_number(double value) {
  if (std::isnan(value)) return nullptr;
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Json json_number(const std::optional<double>& value) { return value ? json_number(*value) : Json(); }

Json json_integer(const std::optional<std::int64_t>& value) { return value ? Json(*value) : Json(); }

Json json_text(std::string_view bytes) { return store::line_text(bytes); }

std::string json_document(const Json& json) { return json.dump(); }

}  // namespace vmafbatch::report
