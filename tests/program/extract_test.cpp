#include "program/extract.h"

#include <algorithm>
#include <set>

#include "program/analyses.h"
#include "program/facts_validate.h"
#include "program/show.h"
#include "small_project.h"

namespace heddle::program {
namespace {

std::set<std::string> labels(const Function& function) {
  std::set<std::string> found;
  for (const Block& block : function.blocks)
    for (const Edge& edge : block.edges) found.insert(edge.label);
  return found;
}

std::string shown(const UnitFacts& facts, const std::string& name) {
  return show_function(facts.program(), facts.index(name));
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Extract, FieldsHaveOffsetsAndNames) {
  const UnitFacts facts(R"(
    struct Inner { int a; long b; };
    struct Queue { char kind; Inner inner[4]; int size; void grow() { size += 1; } };
    Queue queue;
    void fill(Queue* q, int i) { q->inner[i].b = 7; queue.size = 3; q->grow(); }
  )");
  const Type* queue = facts.type("Queue");
  ASSERT_NE(queue, nullptr);
  ASSERT_EQ(queue->fields.size(), 3u);
  EXPECT_EQ(queue->fields[1].name, "inner");
  EXPECT_EQ(queue->fields[1].offset, 8u);
  EXPECT_EQ(facts.unit().types[queue->fields[1].type].name, "Inner");
  EXPECT_EQ(queue->fields[2].offset, 72u);
  EXPECT_EQ(facts.symbol("queue")->type, static_cast<uint32_t>(queue - facts.unit().types.data()));

  const std::string text = shown(facts, "fill");
  EXPECT_TRUE(contains(text, "writes q->inner[…].b")) << text;
  EXPECT_TRUE(contains(text, "writes queue.size")) << text;
  EXPECT_TRUE(contains(shown(facts, "Queue::grow"), "writes this->size")) << shown(facts, "Queue::grow");
  EXPECT_TRUE(has_valid_indices(facts.unit()));
}

TEST(Extract, ConstantAndVariableIndicesAreElements) {
  const UnitFacts facts("int a[8]; int get(int i) { return a[2] + a[i]; }");
  const std::vector<Op> elements = facts.ops("get", OpKind::kElement);
  ASSERT_EQ(elements.size(), 2u);
  for (const Op& element : elements) EXPECT_EQ(element.size, 4u);
}

TEST(Extract, OperationsBelongToTheirLines) {
  const UnitFacts facts("int x;\nvoid f(bool b) {\n  if (b)\n    x = 1;\n  else\n    x = 2;\n}\n");
  const Function& f = facts.function("f");
  EXPECT_EQ(f.file, "unit.cpp");
  EXPECT_EQ(f.line, 2u);
  std::vector<uint32_t> lines;
  for (const Op& store : facts.ops("f", OpKind::kStore))
    if (store.node != kNone && f.nodes[store.node].range.first_line > 3)
      lines.push_back(f.nodes[store.node].range.first_line);
  EXPECT_EQ(lines, (std::vector<uint32_t>{4, 6}));
  EXPECT_TRUE(std::ranges::is_sorted(f.nodes, {}, [](const Node& node) { return node.range; }));
  EXPECT_EQ(labels(f), (std::set<std::string>{"", "true", "false"}));
  EXPECT_EQ(f.parameter_names, std::vector<std::string>{"b"});

  const std::vector<NodeId> found = facts.program().nodes_at("unit.cpp", 6, 0);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(f.nodes[found.front().node].range.first_line, 6u);
}

TEST(Extract, SwitchAndGotoGiveLabelledEdges) {
  const UnitFacts facts(R"(
    int f(int n) {
    again:
      switch (n) {
        case 3: return 1;
        case -4: n = 3; goto again;
        default: return 0;
      }
    })");
  const std::set<std::string> found = labels(facts.function("f"));
  EXPECT_TRUE(found.contains("case 3"));
  EXPECT_TRUE(found.contains("case -4"));
  EXPECT_TRUE(found.contains("default"));
}

TEST(Extract, VirtualCallsKnowClassAndSlot) {
  const UnitFacts facts(R"(
    struct A { virtual ~A() {} virtual int one() { return 1; } virtual int two() { return 2; } };
    struct B { virtual void other() {} long b = 0; };
    namespace { struct C : A, B { int two() override { return 3; } void other() override {} }; }
    int call(A* a) { return a->two(); }
    void call_other(B& b) { b.other(); }
    A* make() { return new C; }
  )");
  std::vector<Op> calls = facts.ops("call", OpKind::kCall);
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].vtable_slot, 3u);  // two destructors come first
  ASSERT_NE(calls[0].type, kNone);
  EXPECT_EQ(facts.unit().types[calls[0].type].name, "A");
  EXPECT_NE(calls[0].callee, kNone);

