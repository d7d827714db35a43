#include "change/local_names.h"

namespace heddle {

void LocalNames::pop() {
  while (bound_.size() > scopes_.back()) {
    visible_[bound_.back()].pop_back();
    bound_.pop_back();
  }
  scopes_.pop_back();
}

uint32_t LocalNames::declare(std::string_view name, std::string type, uint32_t statement,
                             std::string storage) {
  locals_.push_back({std::string(name), std::move(type), statement, std::move(storage)});
  const auto number = static_cast<uint32_t>(locals_.size());
  bind(name, number);
  return number;
}

void LocalNames::bind(std::string_view name, uint32_t number) {
  visible_[name].push_back(number);
  bound_.push_back(name);
}

uint32_t LocalNames::number(std::string_view name) const {
  const auto found = visible_.find(name);
  return found == visible_.end() || found->second.empty() ? 0 : found->second.back();
}

std::string LocalNames::normal_text(uint32_t begin, uint32_t end,
                                    const std::vector<std::pair<uint32_t, uint32_t>>& left_out) const {
  std::string text;
  size_t next = 0;
  for (uint32_t i = begin; i < end; ++i) {
    while (next < left_out.size() && left_out[next].first <= i) {
      if (i < left_out[next].second) i = left_out[next].second;
      ++next;
    }
    if (i >= end) break;
    const Token& token = tokens_[i];
    if (!text.empty()) text += ' ';
    uint32_t local = 0;
    if (token.is_identifier()) {
      const bool member =
          i > begin && (tokens_[i - 1].is(".") || tokens_[i - 1].is("->") || tokens_[i - 1].is("::"));
      const bool scope = i + 1 < end && tokens_[i + 1].is("::");
      if (!member && !scope) local = number(token.text);
    }
    if (local != 0) {
      text += '$';
      text += std::to_string(local);
    } else {
      text += token.text;
    }
  }
  return text;
}

bool is_trivial_type(std::string_view type) {
  if (type.empty() || type.back() == '*' || type.back() == '&') return true;
  for (const Token& token : tokenize(type)) {
    const bool plain = (is_builtin_type(token.text) && token.text != "auto") || token.is("const") ||
                       token.is("volatile") || token.is("size_t") || token.is("std") || token.is("::");
    const bool fixed_width =
        token.text.ends_with("_t") && (token.text.starts_with("int") || token.text.starts_with("uint"));
    if (!plain && !fixed_width) return false;
  }
  return true;
}

}  // namespace heddle
