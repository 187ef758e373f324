// Databases for the tests of documents.
#pragma once

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <vector>

#include "report/documents.h"
#include "store/scratch.h"

namespace vmafbatch::report {

using store::some_record;
using testing::TemporaryFolder;

// A finished scoring with one column per list of values; a NaN is a frame without a value.
struct Column {
  std::string name;
  std::vector<double> values;
  std::string source = "psnr";
  std::int64_t step = 1;
};

inline store::ScoringId begin_clip(store::Writer& writer, const store::ScoringRecord& record, const std::vector<Column>& columns) {
  std::vector<store::ColumnSpec> specs;
  for (const Column& column : columns) {
    specs.push_back({column.name, store::ColumnScope::kFrame, column.source, static_cast<int>(specs.size())});
  }
  const auto begun = writer.begin_scoring(record, specs, store::some_extractors());
  EXPECT_TRUE(begun.ok()) << begun.error().message;
  for (size_t i = 0; i < columns.size(); ++i) {
    std::int64_t frame = 0;
    for (const double value : columns[i].values) {
      if (!std::isnan(value)) {
        EXPECT_TRUE(writer.add_value(begun->id, static_cast<int>(i), frame, value).ok());
      }
      frame += columns[i].step;
    }
  }
  return begun->id;
}

inline void end_clip(store::Writer& writer, store::ScoringId id, std::int64_t frames,
                     store::ScoringStatus status = store::ScoringStatus::kDone) {
  store::ScoringEnd end;
  end.status = status;
  end.frames = frames;
  end.seconds = 2.0;
  end.decode_seconds = 0.5;
  const Status status_of_end = writer.finish_scoring(id, end);
  EXPECT_TRUE(status_of_end.ok()) << status_of_end.error().message;
}

// A database that a test fills.
class ReportTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = store::Writer::open(path_);
    ASSERT_OK(opened);
    writer_ = std::move(*opened);
    ASSERT_OK(writer_->begin_run(store::some_run()));
  }

  store::ScoringId add(const store::ScoringRecord& record, const std::vector<Column>& columns) {
    const store::ScoringId id = begin_clip(*writer_, record, columns);
    end_clip(*writer_, id, columns.empty() ? 0 : static_cast<std::int64_t>(columns.front().values.size()) * columns.front().step);
    return id;
  }

  void close() {
    if (!writer_) return;
    EXPECT_TRUE(writer_->end_run().ok());
    EXPECT_TRUE(writer_->close().ok());
    writer_.reset();
  }

  // The database, opened for reading; it is closed for writing first, unless `live`.
  std::unique_ptr<ReportDatabase> reader(ShownPart shown = {}, bool live = false) {
    if (live) {
      EXPECT_TRUE(writer_->commit().ok());
    } else {
      close();
    }
    auto opened = ReportDatabase::open(path_, std::move(shown));
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    return opened.ok() ? std::move(*opened) : nullptr;
  }

  static nlohmann::json parse(const Result<std::string>& document) {
    EXPECT_TRUE(document.ok()) << document.error().message;
    return document.ok() ? nlohmann::json::parse(*document) : nlohmann::json();
  }
  nlohmann::json summary(ShownPart shown = {}) { return parse(summary_document(*reader(std::move(shown)), {})); }
  nlohmann::json clips(ShownPart shown = {}) { return parse(clips_document(*reader(std::move(shown)), 0, 500, nullptr)); }
  nlohmann::json clip(store::ScoringId id) { return parse(clip_document(*reader(), id)); }

  const TemporaryFolder folder_;
  const std::string path_ = folder_.path("scores.db");
  std::unique_ptr<store::Writer> writer_;
};

inline std::vector<std::byte> decode_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::byte> bytes;
  unsigned bits = 0;
  int have = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    have += 6;
    if (have < 8) continue;
    have -= 8;
    bytes.push_back(static_cast<std::byte>(bits >> have & 0xFF));
  }
  return bytes;
}

template <class Number>
std::vector<Number> numbers_of(const nlohmann::json& text) {
  const std::vector<std::byte> bytes = decode_base64(text.get<std::string>());
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
  return numbers;
}

inline std::vector<double> ramp(size_t frames, double first = 0, double step = 1) {
  std::vector<double> values(frames);
  for (size_t i = 0; i < frames; ++i) values[i] = first + step * static_cast<double>(i);
  return values;
}

}  // namespace vmafbatch::report
