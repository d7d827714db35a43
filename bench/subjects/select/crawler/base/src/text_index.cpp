#include "text_index.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <mutex>
#include <utility>

namespace crawl {
namespace {

// The usual parameters of BM25: how fast repetition stops to count, and how much length matters.
constexpr double kSaturation = 1.2;
constexpr double kLengthWeight = 0.75;

}  // namespace

std::vector<std::string> TextIndex::words(std::string_view text) {
  std::vector<std::string> found;
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const auto c = static_cast<unsigned char>(i < text.size() ? text[i] : ' ');
    if (std::isalnum(c) || c >= 128) {
      word += static_cast<char>(std::tolower(c));
    } else {
      if (word.size() >= 2) found.push_back(word);
      word.clear();
    }
  }
  return found;
}

void TextIndex::add(const std::string& document, std::string_view text) {
  std::map<std::string, std::uint32_t> counts;
  const std::vector<std::string> found = words(text);
  for (const std::string& word : found) ++counts[word];

  std::unique_lock lock(mutex_);
  erase(document);
  std::set<std::string>& own = documents_[document];
  for (const auto& [word, count] : counts) {
    terms_[word][document] = count;
    own.insert(word);
  }
  lengths_[document] = found.size();
}

/// Needs the lock.
void TextIndex::erase(const std::string& document) {
  const auto found = documents_.find(document);
  if (found == documents_.end()) return;
  for (const std::string& word : found->second) {
    const auto term = terms_.find(word);
    term->second.erase(document);
    if (term->second.empty()) terms_.erase(term);
  }
  documents_.erase(found);
  lengths_.erase(document);
}

bool TextIndex::remove(const std::string& document) {
  std::unique_lock lock(mutex_);
  const bool known = documents_.contains(document);
  erase(document);
  return known;
}

/// Words per document. Needs the lock, at least shared.
double TextIndex::average_length() const {
  std::size_t total = 0;
  for (const auto& [document, length] : lengths_) total += length;
  return lengths_.empty() ? 0 : static_cast<double>(total) / static_cast<double>(lengths_.size());
}

std::vector<TextIndex::Hit> TextIndex::search(std::string_view query, std::size_t limit) const {
  std::vector<std::string> wanted = words(query);
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  if (wanted.empty()) return {};

  std::map<std::string, double> scores;
  {
    std::shared_lock lock(mutex_);
    const double average = average_length();
    const auto count = static_cast<double>(documents_.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto term = terms_.find(wanted[i]);
      if (term == terms_.end()) return {};
      const Postings& postings = term->second;
      const auto having = static_cast<double>(postings.size());
      const double rarity = std::log(1 + (count - having + 0.5) / (having + 0.5));
      std::map<std::string, double> narrowed;
      for (const auto& [document, times] : postings) {
        const auto before = scores.find(document);
        if (i > 0 && before == scores.end()) continue;
        const double relative = static_cast<double>(lengths_.at(document)) / average;
        const double weight = times * (kSaturation + 1) /
                              (times + kSaturation * (1 - kLengthWeight + kLengthWeight * relative));
        narrowed[document] = (i > 0 ? before->second : 0) + rarity * weight;
      }
      scores = std::move(narrowed);
    }
  }
  std::vector<Hit> hits;
  for (const auto& [document, score] : scores) hits.push_back({document, score});
  std::stable_sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.score > b.score; });
  if (hits.size() > limit) hits.resize(limit);
  return hits;
}

std::vector<std::string> TextIndex::suggest(std::string_view prefix, std::size_t limit) const {
  std::vector<std::string> found;
  std::shared_lock lock(mutex_);
  for (auto term = terms_.lower_bound(prefix); term != terms_.end() && found.size() < limit; ++term) {
    if (std::string_view(term->first).substr(0, prefix.size()) != prefix) break;
    found.push_back(term->first);
  }
  return found;
}

std::size_t TextIndex::frequency(std::string_view word) const {
  std::shared_lock lock(mutex_);
  const auto term = terms_.find(word);
  return term == terms_.end() ? 0 : term->second.size();
}

TextIndex::Stats TextIndex::stats() const {
  std::shared_lock lock(mutex_);
  Stats stats;
  stats.documents = documents_.size();
  stats.terms = terms_.size();
  for (const auto& [word, postings] : terms_) stats.postings += postings.size();
  stats.average_length = average_length();
  return stats;
}

}  // namespace crawl
