#include "generate/type_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "support/replace_text.h"

namespace heddle::generate {
namespace {

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Where the literal that begins here ends.
size_t end_of_literal(std::string_view text, size_t begin) {
  const char quote = text[begin];
  for (size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      return i + 1;
    }
  }
  return text.size();
}

bool begins_literal(std::string_view text, size_t at) {
  if (text[at] == '"') return true;
  // 1'000 is a number.
  return text[at] == '\'' && (at == 0 || std::isdigit(static_cast<unsigned char>(text[at - 1])) == 0);
}

std::string without_needless_spaces(std::string_view type) {
  std::string out;
  for (size_t i = 0; i < type.size(); ++i) {
    const char c = type[i];
    if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      out += c;
      if (c == ',') out += ' ';
      continue;
    }
    const size_t next = type.find_first_not_of(" \t\n", i);
    if (next == std::string_view::npos) break;
    if (!out.empty() && is_name_character(out.back()) && is_name_character(type[next])) out += ' ';
    i = next - 1;
  }
  return out;
}

// Gives `visit` the pieces of a text: names, and all that is between them.
template <typename Visit>
void for_each_piece(std::string_view text, Visit visit) {
  size_t at = 0;
  while (at < text.size()) {
    size_t end = at + 1;
    bool is_name = false;
    if (begins_literal(text, at)) {
      end = end_of_literal(text, at);
    } else if (is_name_character(text[at])) {
      while (end < text.size() && is_name_character(text[end])) ++end;
      is_name = true;
    }
    visit(text.substr(at, end - at), is_name);
    at = end;
  }
}

constexpr std::array<std::pair<const char*, const char*>, 7> kLongNames = {{
    {"std::__cxx11::", "std::"},
    {"std::basic_string<char, std::char_traits<char>, std::allocator<char>>", "std::string"},
    {"std::basic_string<char>", "std::string"},
    {"std::basic_string_view<char, std::char_traits<char>>", "std::string_view"},
    {"std::basic_string_view<char>", "std::string_view"},
    {"std::basic_string<wchar_t>", "std::wstring"},
    {"std::basic_string_view<wchar_t>", "std::wstring_view"},
}};

}  // namespace

std::string normal_type(std::string_view type) {
  std::string name = without_needless_spaces(type);
  for (const auto& [spelled, usual] : kLongNames) name = replaced(std::move(name), spelled, usual);
  return name;
}

TypeUse take_apart(std::string_view type) {
  TypeUse use;
  std::string name = normal_type(type);
  if (name.ends_with("&&")) {
    use.is_rvalue_reference = true;
    name.resize(name.size() - 2);
  } else if (name.ends_with("&")) {
    use.is_lvalue_reference = true;
    name.pop_back();
  }
  constexpr std::string_view kConst = "const";
  if (name.ends_with(kConst) && name.size() > kConst.size() &&
      !is_name_character(name[name.size() - kConst.size() - 1])) {
    use.is_const = true;
    name.resize(name.size() - kConst.size());
  } else if (name.ends_with(" const")) {
    use.is_const = true;
    name.resize(name.size() - kConst.size());
  } else if (name.starts_with("const ") && !name.ends_with("*")) {
    use.is_const = true;
    name.erase(0, kConst.size() + 1);
  }
  while (name.ends_with(" ")) name.pop_back();
  use.value = std::move(name);
  return use;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for_each_piece(text, [&](std::string_view piece, bool) {
    if (piece == "(" || piece == "<" || piece == "{" || piece == "[") ++depth;
    if (piece == ")" || piece == ">" || piece == "}" || piece == "]") --depth;
    if (piece == "," && depth == 0) {
      parts.push_back(std::exchange(part, ""));
    } else if (!part.empty() || piece != " ") {
      part += piece;
    }
  });
  if (!part.empty()) parts.push_back(std::move(part));
  return parts;
}

std::vector<std::string> template_arguments(std::string_view type) {
  const size_t open = type.find('<');
  if (open == std::string_view::npos || !type.ends_with('>')) return {};
  return split_list(type.substr(open + 1, type.size() - open - 2));
}

std::string template_name(std::string_view type) {
  return std::string(type.substr(0, type.find('<')));
}

std::string simple_name(std::string_view type) {
  std::string name = template_name(type);
  const size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

std::string pointee_of(std::string_view type) {
  std::string name = take_apart(type).value;
  if (name.ends_with("*")) name.pop_back();
  return name;
}

bool mentions_type(std::string_view type, std::string_view part) {
  const std::string whole = normal_type(type);
  const auto goes_on = [&](size_t at) {
    return at < whole.size() && (is_name_character(whole[at]) || whole[at] == ':');
  };
  for (size_t at = whole.find(part); at != std::string::npos; at = whole.find(part, at + 1)) {
    const bool begins = at == 0 || !goes_on(at - 1);
    const bool ends = !is_name_character(part.back()) || !goes_on(at + part.size());
    if (begins && ends) return true;
  }
  return false;
}

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(std::exchange(word, ""));
  };
  for (size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    if (std::isalnum(c) == 0) {
      end_word();
      continue;
    }
    const bool follows_small = i > 0 && std::islower(static_cast<unsigned char>(name[i - 1])) != 0;
    if (std::isupper(c) != 0 && follows_small) end_word();
    word += static_cast<char>(std::tolower(c));
  }
  end_word();
  return words;
}

std::string snake_case(std::string_view name) {
  return fmt::format("{}", fmt::join(words_of(name), "_"));
}

bool is_identifier(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::all_of(text.begin(), text.end(), is_name_character);
}

bool mentions(std::string_view text, std::string_view name) {
  bool found = false;
  for_each_piece(text, [&](std::string_view piece, bool is_name) { found |= is_name && piece == name; });
  return found;
}

std::string replace_name(std::string_view text, std::string_view name, std::string_view by) {
  std::string out;
  for_each_piece(text,
                 [&](std::string_view piece, bool is_name) { out += is_name && piece == name ? by : piece; });
  return out;
}

std::string swap_names(std::string_view text, std::string_view first, std::string_view second) {
  std::string out;
  for_each_piece(text, [&](std::string_view piece, bool is_name) {
    out += is_name && piece == first ? second : is_name && piece == second ? first : piece;
  });
  return out;
}

}  // namespace heddle::generate
