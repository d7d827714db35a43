// Thread escape: which memory several threads may touch.
//
// Two questions. Who executes a function: nobody known, one thread that exists once, or several? That spreads
// along the call graph from main and from the entries of threads. Which memory can more than one thread get
// hold of: globals, what is handed to a thread, what has escaped, and all that those point to. Memory of the
// second kind is shared if the accesses to it are executed by several threads.
#include <algorithm>
#include <map>

#include "program/analyses.h"
#include "program/by_function.h"
#include "program/externals.h"
#include "program/flow_graph.h"

namespace heddle::program {
namespace {

// A lattice: kNobody, then a number for one thread, then kSeveral.
using Executor = uint32_t;
constexpr Executor kNobody = 0;
constexpr Executor kMainThread = 1;
constexpr Executor kSeveral = kNone;

Executor join(Executor a, Executor b) {
  if (a == b || b == kNobody) return a;
  return a == kNobody ? b : kSeveral;
}

class Executors {
 public:
  Executors(const Program& program, const PointsTo& points_to)
      : program_(program),
        points_to_(points_to),
        executors_(program.size(), kNobody),
        callees_(program.size()) {
    for (FunctionIndex f = 0; f < program.size(); ++f) {
      for (const OpId& call : points_to.callers(f)) callees_[call.function].push_back(f);
    }
    for (const ThreadStart& start : points_to.thread_starts()) starts_[start.entry].push_back(start);
    Executor next = kMainThread + 1;
    for (FunctionIndex entry : points_to.thread_entries())
      give(entry, is_started_once(entry) ? next++ : kSeveral);
    // Main, constructors of globals, what a library offers: as one thread would execute it.
    for (FunctionIndex f = 0; f < program.size(); ++f) {
      if (points_to.callers(f).empty() && !starts_.contains(f)) give(f, kMainThread);
    }
    spread();
    for (FunctionIndex f = 0; f < program.size(); ++f) {
      if (executors_[f] != kNobody) continue;  // but what only calls itself
      give(f, kMainThread);
      spread();
    }
  }

  Executor of(FunctionIndex function) const { return executors_[function]; }

 private:
  void give(FunctionIndex function, Executor executor) {
    const Executor joined = join(executors_[function], executor);
    if (joined == executors_[function]) return;
    executors_[function] = joined;
    open_.push_back(function);
  }

  void spread() {
    while (!open_.empty()) {
      const FunctionIndex function = open_.back();
      open_.pop_back();
      for (FunctionIndex callee : callees_[function]) give(callee, executors_[function]);
    }
  }

  // One start, executed once: not in a loop, nor in a function that may be called twice.
  bool is_started_once(FunctionIndex entry) const {
    if (points_to_.is_called_from_outside(entry)) return false;
    const auto found = starts_.find(entry);
    if (found == starts_.end() || found->second.size() != 1 || found->second[0].several) return false;
    OpId at = found->second[0].call;
    std::set<FunctionIndex> seen;
    while (seen.insert(at.function).second) {
      if (FlowGraph(program_.function(at.function), FlowGraph::Edges::kAll).in_cycle()[at.block])
        return false;
      const std::vector<OpId>& callers = points_to_.callers(at.function);
      if (starts_.contains(at.function) || points_to_.is_called_from_outside(at.function)) {
        // In a thread: once if that is.
        const auto outer = starts_.find(at.function);
        if (!callers.empty() || outer == starts_.end() || outer->second.size() != 1 ||
            outer->second[0].several) {
          return false;
        }
        at = outer->second[0].call;
        continue;
      }
      if (callers.empty()) return true;
      if (callers.size() > 1) return false;
      at = callers[0];
    }
    return false;  // recursion
  }

