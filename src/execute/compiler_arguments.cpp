#include "execute/compiler_arguments.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "execute/shell_words.h"

namespace heddle {
namespace {

constexpr auto kOptionsWithValue =
    std::to_array<std::string_view>({"-o",        "-I",       "-D",           "-U",
                                     "-L",        "-l",       "-x",           "-include",
                                     "-imacros",  "-isystem", "-iquote",      "-idirafter",
                                     "-isysroot", "-iprefix", "-iwithprefix", "-iwithprefixbefore",
                                     "-MF",       "-MT",      "-MQ",          "-MJ",
                                     "-Xlinker",  "-Xclang",  "-Xassembler",  "-Xpreprocessor",
                                     "-mllvm",    "-target",  "-T",           "-u",
                                     "-z",        "-e",       "-A",           "--param",
                                     "-aux-info", "-wrapper", "-B",           "-dumpbase",
                                     "-dumpdir",  "-arch",    "--sysroot",    "-gcc-toolchain"});

constexpr int kMaxResponseDepth = 8;  // against files that name themselves

void expand(const std::vector<std::string>& arguments, const std::filesystem::path& directory, int depth,
            std::vector<std::string>* expanded) {
  for (const std::string& word : arguments) {
    std::ifstream file;
    if (word.starts_with('@') && depth < kMaxResponseDepth) file.open(directory / word.substr(1));
    if (!file.is_open()) {
      expanded->push_back(word);
      continue;
    }
    std::stringstream content;
    content << file.rdbuf();
    expand(split_words(content.str()), directory, depth + 1, expanded);
  }
}

}  // namespace

bool takes_next_word(std::string_view option) {
  return std::find(kOptionsWithValue.begin(), kOptionsWithValue.end(), option) != kOptionsWithValue.end();
}

std::vector<std::string> expand_response_files(const std::vector<std::string>& arguments,
                                               const std::filesystem::path& directory) {
  std::vector<std::string> expanded;
  expand(arguments, directory, 0, &expanded);
  return expanded;
}

}  // namespace heddle
