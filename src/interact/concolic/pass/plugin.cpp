// The plugin of clang: `-fpass-plugin=libheddle_concolic_pass.so`.
//
// It works on what the front end made, before any optimisation but the one that turns variables into values,
// so that branches are those of the source, with its lines. The optimiser then works on the instrumented
// code.
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include "interact/concolic/pass/instrument_function.h"
#include "interact/concolic/pass/library_names.h"
#include "interact/concolic/pass/mark_statements.h"

namespace {

using namespace llvm;
using namespace heddle::concolic;

struct Prepare : PassInfoMixin<Prepare> {
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    const PassOptions options = PassOptions::from_environment();
    mark_statements(module, options);
    // Its functions call those that they stand for.
    if (!options.is_library()) use_own_library(module, options);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

// A function that "only reads its arguments" hands expressions over now.
void forget_memory_effects(Module& module) {
  for (Function& function : module) {
    if (!function.isIntrinsic()) function.removeFnAttr(Attribute::Memory);
    for (BasicBlock& block : function) {
      for (Instruction& instruction : block) {
        auto* const call = dyn_cast<CallBase>(&instruction);
        if (call != nullptr && !isa<IntrinsicInst>(call)) call->removeFnAttr(Attribute::Memory);
      }
    }
  }
}

// Bodies for inlining only, of functions that a library has too: members of std::string above all. The
// library's are not instrumented, so these are used.
void keep_bodies(Module& module) {
  for (Function& function : module) {
    if (!function.hasAvailableExternallyLinkage()) continue;
    function.setLinkage(GlobalValue::LinkOnceODRLinkage);
    function.setComdat(module.getOrInsertComdat(function.getName()));
    function.setDSOLocal(true);
  }
}

struct Instrument : PassInfoMixin<Instrument> {
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    const PassOptions options = PassOptions::from_environment();
    std::vector<Function*> functions;
    for (Function& function : module) {
      if (!function.isDeclaration() && !function.hasFnAttribute(Attribute::Naked))
        functions.push_back(&function);
    }
    keep_bodies(module);
    forget_memory_effects(module);
    const RuntimeHooks hooks(module);
    SiteTable sites(module, options.is_library());
    for (Function* const function : functions) instrument_function(*function, hooks, sites, options);
    sites.write();
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

void register_passes(PassBuilder& builder) {
  builder.registerPipelineStartEPCallback([](ModulePassManager& passes, OptimizationLevel) {
    passes.addPass(Prepare());
    FunctionPassManager values;
    values.addPass(SROAPass(SROAOptions::PreserveCFG));
    values.addPass(EarlyCSEPass());
    passes.addPass(createModuleToFunctionPassAdaptor(std::move(values)));
    passes.addPass(Instrument());
  });
}

}  // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "heddle-concolic", "1", register_passes};
}
