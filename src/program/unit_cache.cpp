#include "program/unit_cache.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "program/facts_file.h"
#include "support/replace_text.h"
#include "trace/atomic_file.h"
#include "trace/hash.h"

namespace heddle::program {
namespace {

constexpr std::string_view kUnitMagic = "HEDUNIT1";
constexpr std::chrono::hours kMaxAge{24 * 30};
// A program of half a million lines takes about a tenth of this.
constexpr uint64_t kMaxBytes = uint64_t{2} << 30;
constexpr std::string_view kRoot = "%/";        // stands for the project's root
constexpr std::string_view kBuild = "%build/";  // and for where it is built

std::optional<std::string> read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return std::nullopt;
  std::string bytes(static_cast<size_t>(file.tellg()), '\0');
  file.seekg(0);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file) return std::nullopt;
  return bytes;
}

// An entry: magic, length of the list of files, the list, the facts.
struct Entry {
  std::string_view files;
  std::string_view facts;
};
std::optional<Entry> parse_entry(std::string_view bytes) {
  uint64_t length = 0;
  const size_t head = kUnitMagic.size() + sizeof length;
  if (bytes.size() < head || !bytes.starts_with(kUnitMagic)) return std::nullopt;
  std::memcpy(&length, bytes.data() + kUnitMagic.size(), sizeof length);
  if (length > bytes.size() - head) return std::nullopt;
  return Entry{bytes.substr(head, length), bytes.substr(head + length)};
}

template <typename T>
bool take_number(std::string_view& line, T& number) {
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (error != std::errc() || end == line.data() + line.size() || *end != ' ') return false;
  line.remove_prefix(static_cast<size_t>(end - line.data()) + 1);
  return true;
}

std::string with_slash(const std::filesystem::path& folder) {
  std::string text = folder.lexically_normal().string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text + '/';
}

}  // namespace

std::optional<FileStates::State> FileStates::state(const std::string& path) {
  std::lock_guard lock(mutex_);
  auto [known, is_new] = files_.try_emplace(path);
  struct stat status;
  if (is_new && stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode))
    known->second.state = State{static_cast<uint64_t>(status.st_size),
                                int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec};
  return known->second.state;
}

std::optional<uint64_t> FileStates::content(const std::string& path) {
  if (!state(path)) return std::nullopt;
  {
    std::lock_guard lock(mutex_);
    if (files_[path].is_read) return files_[path].content;
  }
  const std::optional<std::string> text = read_file(path);
  std::lock_guard lock(mutex_);
  Known& known = files_[path];
  known.is_read = true;
  if (text) known.content = trace::fnv1a(*text);
  return known.content;
}

UnitCache::UnitCache(const Folders& folders, const std::string& compiler)
    : folder_(folders.cache), source_(with_slash(folders.source)), compiler_(compiler) {
  if (const std::string build = with_slash(folders.build); !build.starts_with(source_)) build_ = build;
}

std::string UnitCache::without_root(const std::string& text) const {
  return replaced(text, source_, kRoot);
}

bool UnitCache::is_below_build(const std::string& path) const {
  return !build_.empty() && path.starts_with(build_) && !path.starts_with(source_);
}

std::string UnitCache::with_root(const std::string& path) const {
  return path.starts_with(kRoot) ? source_ + path.substr(kRoot.size()) : path;
}

std::string UnitCache::key(const UnitCommand& unit, Builds builds) {
  uint64_t hash =
      trace::fnv1a(fmt::format("{}\n{}\n{}\n", compiler_, kFactsVersion, static_cast<int>(unit.language)));
  const auto add = [&](const std::string& word) {
    const std::string plain = without_root(word);
    const bool is_replaced = builds == Builds::kAll && !build_.empty();
    hash = trace::fnv1a((is_replaced ? replaced(plain, build_, kBuild) : plain) + "\n", hash);
  };
  add(unit.directory.string() + "/");
  add(unit.file.string());
  for (const std::string& flag : unit.flags) add(flag);
  hash = trace::fnv1a(fmt::format("{}", files_.content(unit.file.string()).value_or(0)), hash);
  return fmt::format("{:016x}", hash);
}