  const Type* derived = facts.type("(anonymous namespace)::C");
  ASSERT_NE(derived, nullptr);
  ASSERT_EQ(derived->bases.size(), 2u);
  EXPECT_EQ(facts.unit().types[derived->bases[0]].name, "A");
  ASSERT_GT(derived->vtable.size(), 3u);
  EXPECT_EQ(facts.unit().symbols[derived->vtable[3]].name, "C::two");
  EXPECT_EQ(facts.unit().symbols[derived->vtable[2]].name, "A::one");
  ASSERT_EQ(derived->other_vtables.size(), 1u);
  EXPECT_EQ(derived->other_vtables[0].offset, 8u);
  // Through a thunk that adjusts `this`, which is a function like any other.
  const Symbol& thunk = facts.unit().symbols[derived->other_vtables[0].slots[0]];
  EXPECT_TRUE(thunk.is_function && thunk.is_defined) << thunk.linkage_name;
  EXPECT_EQ(facts.ops("call_other", OpKind::kCall)[0].vtable_slot, 0u);
}

TEST(Extract, TablesOfFunctionPointersAreNoVirtualCalls) {
  const UnitFacts facts(R"(
    struct Ops { int (**table)(struct Ops*); };
    int first(struct Ops* o) { return o != 0; }
    int (*all[])(struct Ops*) = {first, first};
    int run(struct Ops* o) { return o->table[1](o); }
  )",
                        "unit.c", "-std=c11");
  const std::vector<Op> calls = facts.ops("run", OpKind::kCall);
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].vtable_slot, kNone);
  EXPECT_NE(calls[0].callee, kNone);
  const Symbol* all = facts.symbol("all");
  ASSERT_NE(all, nullptr);
  ASSERT_EQ(all->initial_pointers.size(), 1u);
  EXPECT_EQ(facts.unit().symbols[all->initial_pointers[0]].name, "first");
}

TEST(Extract, ExceptionsHaveEdgesOfTheirOwn) {
  const UnitFacts facts(R"(
    struct Guard { ~Guard(); };
    void may_throw();
    int f(int n) {
      Guard guard;
      try { may_throw(); if (n) throw n; } catch (int e) { return e; }
      return 0;
    })");
  size_t exceptional = 0;
  for (const Block& block : facts.function("f").blocks)
    for (const Edge& edge : block.edges) exceptional += edge.exceptional;
  EXPECT_GE(exceptional, 2u);
  EXPECT_GE(facts.ops("f", OpKind::kThrow).size(), 1u);
  const std::vector<std::string> calls = facts.calls("f");
  EXPECT_TRUE(std::ranges::count(calls, "may_throw") == 1);
  EXPECT_TRUE(std::ranges::count(calls, "Guard::~Guard") >= 1);
  for (const Op& thrown : facts.ops("f", OpKind::kThrow)) EXPECT_FALSE(thrown.operands.empty());
}

