// SourceExcerpts: of the source files that a page mentions, the lines around what it mentions.
//
// Files are numbered as they are first named. Small ones are there as a whole.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace heddle {

class SourceExcerpts {
 public:
  // The number of the file of this name.
  size_t file(const std::string& path);
  void mention(const std::string& path, uint32_t line) { files_[file(path)].mentioned.insert(line); }
  void change(const std::string& path, const std::vector<uint32_t>& lines);
  // Its text. The first one given stays.
  void provide(const std::string& path, const std::vector<std::string>& lines);
  // For those of which no text was given: from this folder, as far as they are there.
  void read_missing(const std::string& root);

  nlohmann::ordered_json to_json() const;

 private:
  struct File {
    std::string path;
    std::vector<std::string> lines;
    std::set<uint32_t> mentioned;
    std::set<uint32_t> changed;
  };

  std::vector<File> files_;
  std::map<std::string, size_t> numbers_;
};

}  // namespace heddle
