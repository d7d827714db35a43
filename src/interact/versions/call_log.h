// CallLog: which compilers a build has called. The recorder, which the build calls in place of each compiler,
// adds a line for every call that has ended well; from them follows how a program was made.
//
// What a call reads and writes is named by content, too: an object may have been overwritten, moved or put
// into an archive since.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interact/versions/compiler_call.h"

namespace heddle::interact {

struct ArchiveMember {
  std::string name;
  uint64_t content = 0;
};

// Of a file as it was when the call ended.
struct FileContent {
  uint64_t content = 0;
  bool is_archive = false;
  std::vector<ArchiveMember> members;
};

// Nothing if it cannot be read.
std::optional<FileContent> content_of(const std::filesystem::path& file);

struct CallRecord {
  CompilerCall call;
  CallParts parts;
  std::map<std::string, FileContent> files;  // by absolute path: objects and archives, in and out
  std::string link_map;                      // file that the linker wrote; empty: none
};

// In the folder of the build's results; the recorder finds it there.
std::filesystem::path call_log_of(const std::filesystem::path& build_folder);

// Does nothing if it cannot be written: the build is not to fail for that.
void append_to_log(const std::filesystem::path& log, const CallRecord& record);

class CallLog {
 public:
  // What cannot be understood (a line that was not written to its end) is left out.
  static CallLog read(const std::filesystem::path& log);

  const std::vector<CallRecord>& records() const { return records_; }

  // The record and the source that an object was made of.
  struct Origin {
    size_t record = 0;
    std::optional<size_t> source;  // in the record's parts; nothing: made of other objects
  };
  // By content, or, if it has been worked on since, by path. The last one counts.
  std::optional<Origin> origin(const std::filesystem::path& object, uint64_t content) const;
  // Of an archive's member, whose name is all that is known of its place.
  std::optional<Origin> origin(const ArchiveMember& member) const;
  // The last call that linked this file.
  const CallRecord* linked(const std::filesystem::path& file) const;

 private:
  void index(size_t record);

  struct Object {
    std::filesystem::path path;
    uint64_t content;
    Origin origin;
  };
  std::vector<CallRecord> records_;
  std::vector<Object> objects_;
  std::multimap<uint64_t, size_t> by_content_;
  std::map<std::string, size_t> by_path_;  // the last one
  std::map<std::string, size_t> linked_;
};

}  // namespace heddle::interact