TEST(Extract, AtomicsKeepTheirOrders) {
  const UnitFacts facts(R"(
    #include <stdatomic.h>
    _Atomic int flag;
    volatile int device;
    int old;
    void f(void) {
      atomic_store_explicit(&flag, 1, memory_order_release);
      old = atomic_fetch_add_explicit(&flag, 2, memory_order_relaxed);
      atomic_compare_exchange_strong_explicit(&flag, &old, 3, memory_order_acq_rel, memory_order_acquire);
      atomic_thread_fence(memory_order_seq_cst);
      device = 1;
      flag = 4;
    })",
                        "unit.c", "-std=c11");
  std::vector<MemoryOrder> stores;
  for (const Op& op : facts.ops("f", OpKind::kStore)) stores.push_back(op.order);
  EXPECT_EQ(std::ranges::count(stores, MemoryOrder::kRelease), 1);
  EXPECT_EQ(std::ranges::count(stores, MemoryOrder::kVolatile), 1);
  EXPECT_EQ(std::ranges::count(stores, MemoryOrder::kSeqCst), 1);
  const std::vector<Op> updates = facts.ops("f", OpKind::kUpdate);
  ASSERT_EQ(updates.size(), 2u);
  EXPECT_EQ(updates[0].order, MemoryOrder::kRelaxed);
  EXPECT_EQ(updates[1].order, MemoryOrder::kAcqRel);
  EXPECT_EQ(updates[1].operands.size(), 3u);
  EXPECT_EQ(facts.ops("f", OpKind::kFence).size(), 1u);
  const Symbol* flag = facts.symbol("flag");
  ASSERT_NE(flag->type, kNone);
  EXPECT_TRUE(facts.unit().types[flag->type].is_atomic);
}

TEST(Extract, ThreadsLambdasAndTemplatesAreOrdinaryFunctions) {
  const UnitFacts facts(R"(
    #include <atomic>
    #include <thread>
    std::atomic<int> hits;
    int plain;
    template <typename T> void add(T& to) { to += 1; }
    void run() {
      int local = 0;
      std::thread worker([&] { add(plain); hits.store(1, std::memory_order_release); ++local; });
      worker.join();
    })");
  EXPECT_TRUE(contains(shown(facts, "add"), "writes *to") || contains(shown(facts, "add"), "writes to"));
  const std::vector<std::string> calls = facts.calls("run");
  EXPECT_EQ(std::ranges::count(calls, "std::thread::thread"), 1);
  EXPECT_EQ(std::ranges::count(calls, "std::thread::join"), 1);
  EXPECT_TRUE(std::ranges::any_of(facts.unit().functions, [](const Function& function) {
    return function.name.find("run::{lambda}") != std::string::npos;
  }));
  EXPECT_TRUE(facts.symbol("add")->is_merged);
  const Symbol* hits = facts.symbol("hits");
  ASSERT_NE(hits->type, kNone);
  EXPECT_TRUE(facts.unit().types[hits->type].is_atomic);
  // The way from the constructor to the start of the thread is there.
  EXPECT_FALSE(facts.program().find("std::thread::_M_start_thread").empty() &&
               facts.symbol("std::thread::_M_start_thread") == nullptr);
}

TEST(Extract, StaticLocalsAreGuardedGlobals) {
  const UnitFacts facts(R"(
    struct Logger { Logger(); int level; };
    Logger& logger() { static Logger one; return one; }
    int count() { static int calls; thread_local int mine; return ++calls + ++mine; }
  )");
  const std::vector<std::string> calls = facts.calls("logger");
  EXPECT_EQ(std::ranges::count(calls, "__cxa_guard_acquire"), 1);
  const std::string text = shown(facts, "count");
  EXPECT_TRUE(contains(text, "writes calls") || contains(text, "writes count::calls")) << text;
  EXPECT_TRUE(std::ranges::any_of(facts.unit().symbols, &Symbol::is_thread_local));
}

TEST(Extract, MemoryAsAWholeAndWhatIsUnknown) {
  const UnitFacts facts(R"(
    #include <stdarg.h>
    struct Big { int a[64]; } one, two;
    void copy(void) { one = two; __builtin_memset(&two, 0, sizeof two); }
    void assembly(int* p) { __asm__ volatile("incl %0" : "+m"(*p)); }
    int sum(int n, ...) { va_list l; va_start(l, n); int r = va_arg(l, int); va_end(l); return r; }
  )",
                        "unit.c", "-std=gnu11 -fno-tree-loop-distribute-patterns -Wno-such-warning");
  ASSERT_EQ(facts.ops("copy", OpKind::kCopy).size(), 1u);
  EXPECT_EQ(facts.ops("copy", OpKind::kCopy)[0].size, 256u);
  ASSERT_EQ(facts.ops("copy", OpKind::kFill).size(), 1u);
  ASSERT_EQ(facts.ops("assembly", OpKind::kUnknown).size(), 1u);
  EXPECT_FALSE(facts.ops("assembly", OpKind::kUnknown)[0].operands.empty());
  EXPECT_TRUE(facts.function("sum").is_variadic);
}

