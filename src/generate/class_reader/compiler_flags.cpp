#include "generate/class_reader/compiler_flags.h"

#include <clang/Driver/Options.h>
#include <llvm/Option/ArgList.h>
#include <llvm/Option/OptTable.h>

namespace heddle::generate {
namespace {

namespace options = clang::driver::options;

bool matters(const llvm::opt::Arg& argument) {
  const llvm::opt::Option& option = argument.getOption();
  if (option.getKind() == llvm::opt::Option::UnknownClass ||
      option.getKind() == llvm::opt::Option::InputClass)
    return false;
  for (const auto group : {options::OPT_Action_Group, options::OPT_M_Group, options::OPT_W_Group,
                           options::OPT_Link_Group, options::OPT_R_Group}) {
    if (option.matches(group)) return false;
  }
  for (const auto ignored : {options::OPT_o, options::OPT_x, options::OPT_MJ, options::OPT_save_temps,
                             options::OPT_save_temps_EQ, options::OPT__serialize_diags}) {
    if (option.matches(ignored)) return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> reading_flags(const std::vector<std::string>& flags) {
  std::vector<const char*> words;
  for (const std::string& flag : flags) words.push_back(flag.c_str());
  unsigned missing_index = 0;
  unsigned missing_count = 0;
  const llvm::opt::InputArgList arguments = clang::driver::getDriverOptTable().ParseArgs(
      words, missing_index, missing_count, llvm::opt::Visibility(options::ClangOption));
  llvm::opt::ArgStringList kept;
  for (const llvm::opt::Arg* argument : arguments) {
    if (matters(*argument)) argument->render(arguments, kept);
  }
  return {kept.begin(), kept.end()};
}

}  // namespace heddle::generate