  const Program& program_;
  const PointsTo& points_to_;
  std::vector<Executor> executors_;
  std::vector<std::vector<FunctionIndex>> callees_;
  std::map<FunctionIndex, std::vector<ThreadStart>> starts_;
  std::vector<FunctionIndex> open_;
};

// Objects that more than one thread can get hold of.
std::vector<bool> reachable_objects(const Program& program, const PointsTo& points_to) {
  const std::vector<MemoryObject>& objects = points_to.objects();
  std::vector<bool> reached(objects.size());
  std::vector<ObjectId> open;
  auto reach = [&](ObjectId object) {
    if (reached[object] || objects[object].kind == MemoryObject::Kind::kFunction) return;
    reached[object] = true;
    open.push_back(object);
  };
  for (ObjectId object = 0; object < objects.size(); ++object) {
    // A thread_local is its thread's own, unless its address goes round.
    const bool is_global =
        objects[object].kind == MemoryObject::Kind::kGlobal && !objects[object].is_thread_local;
    if (is_global || points_to.has_escaped(object)) reach(object);
  }
  for (const ThreadStart& start : points_to.thread_starts()) {
    for (uint32_t i = 0; i < program.function(start.entry).parameters; ++i) {
      for (const Pointee& pointee : points_to.pointees(start.entry, i)) reach(pointee.object);
    }
  }
  std::vector<bool> followed(points_to.value_sets());
  while (!open.empty()) {
    const ObjectId object = open.back();
    open.pop_back();
    if (points_to.has_escaped(object)) reach(kUnknownObject);
    points_to.for_each_held(object, [&](uint32_t set) {
      if (followed[set]) return;
      followed[set] = true;
      points_to.for_each_object(set, reach);
    });
  }
  return reached;
}

}  // namespace

struct Escape::Impl {
  std::vector<bool> is_shared;  // by object
  std::vector<OpId> accesses;   // sorted
  std::vector<uint32_t> first;  // of each function, in `accesses`; one more at the end
};

Escape::Escape(const Program& program, const PointsTo& points_to) {
  auto impl = std::make_shared<Impl>();
  const Executors executors(program, points_to);
  const std::vector<bool> reachable = reachable_objects(program, points_to);
  // Accesses of the program: operation and the pointer it uses.
  auto for_each_access = [&](auto&& visit) {
    for (FunctionIndex f = 0; f < program.size(); ++f) {
      const Function& function = program.function(f);
      for (uint32_t b = 0; b < function.blocks.size(); ++b) {
        for (uint32_t o = 0; o < function.blocks[b].ops.size(); ++o) {
          const Op& op = function.blocks[b].ops[o];
          const OpId id{f, b, o};
          size_t addresses = 0;
          switch (op.kind) {
            case OpKind::kLoad:
            case OpKind::kStore:
            case OpKind::kUpdate:
            case OpKind::kFill:
              addresses = 1;
              break;
            case OpKind::kCopy:
              addresses = 2;
              break;
            case OpKind::kUnknown:
              addresses = op.operands.size();
              break;
            case OpKind::kCall:
              for (const ExternalModel* model : points_to.known_externals(id)) {
                const bool touches = model->reads_arguments || model->writes_arguments ||
                                     model->writes_argument >= 0 || model->copies_to >= 0;
                if (touches) addresses = op.operands.size();
              }
              if (points_to.calls_unknown(id)) addresses = op.operands.size();
              break;
            default:
              break;
          }
          for (size_t i = 0; i < addresses && i < op.operands.size(); ++i) visit(id, op.operands[i]);
        }
      }
    }
  };
  std::vector<Executor> touched(points_to.objects().size(), kNobody);
  std::vector<Executor> through(points_to.value_sets(), kNobody);  // who has touched what these point to
  for_each_access([&](const OpId& id, ValueId address) {
    const uint32_t set = points_to.value_set(id.function, address);
    const Executor all = join(through[set], executors.of(id.function));
    if (all == through[set]) return;
    through[set] = all;
    points_to.for_each_object(set, [&](ObjectId object) { touched[object] = join(touched[object], all); });
  });
  impl->is_shared.resize(touched.size());
  for (ObjectId object = 0; object < touched.size(); ++object) {
    Executor executor = touched[object];
    // Whoever follows a pointer of unknown code may mean it; and unknown code may have threads of its own.
    if (points_to.has_escaped(object)) executor = join(executor, touched[kUnknownObject]);
    impl->is_shared[object] = reachable[object] && executor == kSeveral;
    // A pointer from outside does not name what it may mean of these.
    if (impl->is_shared[object] && points_to.has_escaped(object)) impl->is_shared[kUnknownObject] = true;
  }
  std::vector<bool> leads_to_shared(points_to.value_sets());
  for (uint32_t set = 0; set < points_to.value_sets(); ++set) {
    bool is_shared = false;
    if (through[set] != kNobody)
      points_to.for_each_object(set, [&](ObjectId object) { is_shared |= impl->is_shared[object]; });
    leads_to_shared[set] = is_shared;
  }
  for_each_access([&](const OpId& id, ValueId address) {
    if (!impl->accesses.empty() && impl->accesses.back() == id) return;
    if (leads_to_shared[points_to.value_set(id.function, address)]) impl->accesses.push_back(id);
  });
  impl->first =
      first_of_functions(impl->accesses, program.size(), [](const OpId& id) { return id.function; });
  impl_ = std::move(impl);
}

bool Escape::is_shared(const Pointee& memory) const {
  return impl_->is_shared[memory.object];
}
const std::vector<OpId>& Escape::shared_accesses() const {
  return impl_->accesses;
}
bool Escape::is_shared_access(OpId op) const {
  return std::binary_search(impl_->accesses.begin() + impl_->first[op.function],
                            impl_->accesses.begin() + impl_->first[op.function + 1], op);
}

}  // namespace heddle::program