TEST(Extract, ArgumentsByValueAreCopiesAndComparisonsAreNoPointers) {
  const UnitFacts facts(R"(
    struct Big { int a[64]; } one;
    int use(struct Big big);
    int run(int* p, int* q) { return use(one) + (p == q); }
  )",
                        "unit.c", "-std=c11");
  const std::vector<Op> copies = facts.ops("run", OpKind::kCopy);
  const std::vector<Op> calls = facts.ops("run", OpKind::kCall);
  ASSERT_FALSE(copies.empty());
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(copies.back().size, 256u);
  EXPECT_EQ(calls[0].operands[0], copies.back().operands[0]);
  for (const Op& op : facts.ops("run", OpKind::kCompute)) EXPECT_NE(op.size, 0u);
}

TEST(Extract, InternalSymbolsAreTheirUnitsOwn) {
  SmallProject project;
  project.add_unit("a.cpp", "static int helper() { return 1; } int a() { return helper(); }");
  project.add_unit("b.cpp", "static int helper() { return 2; } int a(); int b() { return helper() + a(); }");
  Expected<Program> program = project.load();
  ASSERT_TRUE(program.has_value());
  EXPECT_EQ(program->find("helper").size(), 2u);
  const FunctionIndex b = program->find("b").front();
  std::set<FunctionIndex> callees;
  for (const Block& block : program->function(b).blocks)
    for (const Op& op : block.ops)
      if (op.kind == OpKind::kCall) callees.insert(program->definition(program->unit_of(b), op.symbol));
  std::set<std::string> files;
  for (FunctionIndex callee : callees) files.insert(program->function(callee).file);
  EXPECT_EQ(files, (std::set<std::string>{"a.cpp", "b.cpp"}));
}

TEST(NodesAt, ALineOfALambdaIsTheLambdas) {
  const UnitFacts facts(
      "int n;\ntemplate <typename F> void run(F f) { f(); }\nvoid start() {\n  run([] {\n    n = 1;\n    n "
      "=\n"
      "        2;\n  });\n}\n");
  const auto texts = [&](uint32_t line, uint32_t column) {
    std::vector<std::string> result;
    for (const NodeId& id : facts.program().nodes_at("unit.cpp", line, column))
      result.push_back(facts.program().function(id.function).nodes[id.node].text);
    return result;
  };
  const std::vector<std::string> first{"n = 1 ;"}, second{"n = 2 ;"};
  EXPECT_EQ(texts(5, 0), first);
  EXPECT_EQ(texts(5, 5), first);
  EXPECT_EQ(texts(7, 0), second) << "which begins on the line before";
  EXPECT_EQ(texts(7, 9), second);
  ASSERT_FALSE(texts(4, 0).empty());
  for (const std::string& text : texts(4, 0)) EXPECT_TRUE(text.starts_with("run (")) << text;
}

TEST(ShowFunction, VariablesOfTheFunctionAreShownIfThreadsShareThem) {
  const UnitFacts facts(
      "#include <pthread.h>\nstatic void *run(void *p) { ++*(int *)p; return 0; }\nint main(void) {\n"
      "  int shared = 0, own = 0;\n  pthread_t t;\n  pthread_create(&t, 0, run, &shared);\n  shared = 2;\n"
      "  own = 3;\n  pthread_join(t, 0);\n  return own;\n}\n",
      "unit.c", "");
  const PointsTo points_to(facts.program());
  const Escape escape(facts.program(), points_to);
  const std::vector<LockedRegion> regions;
  const std::string text = show_function(facts.program(), facts.index("main"), {points_to, escape, regions});
  EXPECT_NE(text.find("shared = 2;\n           writes shared, shared\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("writes own"), std::string::npos) << text;
}

}  // namespace
}  // namespace heddle::program
