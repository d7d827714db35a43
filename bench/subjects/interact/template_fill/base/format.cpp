#include "format.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "options.h"

namespace {

constexpr size_t kLargestWidth = 4096;
constexpr char kTypes[] = "dhicsx";

class FormatReader {
 public:
  explicit FormatReader(const std::string& text) : text_(text) {}

  std::vector<Piece> read() {
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '%') {
        read_directive();
      } else if (c == '\\') {
        add(read_escape());
      } else {
        add(c);
      }
    }
    return std::move(pieces_);
  }

 private:
  // NUL: the end, which no directive goes beyond.
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void add(char c) {
    if (pieces_.empty() || !pieces_.back().is_literal) pieces_.emplace_back();
    pieces_.back().literal += c;
  }

  char read_escape() {
    const char c = peek();
    if (c == '\0') return '\\';
    ++at_;
    switch (c) {
      case 'n':
        return '\n';
      case 't':
        return '\t';
      default:
        return c;
    }
  }

  [[noreturn]] void fail(const char* what) const {
    std::fprintf(stderr, "template_fill: %s in '%s'\n", what, text_.c_str());
    std::exit(kExitUsage);
  }

  bool is_digit() const { return peek() >= '0' && peek() <= '9'; }

  size_t read_number() {
    size_t value = 0;
    while (is_digit()) {
      value = 10 * value + static_cast<size_t>(text_[at_++] - '0');
      if (value > kLargestWidth) fail("a number is too large");
    }
    return value;
  }

  void read_flags(Directive* directive) {
    for (;; ++at_) {
      switch (peek()) {
        case '-':
          directive->left = true;
          break;
        case '0':
          directive->zeros = true;
          break;
        case '+':
          directive->sign = true;
          break;
        case '\'':
          directive->groups = true;
          break;
        default:
          return;
      }
    }
  }

  void read_directive() {
    if (peek() == '%') {
      add(text_[at_++]);
      return;
    }
    Directive directive;
    read_flags(&directive);
    directive.width = read_number();
    const char type = peek();
    if (type == '\0') fail("a directive has no end");
    if (std::strchr(kTypes, type) == nullptr) fail("there is no such directive");
    ++at_;
    directive.type = type;
    pieces_.push_back({.is_literal = false, .literal = {}, .directive = directive});
  }

  const std::string& text_;
  size_t at_ = 0;
  std::vector<Piece> pieces_;
};

}  // namespace

std::vector<Piece> read_format(const std::string& text) {
  return FormatReader(text).read();
}
