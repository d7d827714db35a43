#include "interact/versions/call_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "program/read_text.h"
#include "trace/hash.h"

namespace heddle::interact {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kArchive = "!<arch>\n";
constexpr std::string_view kThinArchive = "!<thin>\n";

std::string_view trimmed(std::string_view text) {
  const size_t end = text.find_last_not_of(' ');
  return text.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

// The members of an archive as `ar` writes it: a header of 60 bytes before each; long names in a table of
// their own (System V), or before the content (BSD); a thin archive has names of files only.
class ArchiveReader {
 public:
  ArchiveReader(const fs::path& file, std::string_view text)
      : folder_(file.parent_path()), text_(text), is_thin_(text.starts_with(kThinArchive)) {}

  std::vector<ArchiveMember> run() {
    for (size_t at = kArchive.size(); at + kHeader <= text_.size();) {
      const std::string_view name = trimmed(text_.substr(at, 16));
      size_t size = std::strtoul(std::string(text_.substr(at + 48, 10)).c_str(), nullptr, 10);
      at += kHeader;
      const bool is_table = name == "/" || name == "//" || name == "/SYM64/" || name.starts_with("__.SYMDEF");
      if (is_thin_ && !is_table) {
        add_file(long_name(name));
        continue;
      }
      size = std::min(size, text_.size() - at);
      const std::string_view content = text_.substr(at, size);
      if (name == "//") names_ = content;
      if (!is_table) add(name, content);
      at += size + size % 2;
    }
    return std::move(members_);
  }

 private:
  static constexpr size_t kHeader = 60;

  std::string long_name(std::string_view name) const {
    if (name.size() > 1 && name[0] == '/') {
      const size_t begin = std::strtoul(std::string(name.substr(1)).c_str(), nullptr, 10);
      const std::string_view rest = names_.substr(std::min(begin, names_.size()));
      return std::string(rest.substr(0, rest.find("/\n")));
    }
    if (name.ends_with('/')) name.remove_suffix(1);
    return std::string(name);
  }

  void add(std::string_view name, std::string_view content) {
    if (name.starts_with("#1/")) {
      const size_t length = std::strtoul(std::string(name.substr(3)).c_str(), nullptr, 10);
      const std::string_view own = content.substr(0, std::min(length, content.size()));
      content.remove_prefix(own.size());
      members_.push_back({std::string(own.substr(0, own.find('\0'))), trace::fnv1a(content)});
      return;
    }
    members_.push_back({long_name(name), trace::fnv1a(content)});
  }

  void add_file(const std::string& name) {
    if (const std::optional<FileContent> content = content_of(folder_ / name))
      members_.push_back({name, content->content});
  }

  const fs::path folder_;
  const std::string_view text_;
  const bool is_thin_;
  std::string_view names_;
  std::vector<ArchiveMember> members_;
};

json to_json(const CallRecord& record) {
  json files = json::object();
  for (const auto& [path, content] : record.files) {
    json& file = files[path];
    file["content"] = content.content;
    if (!content.is_archive) continue;
    file["members"] = json::array();
    for (const ArchiveMember& member : content.members)
      file["members"].push_back({member.name, member.content});
  }
  return {{"directory", record.call.directory.string()},
          {"arguments", record.call.arguments},
          {"files", files},
          {"map", record.link_map}};
}

CallRecord from_json(const json& entry) {
  CallRecord record;
  record.call.directory = entry.at("directory").get<std::string>();
  record.call.arguments = entry.at("arguments").get<std::vector<std::string>>();
  record.link_map = entry.at("map").get<std::string>();
  for (const auto& [path, file] : entry.at("files").items()) {
    FileContent& content = record.files[path];
    content.content = file.at("content").get<uint64_t>();
    content.is_archive = file.contains("members");
    if (!content.is_archive) continue;
    for (const json& member : file.at("members"))
      content.members.push_back({member.at(0).get<std::string>(), member.at(1).get<uint64_t>()});
  }
  record.parts = parts_of(record.call);
  return record;
}

}  // namespace

std::optional<FileContent> content_of(const fs::path& file) {
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) return std::nullopt;
  const std::string text = program::read_text(file);
  FileContent content;
  content.content = trace::fnv1a(text);
  content.is_archive = text.starts_with(kArchive) || text.starts_with(kThinArchive);
  if (content.is_archive) content.members = ArchiveReader(file, text).run();
  return content;
}

fs::path call_log_of(const fs::path& build_folder) {
  return build_folder / ".heddle" / "compiler-calls";
}

void append_to_log(const fs::path& log, const CallRecord& record) {
  const std::string line = to_json(record).dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  const int fd = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) return;
  // Those of a parallel build one after the other, in whole lines.
  ::flock(fd, LOCK_EX);
  for (size_t done = 0; done < line.size();) {
    const ssize_t written = ::write(fd, line.data() + done, line.size() - done);
    if (written <= 0) break;
    done += static_cast<size_t>(written);
  }
  ::close(fd);
}

CallLog CallLog::read(const fs::path& log) {
  CallLog result;
  std::istringstream lines(program::read_text(log));
  for (std::string line; std::getline(lines, line);) {
    try {
      result.records_.push_back(from_json(json::parse(line)));
    } catch (const json::exception&) {
      continue;  // of a build that was killed
    }
    result.index(result.records_.size() - 1);
  }
  return result;
}

void CallLog::index(size_t number) {
  const CallRecord& record = records_[number];
  const auto add = [&](const fs::path& path, std::optional<size_t> source) {
    const auto file = record.files.find(path.string());
    if (file == record.files.end()) return;
    by_content_.emplace(file->second.content, objects_.size());
    by_path_[path.string()] = objects_.size();
    objects_.push_back({path, file->second.content, {number, source}});
  };
  if (record.parts.result == CallParts::Result::kObjects) {
    for (size_t i = 0; i < record.parts.link.size(); ++i) {
      const LinkWord& word = record.parts.link[i];
      if (word.kind == LinkWord::Kind::kSource || word.kind == LinkWord::Kind::kAssembler)
        add(record.parts.object_of(word, record.call), i);
    }
  } else {
    linked_[record.parts.output.string()] = number;
    if (record.parts.result == CallParts::Result::kObjectOfObjects) add(record.parts.output, std::nullopt);
  }
}

std::optional<CallLog::Origin> CallLog::origin(const fs::path& object, uint64_t content) const {
  const auto [begin, end] = by_content_.equal_range(content);
  std::optional<Origin> found;
  for (auto it = begin; it != end; ++it) {
    found = objects_[it->second].origin;
    if (objects_[it->second].path == object) return found;
  }
  if (found) return found;
  const auto at_path = by_path_.find(object.string());
  if (at_path == by_path_.end()) return std::nullopt;
  return objects_[at_path->second].origin;
}

std::optional<CallLog::Origin> CallLog::origin(const ArchiveMember& member) const {
  const auto [begin, end] = by_content_.equal_range(member.content);
  const std::string name = fs::path(member.name).filename().string();
  std::optional<Origin> found;
  bool has_name = false;
  for (auto it = begin; it != end; ++it) {
    const bool is_named_so = objects_[it->second].path.filename() == name;
    if (has_name && !is_named_so) continue;
    found = objects_[it->second].origin;
    has_name = is_named_so;
  }
  return found;
}

const CallRecord* CallLog::linked(const fs::path& file) const {
  const auto found = linked_.find(file.string());
  return found == linked_.end() ? nullptr : &records_[found->second];
}

}  // namespace heddle::interact
