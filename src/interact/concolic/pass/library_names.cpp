#include "interact/concolic/pass/library_names.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace heddle::concolic {

using namespace llvm;

namespace {

constexpr StringLiteral kFunctions[] = {
#define HEDDLE_CONCOLIC_FUNCTION(name) #name,
#include "interact/concolic/libc/functions.inc"
#undef HEDDLE_CONCOLIC_FUNCTION
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

// Functions of the C++ library (libc/input_stream.cpp).
constexpr StringLiteral kStreamFunctions[] = {
    "_ZNSt8ios_base15sync_with_stdioEb",
    "_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_"
    "EES4_",
    "_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE",
    "_ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_",
    "_ZNSi6sentryC1ERSib",
    "_ZNSirsERi",
    "_ZNSirsERs",
    "_ZNSi10_M_extractItEERSiRT_",
    "_ZNSi10_M_extractIjEERSiRT_",
    "_ZNSi10_M_extractIlEERSiRT_",
    "_ZNSi10_M_extractImEERSiRT_",
    "_ZNSi10_M_extractIxEERSiRT_",
    "_ZNSi10_M_extractIyEERSiRT_",
};

// Lets the linker take the buffer of std::cin that goes with them.
void use_own_input_stream(Module& module) {
  for (const StringLiteral& name : kStreamFunctions) replace(module, name, name);
  if (module.getGlobalVariable("_ZSt3cin") == nullptr) return;
  auto* const buffer =
      new GlobalVariable(module, Type::getInt8Ty(module.getContext()), false, GlobalValue::ExternalLinkage,
                         nullptr, "heddle_concolic_libc_input_stream");
  appendToUsed(module, {buffer});
}

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

}  // namespace

void use_own_library(Module& module, const PassOptions& options) {
  for (const StringLiteral& name : kFunctions) {
    if (!options.is_programs_own(name)) replace(module, name, name);
  }
  for (const auto& alias : kAliases) {
    if (!options.is_programs_own(alias.function)) replace(module, alias.name, alias.function);
  }
  use_own_input_stream(module);
}

}  // namespace heddle::concolic
