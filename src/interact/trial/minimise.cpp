// Differential::minimise(): greedy, by structure, then as delta debugging does (Zeller and Hildebrandt 2002):
// parts are left out, from large to small, as long as the input still shows what it should.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include "interact/trial/differential.h"

namespace heddle::interact {
namespace {

using concolic::ProgramInput;

// Of a number that fits into 64 bits; of longer ones, digits are left out instead.
constexpr size_t kMostDigits = 19;

bool is_digit_of_number(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

class Minimiser {
 public:
  using Still = std::function<bool(const ProgramInput&)>;

  Minimiser(ProgramInput input, const Still& still, size_t most)
      : input_(std::move(input)), still_(still), left_(most) {
    asked_.insert(input_);
  }

  // Every step that is taken makes the input shorter, or a number in it smaller, or a character simpler.
  ProgramInput run() {
    while (left_ > 0) {
      const ProgramInput before = input_;
      leave_out_arguments();
      for (size_t i = 0; i < texts(); ++i) {
        leave_out_lines(i);
        leave_out_characters(i);
      }
      for (size_t i = 0; i < texts(); ++i) {
        lessen_numbers(i);
        simplify_characters(i);
      }
      if (input_ == before) break;
    }
    return input_;
  }

 private:
  size_t texts() const { return input_.arguments.size() + 2; }

  static std::string& text_of(ProgramInput& input, size_t i) {
    if (i < input.arguments.size()) return input.arguments[i];
    return i == input.arguments.size() ? input.standard_input : input.file;
  }
  const std::string& text(size_t i) { return text_of(input_, i); }

  // Whether it still holds; then it is the input.
  bool holds(ProgramInput candidate) {
    if (left_ == 0 || !asked_.insert(candidate).second) return false;
    --left_;
    if (!still_(candidate)) return false;
    input_ = std::move(candidate);
    return true;
  }
  bool holds_with(size_t i, std::string text) {
    ProgramInput candidate = input_;
    text_of(candidate, i) = std::move(text);
    return holds(std::move(candidate));
  }

  // `size()` is of what is left; `leave_out(at, count)` says whether it still holds without these.
  template <typename Size, typename LeaveOut>
  void leave_out_parts(Size size, LeaveOut leave_out) {
    for (size_t part = size(); part > 0; part /= 2) {
      for (size_t at = 0; at < size() && left_ > 0;) {
        if (!leave_out(at, std::min(part, size() - at))) at += part;
      }
    }
  }

  void leave_out_arguments() {
    leave_out_parts([&] { return input_.arguments.size(); },
                    [&](size_t at, size_t count) {
                      ProgramInput candidate = input_;
                      const auto begin = candidate.arguments.begin() + static_cast<std::ptrdiff_t>(at);
                      candidate.arguments.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
                      return holds(std::move(candidate));
                    });
  }

  // Where each line begins, and the end.
  static std::vector<size_t> line_begins(const std::string& text) {
    std::vector<size_t> result = {0};
    for (size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
      result.push_back(at + 1);
    if (result.back() != text.size()) result.push_back(text.size());
    return result;
  }

  void leave_out_lines(size_t i) {
    if (line_begins(text(i)).size() <= 2) return;
    leave_out_parts([&] { return line_begins(text(i)).size() - 1; },
                    [&](size_t at, size_t count) {
                      const std::vector<size_t> begins = line_begins(text(i));
                      std::string shorter = text(i);
                      shorter.erase(begins[at], begins[at + count] - begins[at]);
                      return holds_with(i, std::move(shorter));
                    });
  }

  void leave_out_characters(size_t i) {
    leave_out_parts([&] { return text(i).size(); },
                    [&](size_t at, size_t count) {
                      std::string shorter = text(i);
                      shorter.erase(at, count);
                      return holds_with(i, std::move(shorter));
                    });
  }

  // The least value between one that does not hold and the present one, as far as there is a threshold.
  void lessen_numbers(size_t i) {
    for (size_t begin = 0; begin < text(i).size() && left_ > 0;) {
      if (!is_digit_of_number(text(i)[begin])) {
        ++begin;
        continue;
      }
      const auto length = [&] {
        size_t end = begin;
        while (end < text(i).size() && is_digit_of_number(text(i)[end])) ++end;
        return end - begin;
      };
      if (length() <= kMostDigits) lessen_number(i, begin, length);
      begin += std::max<size_t>(length(), 1);
    }
  }

  template <typename Length>
  void lessen_number(size_t i, size_t begin, Length length) {
    uint64_t value = 0;
    std::from_chars(text(i).data() + begin, text(i).data() + begin + length(), value);
    const auto holds_for = [&](uint64_t smaller) {
      std::string other = text(i);
      other.replace(begin, length(), std::to_string(smaller));
      return holds_with(i, std::move(other));
    };
    if (value == 0 || holds_for(0)) return;
    uint64_t low = 0;
    while (value - low > 1 && left_ > 0) {
      const uint64_t middle = low + (value - low) / 2;
      if (holds_for(middle))
        value = middle;
      else
        low = middle;
    }
  }

  // Numbers are lessened; ends of lines are structure.
  static bool is_simple(char c) { return c == 'a' || c == '\n' || is_digit_of_number(c); }

  void simplify_characters(size_t i) {
    std::string all = text(i);
    for (char& c : all)
      if (std::isalpha(static_cast<unsigned char>(c)) != 0) c = 'a';
    if (all != text(i)) holds_with(i, std::move(all));
    for (size_t at = 0; at < text(i).size() && left_ > 0; ++at) {
      if (is_simple(text(i)[at])) continue;
      std::string other = text(i);
      other[at] = 'a';
      holds_with(i, std::move(other));
    }
  }

  ProgramInput input_;
  const Still& still_;
  size_t left_;
  std::set<ProgramInput> asked_;
};

}  // namespace

ProgramInput Differential::minimise(const ProgramInput& input,
                                    const std::function<bool(const ProgramInput&)>& still, size_t most) {
  return Minimiser(input, still, most).run();
}

}  // namespace heddle::interact
