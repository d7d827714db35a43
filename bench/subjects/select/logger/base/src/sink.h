// Where lines end up. A sink belongs to one handler, which calls it from one thread at a time.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace logging {

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void write(const std::string& line) = 0;
};

// Keeps the lines in memory.
class MemorySink : public Sink {
 public:
  void write(const std::string& line) override { lines_.push_back(line); }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

// Writes the lines to a file, which it deletes in the end if `temporary`.
class FileSink : public Sink {
 public:
  // Throws std::runtime_error if the file cannot be written.
  FileSink(std::filesystem::path path, bool temporary);
  ~FileSink() override;
  void write(const std::string& line) override;
  const std::filesystem::path& path() const { return path_; }

 private:
  const std::filesystem::path path_;
  const bool temporary_;
  std::ofstream file_;
};

}  // namespace logging
