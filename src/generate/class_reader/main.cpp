// heddle-class-reader: reads classes from headers for `heddle generate`, and writes what it read as JSON.
//
//   heddle-class-reader (--class NAME | --list) --header FILE… [-- FLAGS…]
//
// The answer is {"class": …}, {"classes": […]} or {"error": "…"}; only heddle itself runs this.
#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

#include "generate/class_model_json.h"
#include "generate/class_reader/header_parse.h"
#include "generate/class_reader/known_classes.h"
#include "generate/class_reader/model_builder.h"
#include "generate/class_reader/subject_class.h"

namespace heddle::generate {
namespace {

struct Arguments {
  std::string class_name;
  bool lists = false;
  ParseRequest parse;
};

Expected<Arguments> read_arguments(const std::vector<std::string>& words) {
  Arguments arguments;
  for (size_t index = 0; index < words.size(); ++index) {
    const std::string& word = words[index];
    const bool has_value = index + 1 < words.size();
    if (word == "--") {
      arguments.parse.flags.assign(words.begin() + static_cast<ptrdiff_t>(index) + 1, words.end());
      break;
    }
    if (word == "--list")
      arguments.lists = true;
    else if (word == "--class" && has_value)
      arguments.class_name = words[++index];
    else if (word == "--header" && has_value)
      arguments.parse.headers.push_back(words[++index]);
    else
      return usage_error("heddle-class-reader does not know " + word);
  }
  if (arguments.lists == !arguments.class_name.empty())
    return usage_error("heddle-class-reader needs either --class or --list");
  if (!arguments.lists) arguments.parse.tail = subject_tail(arguments.class_name);
  return arguments;
}

nlohmann::json answer_of(const Error& error) {
  return {{"error", error.message}};
}

nlohmann::json answer(const Arguments& arguments, const ParsedHeaders& parsed) {
  if (const Expected<void> compiled = check_headers(parsed); !compiled) return answer_of(compiled.error());
  const TypeText text(parsed.context());
  if (arguments.lists) return {{"classes", classes_of_headers(parsed, text)}};
  const Expected<const clang::CXXRecordDecl*> record = find_subject(parsed, text, arguments.class_name);
  if (!record) return answer_of(record.error());
  return {{"class", build_model(parsed, text, **record, arguments.class_name)}};
}

nlohmann::json run(const std::vector<std::string>& words) {
  const Expected<Arguments> arguments = read_arguments(words);
  if (!arguments) return answer_of(arguments.error());
  nlohmann::json result;
  const bool was_read = parse_headers(
      arguments->parse, [&](const ParsedHeaders& parsed) { result = answer(*arguments, parsed); });
  return was_read ? result : nlohmann::json{{"error", "Clang refuses the compiler flags"}};
}

}  // namespace
}  // namespace heddle::generate

int main(int count, char** words) {
  std::cout << heddle::generate::run({words + 1, words + count})
                   .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
            << '\n';
  return 0;
}
