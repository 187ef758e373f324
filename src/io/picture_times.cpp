#include "io/picture_times.h"

#include <algorithm>
#include <numeric>

#include "io/av_handles.h"
#include "io/demuxer.h"
#include "io/presentation_time.h"
#include "io/random_access.h"

namespace vmafbatch::io {
namespace {

// A wait for the file is ended by the limits in any case.
constexpr size_t kPacketsPerLook = 1000;

// Of all packets, in order; empty where one has none, or one of another.
std::vector<std::int64_t> timestamps(Demuxer& demuxer, const ReadLimits& limits) {
  std::vector<std::int64_t> found;
  const PacketPtr packet(av_packet_alloc());
  if (!packet) return {};
  Demuxer::Outcome outcome = Demuxer::Outcome::kPacket;
  while ((outcome = demuxer.read(*packet)) == Demuxer::Outcome::kPacket) {
    const bool is_shown = (packet->flags & AV_PKT_FLAG_DISCARD) == 0;
    if (packet->pts == AV_NOPTS_VALUE || !is_shown) return {};
    if (found.size() % kPacketsPerLook == 0 && (limits.stopped() || limits.late())) return {};
    found.push_back(packet->pts);
    av_packet_unref(packet.get());
  }
  std::ranges::sort(found);
  const bool is_whole = outcome == Demuxer::Outcome::kEnd && std::ranges::adjacent_find(found) == found.end();
  return is_whole ? found : std::vector<std::int64_t>();
}

// Raw pictures lie one behind the other, and their times count them: nothing is read.
std::vector<std::int64_t> counted_timestamps(const Demuxer& demuxer) {
  std::vector<std::int64_t> found(static_cast<size_t>(demuxer.declared_frames().value_or(0)));
  std::iota(found.begin(), found.end(), 0);
  return found;
}

}  // namespace

std::optional<PictureTimes> picture_times(const std::string& path, const std::optional<RawGeometry>& raw, const ReadLimits& limits) {
  AvLogSink log;
  const auto demuxer = Demuxer::open(path, raw, limits, log);
  if (!demuxer || !has_random_access(*(*demuxer)->stream().codecpar)) return std::nullopt;
  const bool is_raw = (*demuxer)->stream().codecpar->codec_id == AV_CODEC_ID_RAWVIDEO;
  const std::vector<std::int64_t> found = is_raw ? counted_timestamps(**demuxer) : timestamps(**demuxer, limits);
  if (found.empty()) return std::nullopt;
  PictureTimes times{(*demuxer)->input().identity(), {}};
  const double time_base = av_q2d((*demuxer)->stream().time_base);
  for (const std::int64_t timestamp : found) {
    const auto ns = nanoseconds(static_cast<double>(timestamp - found.front()) * time_base);
    if (!ns) return std::nullopt;
    times.ns.push_back(*ns);
  }
  return times;
}

}  // namespace vmafbatch::io
