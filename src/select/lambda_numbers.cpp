#include "select/lambda_numbers.h"

#include <algorithm>
#include <optional>

namespace heddle::select {
namespace {

constexpr std::string_view kNumbered = "$_";
constexpr size_t kMostDigits = 3;  // of the length of such a name

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

struct Numbered {
  size_t begin = 0;  // with its length
  size_t end = 0;
  std::string_view number;
};

// The first that begins at `from` or later. Its length stands before it, and what precedes that may be digits
// as well: of "_GLOBAL__N_14$_208__invoke", it is "4$_20".
std::optional<Numbered> next_numbered(std::string_view name, size_t from) {
  for (size_t at = name.find(kNumbered, from); at != std::string_view::npos;
       at = name.find(kNumbered, at + 1)) {
    size_t length = 0;
    size_t place = 1;
    for (size_t digits = 1; digits <= kMostDigits && at >= from + digits && is_digit(name[at - digits]);
         ++digits, place *= 10) {
      length += place * static_cast<size_t>(name[at - digits] - '0');
      if (length < kNumbered.size() || length > name.size() - at) continue;
      const std::string_view number = name.substr(at + kNumbered.size(), length - kNumbered.size());
      if (!number.empty() && std::ranges::all_of(number, is_digit))
        return Numbered{at - digits, at + length, number};
    }
  }
  return std::nullopt;
}

}  // namespace

bool has_lambda_number(std::string_view linkage_name) {
  return next_numbered(linkage_name, 0).has_value();
}

std::string with_lambda_numbers(std::string_view linkage_name,
                                const std::function<std::string(std::string_view)>& other) {
  std::string result;
  size_t done = 0;
  while (const std::optional<Numbered> found = next_numbered(linkage_name, done)) {
    const std::string name = std::string(kNumbered) + other(found->number);
    result += linkage_name.substr(done, found->begin - done);
    result += std::to_string(name.size()) + name;
    done = found->end;
  }
  return result.append(linkage_name.substr(done));
}

std::string_view lambda_called(std::string_view linkage_name) {
  std::optional<Numbered> last;
  size_t from = 0;
  while (const std::optional<Numbered> found = next_numbered(linkage_name, from)) {
    last = found;
    from = found->end;
  }
  return last && linkage_name.substr(last->end).starts_with("cl") ? last->number : std::string_view();
}

}  // namespace heddle::select
