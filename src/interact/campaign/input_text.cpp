#include "interact/campaign/input_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "execute/shell_words.h"

namespace heddle::interact {
namespace {

constexpr size_t kMostShown = 120;

// Arguments cannot hold NUL, but may hold what no terminal should see.
std::string shell_argument(const std::string& argument) {
  const bool is_plain =
      std::all_of(argument.begin(), argument.end(), [](char c) { return c >= ' ' && c <= '~'; });
  if (is_plain) return shell_line({argument});
  // What is written within "$(…)" loses line ends at its end.
  if (argument.back() != '\n') return fmt::format("\"$(printf '{}')\"", printf_format(argument));
  std::string quoted = "'";
  for (const char c : argument) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text.substr(0, kMostShown)) {
    if (c == '\n') {
      result += "\\n";
    } else if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (c < ' ' || c > '~') {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result + (text.size() > kMostShown ? "…\"" : "\"");
}

}  // namespace

std::string printf_format(std::string_view bytes) {
  std::string format;
  for (const char c : bytes) {
    if (c == '\n') {
      format += "\\n";
    } else if (c == '%') {
      format += "%%";
    } else if (c == '\\') {
      format += "\\\\";
    } else if (c < ' ' || c > '~' || c == '\'') {
      format += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    } else {
      format += c;
    }
  }
  return format;
}

std::string command_line(const concolic::ProgramInput& input, const std::string& program) {
  std::string line =
      input.standard_input.empty() ? "" : fmt::format("printf '{}' | ", printf_format(input.standard_input));
  line += program;
  for (const std::string& argument : input.arguments) line += ' ' + shell_argument(argument);
  return line;
}

std::string name_of(Aspect aspect) {
  switch (aspect) {
    case Aspect::kOut:
      return "output";
    case Aspect::kErr:
      return "messages";
    case Aspect::kExit:
      return "exit code";
    case Aspect::kCrash:
      return "crash";
    case Aspect::kReport:
      return "sanitizer report";
    case Aspect::kFiles:
      return "files";
    case Aspect::kTime:
      return "end";
  }
  return "";
}

std::string describe(const Behaviour& behaviour, const std::vector<Aspect>& aspects) {
  const auto differs = [&](Aspect aspect) {
    return std::find(aspects.begin(), aspects.end(), aspect) != aspects.end();
  };
  std::vector<std::string> parts;
  if (differs(Aspect::kOut) || (behaviour.err.empty() && !behaviour.timed_out))
    parts.push_back(in_quotes(behaviour.out));
  if (differs(Aspect::kErr) && !behaviour.err.empty()) parts.push_back("message " + in_quotes(behaviour.err));
  if (!behaviour.report.empty()) parts.push_back(behaviour.report);
  if (differs(Aspect::kFiles)) {
    for (const auto& [name, content] : behaviour.files)
      parts.push_back(fmt::format("file {} {}", name, in_quotes(content)));
  }
  if (behaviour.timed_out) {
    parts.push_back("does not end");
  } else if (behaviour.wrote_too_much) {
    parts.push_back("writes without end");
  } else if (behaviour.signal != 0) {
    parts.push_back(fmt::format("ended by signal {}", behaviour.signal));
  } else {
    parts.push_back(fmt::format("exit {}", behaviour.exit_code));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace heddle::interact
