#include "interact/concolic/pass/library_names.h"

#include <llvm/ADT/StringRef.h>

namespace heddle::concolic {

using namespace llvm;

namespace {

constexpr StringLiteral kFunctions[] = {
#define HEDDLE_CONCOLIC_FUNCTION(name) #name,
#include "interact/concolic/libc/functions.inc"
#undef HEDDLE_CONCOLIC_FUNCTION
};

// Other names that headers give the same functions.
constexpr struct {
  StringLiteral name;
  StringLiteral function;
} kAliases[] = {
    {"__isoc99_sscanf", "sscanf"},
    {"__isoc99_fscanf", "fscanf"},
    {"__isoc99_scanf", "scanf"},
    {"__isoc99_vsscanf", "vsscanf"},
    {"__isoc99_vfscanf", "vfscanf"},
    {"__isoc23_sscanf", "sscanf"},
    {"__isoc23_fscanf", "fscanf"},
    {"__isoc23_scanf", "scanf"},
    {"__isoc23_vsscanf", "vsscanf"},
    {"__isoc23_vfscanf", "vfscanf"},
    {"__isoc23_strtol", "strtol"},
    {"__isoc23_strtoul", "strtoul"},
    {"__isoc23_strtoll", "strtoll"},
    {"__isoc23_strtoull", "strtoull"},
    {"__isoc23_strtoimax", "strtoimax"},
    {"__isoc23_strtoumax", "strtoumax"},
    {"_IO_getc", "getc"},
    {"__getdelim", "getdelim"},
    {"__strdup", "strdup"},
    {"__strtok_r", "strtok_r"},
    {"__rawmemchr", "rawmemchr"},
};

void replace(Module& module, StringRef name, StringRef function) {
  Function* const called = module.getFunction(name);
  // A definition is the program's own function of that name; headers have some that are for inlining only.
  if (called == nullptr || (!called->isDeclaration() && !called->hasAvailableExternallyLinkage())) return;
  const std::string own_name = ("heddle_concolic_libc_" + function).str();
  FunctionCallee own = module.getOrInsertFunction(own_name, called->getFunctionType());
  called->replaceAllUsesWith(own.getCallee());
  if (!called->isDeclaration()) called->deleteBody();
}

}  // namespace

void use_own_library(Module& module, const PassOptions& options) {
  for (const StringLiteral& name : kFunctions) {
    if (!options.is_programs_own(name)) replace(module, name, name);
  }
  for (const auto& alias : kAliases) {
    if (!options.is_programs_own(alias.function)) replace(module, alias.name, alias.function);
  }
}

}  // namespace heddle::concolic