bool UnitCache::is_current(std::string_view dependencies) {
  while (!dependencies.empty()) {
    const size_t end = dependencies.find('\n');
    if (end == std::string_view::npos) return false;
    std::string_view line = dependencies.substr(0, end);
    dependencies.remove_prefix(end + 1);
    FileStates::State then;
    uint64_t content = 0;
    if (!take_number(line, then.size) || !take_number(line, then.changed) || !take_number(line, content))
      return false;
    const std::string path = with_root(std::string(line));
    const std::optional<FileStates::State> now = files_.state(path);
    if (!now || now->size != then.size) return false;
    if (now->changed != then.changed && files_.content(path) != content) return false;
  }
  return true;
}

std::optional<std::string> UnitCache::find(const UnitCommand& unit) {
  if (folder_.empty()) return std::nullopt;
  for (const Builds builds : {Builds::kAll, Builds::kThis}) {
    const std::string name = key(unit, builds);
    for (const char* end : {".facts", ".other.facts"}) {
      std::optional<std::string> bytes = read_file(folder_ / (name + end));
      if (!bytes) continue;
      const std::optional<Entry> entry = parse_entry(*bytes);
      if (!entry || !is_current(entry->files)) continue;
      // Its time of change is the time of its last use: nobody else asks for it.
      utimensat(AT_FDCWD, (folder_ / (name + end)).c_str(), nullptr, 0);
      return std::string(entry->facts);
    }
  }
  return std::nullopt;
}

Expected<void> UnitCache::store(const UnitCommand& unit, const std::vector<std::string>& files,
                                std::chrono::system_clock::time_point started, const std::string& facts) {
  if (folder_.empty()) return {};
  const int64_t start =
      std::chrono::duration_cast<std::chrono::nanoseconds>(started.time_since_epoch()).count();
  std::string list;
  Builds builds = Builds::kAll;
  for (const std::string& file : files) {
    std::filesystem::path path = file;
    if (path.is_relative()) path = unit.directory / path;
    // Not through "..": a folder before it may be a symbolic link. But one name for one file of the project.
    const std::string plain = path.string().find("/../") == std::string::npos
                                  ? path.string()
                                  : std::filesystem::weakly_canonical(path).string();
    const std::optional<FileStates::State> state = files_.state(plain);
    const std::optional<uint64_t> content = files_.content(plain);
    if (!state || !content || state->changed >= start) return {};  // changing under our eyes: not for keeping
    // Facts name such files by where they are.
    if (is_below_build(plain)) builds = Builds::kThis;
    list += fmt::format("{} {} {} {}\n", state->size, state->changed, *content, without_root(plain));
  }
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  const std::filesystem::path path = folder_ / (key(unit, builds) + ".facts");
  std::filesystem::path other = path;
  other.replace_extension(".other.facts");
  std::filesystem::rename(path, other, error);  // there may be none
  Expected<trace::AtomicFile> out = trace::AtomicFile::create(path.string());
  if (!out) return tl::unexpected(out.error());
  const uint64_t length = list.size();
  std::string head(kUnitMagic);
  head.append(reinterpret_cast<const char*>(&length), sizeof length);
  for (const std::string& part : {head, list, facts})
    if (Expected<void> written = out->write(part); !written) return written;
  return out->commit();
}

void UnitCache::tidy(std::chrono::system_clock::time_point started) const {
  struct Entry {
    int64_t used;
    uint64_t size;
    std::filesystem::path path;
  };
  if (folder_.empty()) return;
  const auto in_nanoseconds = [](auto duration) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count();
  };
  const int64_t start = in_nanoseconds(started.time_since_epoch());
  std::vector<Entry> entries;
  uint64_t total = 0;
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(folder_, error)) {
    struct stat status;
    if (file.path().extension() != ".facts" || stat(file.path().c_str(), &status) != 0) continue;
    const int64_t used = int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
    entries.push_back({used, static_cast<uint64_t>(status.st_size), file.path()});
    total += entries.back().size;
  }
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry& entry : entries) {
    const bool is_old = entry.used < start - in_nanoseconds(kMaxAge);
    if (entry.used >= start || (!is_old && total <= kMaxBytes)) break;
    std::filesystem::remove(entry.path, error);
    total -= entry.size;
  }
}

}  // namespace heddle::program
