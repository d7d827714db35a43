#include "generate/operation_maker.h"
#include <cstdio>
#include <gtest/gtest.h>
#include "rich_model.h"
namespace heddle::generate {
TEST(Dump, Ops) {
  ClassModel model = rich_model();
  const MadeOperations made = make_operations(model, {}, 400);
  for (auto& f : made.table.fixtures) printf("FIX %s | %s | %s\n", f.name.c_str(), f.declaration.c_str(), f.definition.c_str());
  for (auto& o : made.table.operations) printf("%u %s%s  ## %s\n", (unsigned)o.id, o.code.c_str(), o.is_const?" C":"", o.label.c_str());
  for (auto& u : made.unusable) printf("UNUSABLE %s: %s; %s\n", u.signature.c_str(), u.reason.c_str(), u.help.c_str());
}
}
