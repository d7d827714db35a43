#include "program_subject.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "common/git.h"

namespace heddle::bench {
namespace {

namespace fs = std::filesystem;

Expected<ProgramSubject> read_subject(const fs::path& folder) {
  ProgramSubject subject{.name = folder.filename().string(),
                         .folder = folder,
                         .arguments = {},
                         .standard_input = 0,
                         .errors = {}};
  const fs::path file = folder / "subject.toml";
  try {
    const toml::table table = toml::parse_file(file.string());
    std::vector<std::string> words;
    if (const toml::array* arguments = table["args"].as_array())
      for (const toml::node& word : *arguments) words.push_back(word.value_or(std::string()));
    // Words at the end of which nothing is fixed may be left out.
    for (size_t i = words.size(); i-- > 0 && words[i].starts_with('@');) words[i] = '[' + words[i] + ']';
    subject.arguments = fmt::format("{}", fmt::join(words, " "));
    subject.standard_input = table["stdin"].value_or(0u);
    if (const toml::array* errors = table["error"].as_array()) {
      for (const toml::node& node : *errors) {
        const toml::table& error = *node.as_table();
        subject.errors.push_back({.name = error["name"].value_or(std::string()),
                                  .is_interaction = error["kind"].value_or(std::string()) == "interaction",
                                  .needs = error["needs"].value_or(std::string())});
      }
    }
  } catch (const toml::parse_error& error) {
    return usage_error(fmt::format("{}: {}", file.string(), error.description()));
  }
  if (subject.errors.empty()) return usage_error(fmt::format("{} has no [[error]]", file.string()));
  return subject;
}

std::string fix_branch(const std::string& error) {
  return "fix/" + error;
}

}  // namespace

Expected<std::vector<ProgramSubject>> read_program_subjects(const fs::path& folder,
                                                            const std::vector<std::string>& names) {
  if (!fs::is_directory(folder)) return usage_error(fmt::format("there is no folder {}", folder.string()));
  std::vector<ProgramSubject> subjects;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!fs::exists(entry.path() / "subject.toml")) continue;
    if (!names.empty() && std::ranges::find(names, name) == names.end()) continue;
    Expected<ProgramSubject> subject = read_subject(entry.path());
    if (!subject) return tl::unexpected(subject.error());
    subjects.push_back(std::move(*subject));
  }
  std::ranges::sort(subjects, {}, &ProgramSubject::name);
  for (const std::string& name : names)
    if (std::ranges::find(subjects, name, &ProgramSubject::name) == subjects.end())
      return usage_error(fmt::format("there is no subject {} in {}", name, folder.string()));
  return subjects;
}

Expected<ProgramRevisions> make_revisions(const ProgramSubject& subject, const fs::path& folder) {
  std::error_code failed;
  fs::remove_all(folder, failed);
  fs::create_directories(folder, failed);
  fs::copy(subject.folder / "base", folder, fs::copy_options::recursive, failed);
  if (failed) return internal_error(fmt::format("cannot write {}: {}", folder.string(), failed.message()));
  const auto commit_patch = [&](const std::string& branch, const std::string& from, const fs::path& patch) {
    return git_each(folder, {{"checkout", "-q", "-B", branch, from},
                             {"apply", "--index", fs::absolute(patch).string()},
                             {"commit", "-q", "-m", branch}});
  };
  Expected<void> made = git_each(
      folder,
      {{"init", "-q", "-b", "base"}, {"add", "-A", "-f", "."}, {"commit", "-q", "-m", "The subject"}});
  if (made) made = commit_patch("head", "base", subject.folder / "head.patch");
  for (const SeededError& error : subject.errors)
    if (made)
      made = commit_patch(fix_branch(error.name), "head", subject.folder / "fixes" / (error.name + ".patch"));
  if (!made) return tl::unexpected(made.error());

  Expected<Repository> repository = Repository::open(folder);
  if (!repository) return tl::unexpected(repository.error());
  const Expected<Revision> base = repository->resolve("base");
  if (!base) return tl::unexpected(base.error());
  const Expected<Revision> head = repository->resolve("head");
  if (!head) return tl::unexpected(head.error());
  std::vector<Revision> golden;
  for (const SeededError& error : subject.errors) {
    const Expected<Revision> fix = repository->resolve(fix_branch(error.name));
    if (!fix) return tl::unexpected(fix.error());
    golden.push_back(*fix);
  }
  return ProgramRevisions{std::move(*repository), *base, *head, std::move(golden)};
}

}  // namespace heddle::bench
