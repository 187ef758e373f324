// What the writer is told: plain records, one per kind of row. Texts are bytes; those that are no valid UTF-8 (file names can be
// anything) are stored as BLOBs with the same bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vmafbatch::store {

using ScoringId = std::int64_t;

// The backend, the source of the columns and the first word of the options of a scoring that `import` made of a log.
inline constexpr const char* kImported = "imported";

// True for the options of such a scoring.
bool is_imported(std::string_view options);

// One call of `vmafbatch score`.
struct RunRecord {
  std::string command_line;
  std::string program_version;
  std::string c_library;  // "glibc 2.36": a few last steps (log10, pow) depend on it
  std::string processor;
  std::string host;
};

// One file as it was when it was scored.
struct FileIdentity {
  std::string path;           // as it was opened
  std::uint64_t size = 0;     // bytes
  std::int64_t mtime_ns = 0;  // modification time, nanoseconds since 1970
  std::optional<std::string> content_hash = std::nullopt;
};

struct ModelFile {
  std::string key;   // the column that it gives, "vmaf"
  std::string path;  // file or built-in version
  std::string hash;  // of its content
};

// Name and value of a catalogue's tag.* columns, without "tag.".
using Tags = std::vector<std::pair<std::string, std::string>>;

// True where the file that was scored at `scored_path` and has the size and time of `now` is taken for the same. A library may be mounted
// elsewhere: then the file's own name is as before, and its time is finer than the whole seconds that archives and many tools write.
bool may_be_moved(const std::string& scored_path, const FileIdentity& now);

// One clip under one set of options. Two scorings are the same when clip, label, both files' size and mtime, options, models (key
// and hash) and program version are equal, and no path speaks against it (may_be_moved()); content hashes do not count.
struct ScoringRecord {
  std::string clip;   // unique name
  std::string label;  // "" is a label like any other
  FileIdentity reference;
  FileIdentity distorted;
  // Canonical text of everything that decides the values: features and models (in any order: options_text.h), subsample, skips, cut ...
  std::string options;
  std::vector<ModelFile> models;
  int width = 0;  // of the pictures that were scored
  int height = 0;
  std::string pixel_format;
  std::optional<double> fps = std::nullopt;
  std::string
      pictures;  // what was done to the pictures before they were scored, "distorted scaled 640x360 -> 1280x720 (bicubic)"; "" nothing
  Tags tags;
  std::string program_version;
  std::string c_library;
  std::string processor;
  std::string decoder;  // "libavcodec 59.37.100"
};

enum class ColumnScope { kFrame, kSeries, kAggregate };

// "frame", "series", "aggregate"
const char* scope_name(ColumnScope scope);

// One feature or model score of a scoring. Its place in the list given to begin_scoring is its index in later calls.
struct ColumnSpec {
  std::string key;  // "integer_motion2", unique in the scoring
  ColumnScope scope = ColumnScope::kFrame;
  std::string source;  // the extractor or model that gives it; "NAME=OPTIONS" where the scoring has several instances of an extractor
  int position = 0;    // order in reports

  bool operator==(const ColumnSpec&) const = default;
};

// The extractor's or model's name in a column's source.
std::string_view source_name(std::string_view source);

// One extractor instance. Its place in the list given to begin_scoring is its index in later calls.
struct ExtractorSpec {
  std::string name;     // as it was asked for, "ssim"
  std::string options;  // canonical text, "" none; of a model "model " and the name of its file
};

// A model's file may have another name: its content is compared elsewhere (ModelFile::hash).
bool is_same_producer(const ExtractorSpec& a, const ExtractorSpec& b);

// What computed an extractor's values at frames first_frame..last_frame.
struct BackendRecord {
  std::string implementation;  // what ran: the extractor's name
  std::string backend;         // where: "cpu"
  std::string device;          // "" for the CPU
  std::string reason;          // why not the backend that was asked for; "" where it is
  std::int64_t first_frame = 0;
  std::int64_t last_frame = 0;

  // True where the frames of `other` were computed in the same way at the same place.
  bool same_place(const BackendRecord& other) const;
};

// One pair of pictures, by which an interrupted scoring goes on. Kept only while the scoring is unfinished.
struct PairRecord {
  std::optional<std::int64_t> reference_ns;  // presentation times, nanoseconds from the stream's first picture
  std::optional<std::int64_t> distorted_ns;
  std::vector<std::uint64_t> words{};  // what the graph wants to know of it again; the database does not look inside
};

// What an interrupted run left of a scoring: everything of frames 0 .. frames-1.
struct StoredPrefix {
  static constexpr std::int64_t kMostNewest = 1024;

  ScoringId id = 0;
  std::int64_t frames = 0;
  std::vector<PairRecord> newest{};                      // of the last frames, at most kMostNewest
  std::vector<std::pair<int, std::int64_t>> failures{};  // extractors that failed among them, and at which frame
  std::vector<std::int64_t> values{};                    // by column: how many of these frames have a value
  std::vector<std::int64_t> measurements{};              // by extractor: how many of them have a measurement for its series
  // As the scoring began with them.
  std::string pictures{};
  std::vector<ColumnSpec> columns{};
  std::vector<ExtractorSpec> extractors{};
};

// What of such a scoring the next run must know.
struct ResumedScoring {
  struct Failure {
    int extractor = 0;
    std::int64_t frame = 0;
    std::string reason;
  };
  std::vector<Failure> failures{};                     // of extractors, in the order of their frames
  std::vector<std::vector<BackendRecord>> backends{};  // by extractor, in the order of their frames; last_frame is not to be trusted
  bool has_values = false;
};

enum class ScoringStatus { kRunning, kDone, kPartial, kFailed };

// "running", "done", "partial", "failed"
const char* status_name(ScoringStatus status);

// How a scoring ended.
struct ScoringEnd {
  ScoringStatus status = ScoringStatus::kDone;  // not kRunning
  std::int64_t frames = 0;                      // picture pairs that were seen
  std::int64_t identical_frames = 0;            // of these, pairs with equal pictures
  std::int64_t decoded_reference = 0;           // pictures that this scoring had decoded
  std::int64_t decoded_distorted = 0;
  int subsample = 1;   // every n-th frame was reported
  double seconds = 0;  // from first to last frame, its share where a group shared work
  double decode_seconds = 0;
  std::optional<std::string> reference_hash = std::nullopt;  // content hashes, once a pass has read the whole file
  std::optional<std::string> distorted_hash = std::nullopt;
};

}  // namespace vmafbatch::store
