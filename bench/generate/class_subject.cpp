#include "class_subject.h"

#include <algorithm>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "trace/names.h"

namespace heddle::bench {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> texts(const toml::node_view<const toml::node> node) {
  std::vector<std::string> list;
  if (const toml::array* array = node.as_array())
    for (const toml::node& element : *array) list.push_back(element.value_or(std::string()));
  return list;
}

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::ranges::find(list, text) != list.end();
}

Expected<ClassSubject> read_subject_of_class(const fs::path& folder) {
  const fs::path file = folder / "subject.toml";
  ClassSubject subject;
  subject.name = folder.filename().string();
  try {
    const toml::table table = toml::parse_file(file.string());
    const auto node = [&](const char* key) { return toml::node_view<const toml::node>(table.get(key)); };
    subject.class_name = node("class").value_or(std::string());
    subject.sources.headers = texts(node("headers"));
    subject.sources.flags = {"-std=" + node("std").value_or(std::string("c++20")), "-I" + folder.string()};
    for (const std::string& source : texts(node("sources")))
      subject.sources.sources.push_back((folder / source).string());
    subject.has_bug = node("bug").value_or(false);
    subject.is_race_free = node("race_free").value_or(true);
    subject.kinds = texts(node("kinds"));
    subject.broken = texts(node("broken"));
    subject.methods = texts(node("methods"));
  } catch (const toml::parse_error& error) {
    return usage_error(fmt::format("{}: {}", file.string(), error.description()));
  }
  if (subject.class_name.empty() || subject.sources.headers.empty())
    return usage_error(
        fmt::format("{} does not say which class it is about, and where it is", file.string()));
  if (subject.has_bug && (subject.kinds.empty() || subject.broken.empty() || subject.methods.empty()))
    return usage_error(fmt::format("{} does not say how its bug shows", file.string()));
  return subject;
}

}  // namespace

Expected<std::vector<ClassSubject>> read_class_subjects(const fs::path& folder,
                                                        const std::vector<std::string>& names) {
  if (!fs::is_directory(folder)) return usage_error(fmt::format("there is no folder {}", folder.string()));
  std::vector<ClassSubject> subjects;
  for (const auto& entry : fs::directory_iterator(fs::absolute(folder))) {
    if (!fs::exists(entry.path() / "subject.toml")) continue;
    if (!names.empty() && !contains(names, entry.path().filename().string())) continue;
    Expected<ClassSubject> subject = read_subject_of_class(entry.path());
    if (!subject) return tl::unexpected(subject.error());
    subjects.push_back(std::move(*subject));
  }
  std::ranges::sort(subjects, {}, &ClassSubject::name);
  for (const std::string& name : names)
    if (std::ranges::find(subjects, name, &ClassSubject::name) == subjects.end())
      return usage_error(fmt::format("there is no subject {} in {}", name, folder.string()));
  return subjects;
}

bool shows_bug(const ClassSubject& subject, const generate::TestFailure& failure,
               const generate::ClassModel& model, const generate::OperationTable& operations) {
  if (!contains(subject.kinds, std::string(trace::to_text(failure.kind)))) return false;
  const auto calls_one_of = [&](const std::vector<generate::OperationId>& calls,
                                const std::vector<std::string>& methods) {
    return std::ranges::any_of(calls, [&](generate::OperationId call) {
      return contains(methods, model.methods[operations[call].callable].name);
    });
  };
  const auto& threads = failure.plan.threads;
  return std::ranges::any_of(threads,
                             [&](const auto& calls) { return calls_one_of(calls, subject.broken); }) &&
         std::ranges::all_of(threads,
                             [&](const auto& calls) { return calls_one_of(calls, subject.methods); });
}

}  // namespace heddle::bench
