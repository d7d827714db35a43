// SharedDocument: a text that several people edit, with a history of what they did.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace editing {

// Thread-safe. Reading the text and looking at the history do not hinder each other.
class SharedDocument {
 public:
  static constexpr size_t kLongestHistory = 100;

  explicit SharedDocument(std::string text = {});
  SharedDocument(const SharedDocument&) = delete;
  SharedDocument& operator=(const SharedDocument&) = delete;

  // Behind the end is an error (std::out_of_range).
  void insert(size_t position, std::string_view text);
  void append(std::string_view text);
  // What is behind the end is not there to be erased.
  void erase(size_t position, size_t count);
  void set_title(std::string_view title);

  // The edit that was made last, by whomever. False if there is none.
  bool undo();
  size_t undo_count() const;
  void clear_history();

  std::string text() const;
  std::string title() const;
  size_t length() const;
  std::optional<size_t> find(std::string_view text) const;

 private:
  // Needs text_mutex_.
  void replace(std::string text);

  mutable std::mutex text_mutex_;
  std::string text_;
  std::string title_;

  mutable std::mutex history_mutex_;
  std::vector<std::string> history_;  // what the text was before each edit
};

}  // namespace editing
