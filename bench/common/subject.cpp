#include "common/subject.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "common/git.h"
#include "trace/hash.h"

namespace heddle::bench {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Expected<Subject> read_subject(const fs::path& folder) {
  Subject subject{.name = folder.filename().string(), .folder = folder, .main_change = {}, .changes = {}};
  const fs::path file = folder / "subject.toml";
  try {
    const toml::table table = toml::parse_file(file.string());
    subject.main_change = table["change"].value_or(std::string());
    if (const toml::table* changes = table["changes"].as_table())
      for (const auto& [name, change] : *changes) subject.changes.emplace_back(name.str());
  } catch (const toml::parse_error& error) {
    return usage_error(fmt::format("{}: {}", file.string(), error.description()));
  }
  const auto main_change = std::ranges::find(subject.changes, subject.main_change);
  if (main_change == subject.changes.end())
    return usage_error(fmt::format("{} does not say which of its changes is the main one", file.string()));
  std::rotate(subject.changes.begin(), main_change, main_change + 1);
  return subject;
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

uint64_t content_of(const Subject& subject) {
  uint64_t hash = trace::fnv1a(subject.name);
  for (const char* part : {"base", "changes"}) {
    for (const fs::path& file : files_below(subject.folder / part)) {
      hash = trace::fnv1a(file.lexically_relative(subject.folder).string() + '\n', hash);
      hash = trace::fnv1a(read_text(file), hash);
    }
  }
  return hash;
}

Expected<void> make_commits(const Subject& subject, const fs::path& folder) {
  std::error_code failed;
  fs::remove_all(folder, failed);
  fs::create_directories(folder, failed);
  fs::copy(subject.folder / "base", folder, fs::copy_options::recursive, failed);
  if (failed) return internal_error(fmt::format("cannot write {}: {}", folder.string(), failed.message()));
  Expected<void> made = git_each(
      folder,
      {{"init", "-q", "-b", "base"}, {"add", "-A", "-f", "."}, {"commit", "-q", "-m", "The subject"}});
  for (const std::string& change : subject.changes) {
    if (!made) return made;
    const fs::path patch = fs::absolute(subject.folder / "changes" / (change + ".patch"));
    made = git_each(folder, {{"checkout", "-q", "-B", "change/" + change, "base"},
                             {"apply", "--index", patch.string()},
                             {"commit", "-q", "-m", change}});
  }
  return made ? git(folder, {"checkout", "-q", "base"}) : made;
}

}  // namespace

Expected<std::vector<Subject>> read_subjects(const fs::path& folder, const std::vector<std::string>& names) {
  std::vector<Subject> subjects;
  if (!fs::is_directory(folder)) return usage_error(fmt::format("there is no folder {}", folder.string()));
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!fs::exists(entry.path() / "subject.toml")) continue;
    if (!names.empty() && std::ranges::find(names, name) == names.end()) continue;
    Expected<Subject> subject = read_subject(entry.path());
    if (!subject) return tl::unexpected(subject.error());
    subjects.push_back(std::move(*subject));
  }
  std::ranges::sort(subjects, {}, &Subject::name);
  for (const std::string& name : names)
    if (std::ranges::find(subjects, name, &Subject::name) == subjects.end())
      return usage_error(fmt::format("there is no subject {} in {}", name, folder.string()));
  return subjects;
}

Expected<SubjectRepository> SubjectRepository::make(const Subject& subject, const fs::path& folder) {
  const fs::path stamp = folder / ".git" / "made-of";
  const std::string content = fmt::format("{:016x}", content_of(subject));
  if (read_text(stamp) != content) {
    if (const Expected<void> made = make_commits(subject, folder); !made) return tl::unexpected(made.error());
    std::ofstream(stamp) << content;
  }
  Expected<Repository> repository = Repository::open(folder);
  if (!repository) return tl::unexpected(repository.error());
  return SubjectRepository(std::move(*repository));
}

Expected<std::map<std::string, std::string>> SubjectRepository::sources() const {
  const Expected<Revision> revision = base();
  if (!revision) return tl::unexpected(revision.error());
  const Expected<std::vector<std::string>> files = repository_.files(*revision);
  if (!files) return tl::unexpected(files.error());
  std::map<std::string, std::string> texts;
  for (const std::string& file : *files) {
    if (!file.starts_with("src/")) continue;
    Expected<std::string> text = repository_.read(*revision, file);
    if (!text) return tl::unexpected(text.error());
    texts.emplace(file, std::move(*text));
  }
  return texts;
}

Expected<Revision> SubjectRepository::commit(const std::map<std::string, std::string>& texts,
                                             const std::string& message) {
  const fs::path& root = repository_.root();
  if (const Expected<void> begun = git(root, {"checkout", "-q", "-f", "-B", "trial", "base"}); !begun)
    return tl::unexpected(begun.error());
  for (const auto& [file, text] : texts) std::ofstream(root / file, std::ios::binary) << text;
  const Expected<void> done =
      git_each(root, {{"commit", "-q", "-a", "-m", message}, {"checkout", "-q", "--detach"}});
  if (!done) return tl::unexpected(done.error());
  Expected<Revision> revision = repository_.resolve("trial");
  if (!revision) return revision;
  // The branch will be another commit's soon.
  return repository_.resolve(revision->commit);
}

}  // namespace heddle::bench
