#include "sink.h"

#include <stdexcept>
#include <system_error>
#include <utility>

namespace logging {

FileSink::FileSink(std::filesystem::path path, bool temporary)
    : path_(std::move(path)), temporary_(temporary), file_(path_, std::ios::trunc) {
  if (!file_) throw std::runtime_error("cannot write the log file " + path_.string());
}

FileSink::~FileSink() {
  file_.close();
  std::error_code ignored;
  if (temporary_) std::filesystem::remove(path_, ignored);
}

void FileSink::write(const std::string& line) {
  file_ << line << '\n' << std::flush;
}

}  // namespace logging
