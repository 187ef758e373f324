// The options of `score` that other commands share.
#include "cli/number_check.h"
#include "cli/score_options.h"

namespace vmafbatch::cli {
namespace {

// An unset variable in a script must not mean "all".
std::string not_empty(const std::string& text) { return text.empty() ? "takes a value, and it is empty" : ""; }

}  // namespace

void add_input_options(CLI::App& command, ScoreOptions& o) {
  command.add_option("catalogue", o.catalogue, "CSV or JSON lines file of pairs; its columns are in the README")->type_name("CATALOGUE");
  command.add_option("--reference", o.reference, "the reference of a single pair")->type_name("FILE");
  command.add_option("--distorted", o.distorted, "the distorted video of a single pair")->type_name("FILE");
  command.add_option("--reference-dir", o.reference_dir, "a folder of references")->type_name("DIR");
  command.add_option("--distorted-dir", o.distorted_dir, "a folder of distorted videos")->type_name("DIR");
  command.add_option("--match", o.match, "how a distorted file's stem contains its reference's")
      ->type_name("PATTERN")
      ->capture_default_str();
  command.add_option("--frames", o.frames, "at most so many pairs of each clip")->type_name("N")->transform(whole_number(1));
  command.add_option("--subsample", o.subsample, "report every N-th frame")->type_name("N")->transform(whole_number(1, 1'000'000));
  command.add_option("--skip-reference", o.skip_reference, "drop N frames at the reference's start")
      ->type_name("N")
      ->transform(whole_number(0));
  command.add_option("--skip-distorted", o.skip_distorted, "drop N frames at the distorted video's start")
      ->type_name("N")
      ->transform(whole_number(0));
  command.add_option("--start", o.start, "cut both sides at this presentation time: seconds, 90s, 1.5m, HH:MM:SS.mmm")
      ->check(not_empty)
      ->type_name("TIME");
  command.add_option("--duration", o.duration, "so long from --start on")->check(not_empty)->type_name("TIME");
  command.add_option("--sync", o.sync, "pairs by frame, or by presentation time (timestamp)")
      ->check(CLI::IsMember({"frame", "timestamp"}))
      ->capture_default_str();
  command.add_flag("--strict-length", o.strict_length, "sides of different length are a failure, not a warning");
  command.add_flag("--auto-align", o.auto_align, "skip frames where one side starts up to 12 frames late");
  command
      .add_option("--align-search", o.align_search_s,
                  "as --auto-align, for sides that start so much late, 0.1 to 120 s; says so where it finds nothing")
      ->type_name("TIME")
      ->transform(seconds(0.1, 120));
  command.add_option("--scale", o.scale, "how a distorted video of another size is scaled to the reference's; none: an error")
      ->type_name("METHOD")
      ->capture_default_str();
  command.add_flag("--convert", o.convert, "accept RGB, and sides of different depth or chroma layout, by conversion");
  command.add_option("--width", o.width, "raw video: luma samples of a row")->type_name("N")->transform(whole_number(1, 65536));
  command.add_option("--height", o.height, "raw video: luma rows")->type_name("N")->transform(whole_number(1, 65536));
  command.add_option("--pixel-format", o.pixel_format, "raw video: 420, 422, 444, 400 or an FFmpeg name")->capture_default_str();
  command.add_option("--bit-depth", o.bit_depth, "raw video: 8, 10, 12 or 16")->check(CLI::IsMember({"8", "10", "12", "16"}));
}

void add_measure_options(CLI::App& command, ScoreOptions& o) {
  command.add_option("--feature", o.features, "an extractor, NAME or NAME=OPTION=VALUE:...; may be repeated (see `vmafbatch features`)")
      ->type_name("FEATURE")
      ->allow_extra_args(false);
  CLI::Option* const model =
      command.add_option("--model", o.models, "a VMAF model, a file or a name, name=, flags and overloads behind colons; may be repeated")
          ->type_name("MODEL")
          ->allow_extra_args(false);
  command.add_flag("--no-model", o.no_model, "score no model, not those that a catalogue's rows name either")->excludes(model);
  command
      .add_option("--device", o.devices, "device numbers as `vmafbatch devices` lists them, 0,1; clips are spread over them (default: all)")
      ->check(not_empty)
      ->type_name("LIST");
  command.add_option("--device-memory", o.device_memory, "of frames in flight on each device (default: four fifths of its memory)")
      ->check(not_empty)
      ->type_name("SIZE");
  command.add_option("--threads", o.threads, "threads in all, decoders included (default: all processors)")
      ->type_name("N")
      ->transform(whole_number(1, 1024));
  command.add_option("--memory", o.memory, "of frames in flight (default: a quarter of the memory)")->check(not_empty)->type_name("SIZE");
  command.add_option("--simd", o.simd, "scalar: the plain twin of every fast loop; the same bits")
      ->check(CLI::IsMember({"best", "scalar"}))
      ->capture_default_str();
}

}  // namespace vmafbatch::cli
