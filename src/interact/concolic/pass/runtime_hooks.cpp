#include "interact/concolic/pass/runtime_hooks.h"

namespace heddle::concolic {

using namespace llvm;

namespace {

GlobalVariable* declare(Module& module, StringRef name, Type* type, bool is_thread_local) {
  if (GlobalVariable* const present = module.getGlobalVariable(name)) return present;
  auto* const variable = new GlobalVariable(module, type, false, GlobalValue::ExternalLinkage, nullptr, name);
  if (is_thread_local) variable->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
  variable->setVisibility(GlobalValue::HiddenVisibility);
  return variable;
}

}  // namespace

RuntimeHooks::RuntimeHooks(Module& module) {
  LLVMContext& context = module.getContext();
  Type* const nothing = Type::getVoidTy(context);
  Type* const word = Type::getInt32Ty(context);
  Type* const value = Type::getInt64Ty(context);
  Type* const pointer = PointerType::getUnqual(context);
  const auto hook = [&](StringRef name, Type* result, ArrayRef<Type*> parameters) {
    FunctionCallee callee = module.getOrInsertFunction(("heddle_concolic_" + name).str(),
                                                       FunctionType::get(result, parameters, false));
    if (auto* const function = dyn_cast<Function>(callee.getCallee())) function->setDoesNotThrow();
    return callee;
  };
  binary = hook("binary", word, {word, word, word, value, word, value});
  divide = hook("divide", word, {pointer, word, word, word, value, word, value});
  cast = hook("cast", word, {word, word, word, word, value, word});
  select = hook("select", word, {word, word, word, word, value, word, value});
  index = hook("index", word, {word, value, word, word, value, value});
  composite = hook("composite", word, {word, word, word, value, word, value, word, value});
  load = hook("load", word, {pointer, pointer, word, word, value});
  load_object = hook("load_object", word, {pointer, pointer, word, word, value, pointer, value});
  store = hook("store", nothing, {pointer, pointer, word, word, word, value});
  clear = hook("clear", nothing, {pointer, value});
  copy = hook("copy", nothing, {pointer, pointer, value});
  fill = hook("fill", nothing, {pointer, value, word, value});
  pin = hook("pin", nothing, {pointer, word, word, value});
  branch = hook("branch", nothing, {pointer, word, word});
  switch_case = hook("switch", nothing, {pointer, word, pointer, word, word, value});
  mark = hook("mark", nothing, {pointer});
  arguments = hook("arguments", pointer, {word, pointer});
  argument_count = hook("argument_count", word, {word});

  filter =
      declare(module, "heddle_concolic_filter", ArrayType::get(Type::getInt8Ty(context), kFilterSize), false);
  frame_type = StructType::get(
      context, {pointer, pointer, pointer, ArrayType::get(word, kFrameArguments),
                ArrayType::get(word, kFrameResults), ArrayType::get(pointer, kFrameArguments)});
  frame = declare(module, "heddle_concolic_frame", frame_type, true);
}

}  // namespace heddle::concolic
