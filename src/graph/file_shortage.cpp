#include "graph/file_shortage.h"

#include <cerrno>
#include <string>

#include "base/open_files.h"

namespace vmafbatch::graph {

std::optional<Error> FileShortage::error() const {
  const std::string next = "; what was scored is stored, and the same command goes on";
  switch (error_.load()) {
    case 0: return std::nullopt;
    case ENFILE: return Error{"this machine can open no more files; end other programs or raise fs.file-max" + next};
    default: break;
  }
  return Error{"this process may have no more than " + std::to_string(open_file_limit()) +
               " files open, and the run needs more; raise the limit (ulimit -n), or use fewer --threads" + next};
}

}  // namespace vmafbatch::graph
