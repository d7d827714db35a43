#include "runtime/statement.h"

#include "runtime/modules.h"
#include "trace/statement.h"

namespace heddle::rt {
namespace {

// As site_of() sees it.
uint64_t add_place(uint64_t key, uintptr_t pc) {
  if (pc == 0) return trace::add_to_statement(key, 0, 0);
  int module = module_of(pc - 1);
  if (HEDDLE_UNLIKELY(module < 0)) {
    modules_refresh();
    module = module_of(pc - 1);
    if (module < 0) return trace::add_to_statement(key, 0, 0);  // code made at run time
  }
  const Module& found = module_at(static_cast<uint32_t>(module));
  return trace::add_to_statement(key, found.name_hash, pc - 1 - found.base);
}

}  // namespace

uint64_t statement_of(Fiber* fiber) {
  if (fiber->statement_step == fiber->own_steps + 1) return fiber->statement;
  uint64_t key = add_place(0, fiber->op.pc);
  const size_t depth = fiber->depth < kMaxFrames ? fiber->depth : kMaxFrames;
  for (size_t i = 0; i < trace::kStatementCalls && i < depth; ++i)
    key = add_place(key, fiber->frames[depth - 1 - i].pc);
  fiber->statement = key;
  fiber->statement_step = fiber->own_steps + 1;
  return key;
}

uint64_t site_key_of(const Fiber* fiber) {
  return add_place(0, fiber->op.pc);
}

}  // namespace heddle::rt
