#include "checkpoint.h"

#include <cstdio>
#include <sstream>
#include <utility>

namespace crawl {
namespace {

constexpr std::string_view kHeader = "crawl-checkpoint 1";

/// One line, whatever is in the text: titles may hold anything.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + '"';
}

/// Reads what `quoted` wrote; false if there is no closing quote.
bool read_quoted(std::istream& in, std::string& text) {
  char c = 0;
  if (!(in >> c) || c != '"') return false;
  text.clear();
  while (in.get(c)) {
    if (c == '"') return true;
    if (c == '\\') {
      if (!in.get(c)) return false;
      if (c == 'n') c = '\n';
    }
    text += c;
  }
  return false;
}

bool read_task(std::istream& in, Checkpoint& checkpoint) {
  Task task;
  std::string url;
  if (!(in >> task.depth >> task.priority >> task.attempts >> task.redirects) || !read_quoted(in, url))
    return false;
  const auto parsed = Url::parse(url);
  if (!parsed) return false;
  task.url = *parsed;
  checkpoint.tasks.push_back(std::move(task));
  return true;
}

bool read_page(std::istream& in, Checkpoint& checkpoint) {
  PageRecord page;
  std::size_t links = 0;
  if (!(in >> page.status >> page.depth >> page.fetched_at >> page.bytes >> std::hex >> page.content_hash >>
        std::dec >> links)) {
    return false;
  }
  if (!read_quoted(in, page.url) || !read_quoted(in, page.host) || !read_quoted(in, page.title)) return false;
  for (std::size_t i = 0; i < links; ++i) {
    std::string link;
    if (!read_quoted(in, link)) return false;
    page.links.push_back(std::move(link));
  }
  checkpoint.pages.push_back(std::move(page));
  return true;
}

bool read_line(const std::string& line, Checkpoint& checkpoint) {
  std::istringstream in(line);
  std::string kind;
  in >> kind;
  bool good = false;
  if (kind == "time") {
    good = static_cast<bool>(in >> checkpoint.time);
  } else if (kind == "task") {
    good = read_task(in, checkpoint);
  } else if (kind == "seen") {
    std::uint64_t hash = 0;
    good = static_cast<bool>(in >> std::hex >> hash);
    checkpoint.seen.push_back(hash);
  } else if (kind == "page") {
    good = read_page(in, checkpoint);
  }
  std::string rest;
  return good && !(in >> rest);
}

}  // namespace

std::string Checkpoint::write() const {
  std::ostringstream out;
  out << kHeader << "\ntime " << time << "\n";
  for (const Task& task : tasks) {
    out << "task " << task.depth << ' ' << task.priority << ' ' << task.attempts << ' ' << task.redirects
        << ' ' << quoted(task.url.to_string()) << "\n";
  }
  for (const std::uint64_t hash : seen) out << "seen " << std::hex << hash << std::dec << "\n";
  for (const PageRecord& page : pages) {
    out << "page " << page.status << ' ' << page.depth << ' ' << page.fetched_at << ' ' << page.bytes << ' '
        << std::hex << page.content_hash << std::dec << ' ' << page.links.size() << ' ' << quoted(page.url)
        << ' ' << quoted(page.host) << ' ' << quoted(page.title);
    for (const std::string& link : page.links) out << ' ' << quoted(link);
    out << "\n";
  }
  out << "end\n";
  return out.str();
}

std::optional<Checkpoint> Checkpoint::read(std::string_view text, std::string* error) {
  const auto fail = [error](std::string what) -> std::optional<Checkpoint> {
    if (error) *error = std::move(what);
    return std::nullopt;
  };
  Checkpoint checkpoint;
  std::istringstream in{std::string(text)};
  std::string line;
  if (!std::getline(in, line) || line != kHeader) return fail("not a checkpoint of this version");
  for (int number = 2; std::getline(in, line); ++number) {
    if (line == "end") return checkpoint;
    if (!read_line(line, checkpoint)) return fail("line " + std::to_string(number) + " is damaged");
  }
  return fail("the end is missing");
}

std::uint64_t CheckpointStore::save(std::string text) {
  auto shared = std::make_shared<const std::string>(std::move(text));
  std::lock_guard lock(mutex_);
  saved_.push_back({++last_number_, std::move(shared)});
  if (saved_.size() > keep_) saved_.pop_front();
  return last_number_;
}

std::shared_ptr<const std::string> CheckpointStore::latest() const {
  std::lock_guard lock(mutex_);
  return saved_.empty() ? nullptr : saved_.back().text;
}

std::shared_ptr<const std::string> CheckpointStore::get(std::uint64_t number) const {
  std::lock_guard lock(mutex_);
  for (const Saved& saved : saved_) {
    if (saved.number == number) return saved.text;
  }
  return nullptr;
}

std::size_t CheckpointStore::size() const {
  std::lock_guard lock(mutex_);
  return saved_.size();
}

}  // namespace crawl
