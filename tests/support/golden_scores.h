// The golden scores: libvmaf's values for synthetic clips (tests/golden/scores).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/synthetic_clip.h"

namespace vmafbatch::testing {

using Json = nlohmann::ordered_json;

// An environment variable, "" where it is not set.
std::string environment(const char* name);

// Names of the files; VMAFBATCH_GOLDEN_CLIP=TEXT leaves those whose name contains it.
std::vector<std::string> golden_files();
Json read_golden(const std::string& name);

// The clip of a file's "clip", and what --feature says for one of its "results".
SyntheticClip clip_of(const Json& clip);
std::string feature_of(const Json& entry);

}  // namespace vmafbatch::testing
