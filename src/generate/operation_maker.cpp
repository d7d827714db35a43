#include "generate/operation_maker.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "generate/argument_mix.h"
#include "generate/argument_pools.h"
#include "generate/call_text.h"
#include "generate/type_names.h"
#include "generate/written_calls.h"

namespace heddle::generate {
namespace {

constexpr size_t kMostOfAMethod = 12;
constexpr size_t kMostOfAConstructor = 4;
// Each is the root of a tree of sequences.
constexpr size_t kMostConstructions = 8;
// On the second object, which is there to be another state of the class: as few calls as give it some.
constexpr size_t kMostOnOther = 1;

// An operation that has no number yet.
struct Draft {
  Operation operation;
  std::set<std::string> includes;
};

// What can be done with one constructor or method, best first.
struct Drafts {
  std::vector<Draft> drafts;
  std::optional<Unusable> unusable;
};

bool matches(const std::string& line, const Callable& callable) {
  const std::string wanted = normal_type(line);
  return wanted == callable.name || wanted == simple_name(callable.name) ||
         wanted == normal_type(callable.signature());
}

bool is_skipped(const UserPools& pools, const Callable& callable) {
  return std::any_of(pools.skip.begin(), pools.skip.end(),
                     [&](const std::string& line) { return matches(line, callable); });
}

bool copies_or_moves(const ClassModel& model, const Callable& constructor) {
  return constructor.kind == CallableKind::kConstructor && constructor.parameters.size() == 1 &&
         take_apart(constructor.parameters[0].type).value == take_apart(model.name).value;
}

bool is_pack(const Callable& callable) {
  return callable.is_template && callable.is_variadic;
}

// Lists of pools for different numbers of arguments that the callable can be given.
struct PoolLists {
  std::vector<std::vector<Arguments>> lists;
  std::string reason;  // if there is none
};

class PoolListMaker {
 public:
  PoolListMaker(ArgumentPools& pools, const Callable& callable) : pools_(pools), callable_(callable) {}

  PoolLists make() {
    const size_t named = callable_.parameters.size();
    std::vector<Arguments> list;
    for (size_t i = 0; i <= named; ++i) {
      // Without any argument that may be left out, and with all of them.
      const bool may_end = i == named || !callable_.parameters[i].default_value.empty();
      if (may_end && (i == named || made_.lists.empty())) made_.lists.push_back(list);
      if (i == named) break;
      list.push_back(pools_.arguments(callable_, i));
      if (!list.back().empty()) continue;
      if (made_.lists.empty()) made_.reason = pools_.reason_against(callable_, i);
      return std::move(made_);
    }
    if (is_pack(callable_)) extend_by_pack();
    return std::move(made_);
  }

 private:
  // With one and two more arguments; none comes last if there is nothing else.
  void extend_by_pack() {
    const std::vector<Arguments> without = made_.lists.back();
    std::vector<Arguments> with = without;
    for (size_t i = 0; i < 2; ++i) {
      with.push_back(pools_.pack_arguments(with.size()));
      if (with.back().empty()) return;
      made_.lists.push_back(with);
    }
    if (without.empty()) std::rotate(made_.lists.begin(), made_.lists.begin() + 1, made_.lists.end());
  }

  ArgumentPools& pools_;
  const Callable& callable_;
  PoolLists made_;
};

// Rows of arguments, from all lists in turns.
std::vector<std::vector<Argument>> rows_of(const PoolLists& pools, size_t most) {
  std::vector<std::vector<std::vector<Argument>>> of_list;
  size_t longest = 0;
  for (const std::vector<Arguments>& list : pools.lists) {
    std::vector<size_t> sizes;
    for (const Arguments& pool : list) sizes.push_back(pool.size());
    std::vector<std::vector<Argument>>& rows = of_list.emplace_back();
    for (const std::vector<size_t>& indices : mix_arguments(sizes, most)) {
      std::vector<Argument>& row = rows.emplace_back();
      for (size_t i = 0; i < indices.size(); ++i) row.push_back(list[i][indices[i]]);
    }
    longest = std::max(longest, rows.size());
  }
  std::vector<std::vector<Argument>> rows;
  for (size_t i = 0; i < longest; ++i)
    for (std::vector<std::vector<Argument>>& list : of_list)
      if (i < list.size() && rows.size() < most) rows.push_back(std::move(list[i]));
  return rows;
}

bool can_be_told(const TypeUse& result, const TypeLookup& types) {
  const TypeKind kind = types.find(result.value).kind;
  return kind != TypeKind::kVoid && kind != TypeKind::kSubject && kind != TypeKind::kOther;
}

Draft draft_of(const std::vector<Argument>& arguments, CallText text) {
  Draft draft;
  draft.includes = std::move(text.includes);
  Operation& operation = draft.operation;
  operation.takes_other = mentions(text.code, "other");
  operation.moves_other = text.code.find("std::move(other)") != std::string::npos;
  operation.code = std::move(text.code);
  operation.label = std::move(text.label);
  Argument all;
  for (const Argument& argument : arguments) {
    operation.arguments.push_back(argument.text);
    all.depend_on(argument);
  }
  operation.needs.assign(all.needs.begin(), all.needs.end());
  operation.moves.assign(all.moves.begin(), all.moves.end());
  operation.fixtures.assign(all.fixtures.begin(), all.fixtures.end());
  return draft;
}

// Takes from all in turns, so that each gets its first ones before any gets its last.
std::vector<std::vector<Draft>> fair_share(std::vector<Drafts>& all, size_t most) {
  std::vector<std::vector<Draft>> chosen(all.size());
  size_t count = 0;
  bool is_more = true;
  for (size_t round = 0; is_more && count < most; ++round) {
    is_more = false;
    for (size_t i = 0; i < all.size() && count < most; ++i) {
      if (round >= all[i].drafts.size()) continue;
      chosen[i].push_back(std::move(all[i].drafts[round]));
      ++count;
      is_more = true;
    }
  }
  return chosen;
}

class OperationMaker {
 public:
  OperationMaker(ClassModel& model, const UserPools& pools, size_t most)
      : model_(model), user_(pools), most_(most), observers_(add_user_observers(model, pools)) {
    for (uint32_t i = 0; i < model_.methods.size(); ++i) {
      if (is_written(i) || is_skipped(user_, model_.methods[i]) || is_factory(model_.methods[i])) continue;
      usable_.push_back(i);
    }
    for (WrittenCall& call : add_whole_object_calls(model_)) {
      if (!is_skipped(user_, model_.methods[call.method])) whole_object_.push_back(std::move(call));
    }
    pools_.emplace(model_, user_, usable_);
  }

  MadeOperations make() {
    add_constructors();
    add_methods();
    finish();
    return std::move(made_);
  }

 private:
  bool is_written(uint32_t method) const {
    return std::any_of(observers_.begin(), observers_.end(),
                       [&](const WrittenCall& call) { return call.method == method; });
  }

  // What it gives is the object under test, and as that it is used.
  bool is_factory(const Callable& method) const {
    return method.is_static &&
           std::any_of(model_.constructors.begin(), model_.constructors.end(), [&](const Callable& one) {
             return one.kind == CallableKind::kFactory && one.name == method.owner + "::" + method.name;
           });
  }

  void give_up(const Callable& callable, const std::string& reason, const std::string& help = "") {
    made_.unusable.push_back({callable.signature(), reason, help});
  }

  static std::string help_for(const std::string& reason) {
    return reason.starts_with("no value of ") ? "give some under [values] in a --pools file" : "";
  }

  // What a factory that the model knows gives, if the line calls it.
  std::string result_of(const std::string& line, const std::vector<Callable>& known) const {
    for (const Callable& factory : known) {
      if (factory.kind == CallableKind::kFactory && line.find(factory.name + "(") != std::string::npos)
        return factory.result;
    }
    return model_.name;
  }

  void use_construct_lines() {
    const std::vector<Callable> known = std::exchange(model_.constructors, {});
    for (const std::string& line : user_.construct) {
      Callable constructor;
      constructor.kind = line.starts_with("=") ? CallableKind::kFactory : CallableKind::kConstructor;
      constructor.name = simple_name(model_.name);
      constructor.owner = model_.name;
      constructor.result = result_of(line, known);
      model_.constructors.push_back(std::move(constructor));
      CallText text;
      const bool is_whole = line.starts_with("(") || line.starts_with("{");
      text.code = line.starts_with("=") ? " " + line : is_whole ? line : "(" + line + ")";
      const size_t expression = line.find_first_not_of("= ");
      text.label = !line.starts_with("=")            ? constructor.name + text.code
                   : expression != std::string::npos ? line.substr(expression)
                                                     : line;
      Draft draft = draft_of({}, std::move(text));
      draft.operation.is_constructor = true;
      draft.operation.callable = static_cast<uint32_t>(model_.constructors.size() - 1);
      add(std::move(draft));
    }
  }

  Drafts draft_constructor(uint32_t index) {
    const Callable& constructor = model_.constructors[index];
    Drafts drafts;
    if (model_.is_abstract && constructor.kind == CallableKind::kConstructor) {
      drafts.unusable = {constructor.signature(), "the class is abstract",
                         "generate for a class that implements it"};
      return drafts;
    }
    const PoolLists pools = PoolListMaker(*pools_, constructor).make();
    for (const std::vector<Argument>& row : rows_of(pools, kMostOfAConstructor)) {
      Draft draft = draft_of(row, construction_text(model_, constructor, row));
      draft.operation.is_constructor = true;
      draft.operation.callable = index;
      drafts.drafts.push_back(std::move(draft));
    }
    if (drafts.drafts.empty())
      drafts.unusable = {constructor.signature(), pools.reason, help_for(pools.reason)};
    return drafts;
  }

  // A single argument is most often a capacity, and small here: with it, less happens before the object is
  // full.
  static size_t rank(const Operation& construction) {
    if (construction.arguments.size() == 1) return 0;
    return construction.arguments.empty() ? 1 : construction.arguments.size();
  }

  void add_constructors() {
    if (!user_.construct.empty()) return use_construct_lines();
    std::vector<Drafts> all;
    for (uint32_t i = 0; i < model_.constructors.size(); ++i) {
      if (copies_or_moves(model_, model_.constructors[i]) || is_skipped(user_, model_.constructors[i]))
        continue;
      all.push_back(draft_constructor(i));
      if (all.back().unusable) made_.unusable.push_back(*all.back().unusable);
    }
    const size_t most = std::min(std::max(kMostConstructions, all.size()), std::max<size_t>(most_ / 2, 1));
    std::vector<Draft> chosen;
    for (std::vector<Draft>& drafts : fair_share(all, most))
      std::move(drafts.begin(), drafts.end(), std::back_inserter(chosen));
    std::stable_sort(chosen.begin(), chosen.end(), [](const Draft& one, const Draft& two) {
      return rank(one.operation) < rank(two.operation);
    });
    for (Draft& draft : chosen) add(std::move(draft));
    name_left_out(all, model_.constructors, /*of_constructors=*/true);
  }

  bool takes_subject(const Callable& method) const {
    return std::any_of(method.parameters.begin(), method.parameters.end(), [&](const Parameter& parameter) {
      return mentions_type(parameter.type, take_apart(model_.name).value);
    });
  }

  Draft draft_call(uint32_t method, const std::string& receiver, const std::vector<Argument>& row) const {
    const Callable& callable = model_.methods[method];
    CallText text = call_text(model_, callable, receiver, row);
    Draft draft = draft_of(row, std::move(text));
    finish_draft(draft, method, callable.is_static ? "" : receiver);
    const bool fills_in =
        std::any_of(row.begin(), row.end(), [](const Argument& one) { return !one.out_declaration.empty(); });
    draft.operation.has_result |= fills_in;
    return draft;
  }

  void finish_draft(Draft& draft, uint32_t method, const std::string& receiver) const {
    const Callable& callable = model_.methods[method];
    draft.operation.callable = method;
    draft.operation.receiver = receiver;
    draft.operation.is_const = callable.is_const;
    draft.operation.has_result = can_be_told(take_apart(callable.result), types_);
  }

  // Overloads can differ in their types alone: then the types are written, too.
  void add_unless_known(Drafts& drafts, uint32_t method, const std::string& receiver,
                        std::vector<Argument> row) {
    Draft draft = draft_call(method, receiver, row);
    if (codes_.contains(draft.operation.code)) {
      for (Argument& argument : row) argument.text = argument.exact_text();
      draft = draft_call(method, receiver, row);
    }
    if (!codes_.insert(draft.operation.code).second) return;
    if (!labels_.insert(draft.operation.label).second) draft.operation.label = draft.operation.code;
    drafts.drafts.push_back(std::move(draft));
  }

  static bool takes_object(const std::vector<Argument>& row) {
    return std::any_of(row.begin(), row.end(),
                       [](const Argument& one) { return mentions(one.text, "object"); });
  }

  Drafts draft_method(uint32_t method) {
    const Callable& callable = model_.methods[method];
    Drafts drafts;
    const PoolLists pools = PoolListMaker(*pools_, callable).make();
    const std::vector<std::vector<Argument>> rows = rows_of(pools, kMostOfAMethod);
    for (size_t i = 0; i < rows.size(); ++i) {
      add_unless_known(drafts, method, "object", rows[i]);
      const bool on_other = has_other_ && !callable.is_const && !callable.is_static && i < kMostOnOther &&
                            !takes_object(rows[i]);
      if (on_other) add_unless_known(drafts, method, "other", rows[i]);
    }
    if (rows.empty()) {
      drafts.unusable = {callable.signature(), pools.reason, help_for(pools.reason)};
    } else if (drafts.drafts.empty()) {
      drafts.unusable = {callable.signature(), "its calls are written like those of another overload", ""};
    }
    return drafts;
  }

  // What every sequence could offer it comes from calls that can be made.
  void drop_unreachable(std::vector<Drafts>& all, const std::vector<uint32_t>& methods) {
    std::set<uint32_t> reachable;
    for (size_t before = SIZE_MAX; before != reachable.size();) {
      before = reachable.size();
      for (size_t i = 0; i < all.size(); ++i) {
        if (std::any_of(all[i].drafts.begin(), all[i].drafts.end(),
                        [&](const Draft& draft) { return can_be_made(draft, reachable); }))
          reachable.insert(methods[i]);
      }
    }
    for (size_t i = 0; i < all.size(); ++i) {
      const bool had_some = !all[i].drafts.empty();
      std::erase_if(all[i].drafts, [&](const Draft& draft) { return !can_be_made(draft, reachable); });
      if (had_some && all[i].drafts.empty())
        all[i].unusable = {model_.methods[methods[i]].signature(),
                           "it takes results of calls that cannot be made", ""};
    }
  }

  static bool can_be_made(const Draft& draft, const std::set<uint32_t>& reachable) {
    return std::all_of(draft.operation.needs.begin(), draft.operation.needs.end(),
                       [&](uint32_t method) { return reachable.contains(method); });
  }

  void add_written(const std::vector<WrittenCall>& calls, bool only_afterwards) {
    for (const WrittenCall& call : calls) {
      if (made_.table.operations.size() == most_) {
        give_up(model_.methods[call.method], kLeftOut);
        continue;
      }
      CallText text;
      text.code = call.code;
      text.label = call.label;
      if (call.code.find("std::tuple") != std::string::npos) text.includes.insert("<tuple>");
      Draft draft = draft_of({}, std::move(text));
      finish_draft(draft, call.method, "object");
      draft.operation.only_afterwards = only_afterwards;
      codes_.insert(draft.operation.code);
      add(std::move(draft));
    }
  }

  void add_methods() {
    add_written(observers_, /*only_afterwards=*/true);
    const auto uses_other = [](const WrittenCall& call) { return mentions(call.code, "other"); };
    has_other_ = std::any_of(whole_object_.begin(), whole_object_.end(), uses_other) ||
                 std::any_of(observers_.begin(), observers_.end(), uses_other) ||
                 std::any_of(usable_.begin(), usable_.end(),
                             [&](uint32_t method) { return takes_subject(model_.methods[method]); });
    std::vector<Drafts> all;
    for (const uint32_t method : usable_) all.push_back(draft_method(method));
    drop_unreachable(all, usable_);
    for (const Drafts& drafts : all)
      if (drafts.unusable) made_.unusable.push_back(*drafts.unusable);
    const size_t taken = made_.table.operations.size() + whole_object_.size();
    for (std::vector<Draft>& drafts : fair_share(all, most_ > taken ? most_ - taken : 0))
      for (Draft& draft : drafts) add(std::move(draft));
    add_written(whole_object_, /*only_afterwards=*/false);
    name_left_out(all, model_.methods, /*of_constructors=*/false);
  }

  void add(Draft draft) {
    OperationTable& table = made_.table;
    if (table.operations.size() == most_) return;
    draft.operation.id = OperationId{static_cast<uint32_t>(table.operations.size())};
    if (draft.operation.is_constructor) ++table.constructors;
    includes_.insert(draft.includes.begin(), draft.includes.end());
    table.operations.push_back(std::move(draft.operation));
  }

  void name_left_out(const std::vector<Drafts>& all, const std::vector<Callable>& callables,
                     bool of_constructors) {
    std::set<uint32_t> used;
    for (const Operation& operation : made_.table.operations)
      if (operation.is_constructor == of_constructors) used.insert(operation.callable);
    for (const Drafts& drafts : all) {
      if (drafts.drafts.empty()) continue;
      const uint32_t callable = drafts.drafts.front().operation.callable;
      if (!used.contains(callable)) give_up(callables[callable], kLeftOut);
    }
  }

  // Those that no operation has come to use are left out.
  void take_fixtures() {
    const std::vector<Fixture> all = pools_->fixtures().take();
    std::map<uint32_t, uint32_t> numbers;
    for (const Operation& operation : made_.table.operations)
      for (const uint32_t fixture : operation.fixtures) numbers.emplace(fixture, 0);
    for (auto& [fixture, number] : numbers) {
      number = static_cast<uint32_t>(made_.table.fixtures.size());
      made_.table.fixtures.push_back(all[fixture]);
    }
    for (Operation& operation : made_.table.operations)
      for (uint32_t& fixture : operation.fixtures) fixture = numbers.at(fixture);
  }

  void finish() {
    take_fixtures();
    made_.table.has_other = std::any_of(made_.table.operations.begin(), made_.table.operations.end(),
                                        [](const Operation& operation) { return operation.takes_other; });
    for (const std::string& include : user_.includes) {
      const bool is_quoted = include.starts_with("<") || include.starts_with("\"");
      made_.table.includes.push_back(is_quoted ? include : "\"" + include + "\"");
    }
    made_.table.includes.insert(made_.table.includes.end(), includes_.begin(), includes_.end());
    for (const std::string& type : pools_->unused_types())
      made_.unusable.push_back(
          {fmt::format("[values] \"{}\"", type), "nothing takes a value of this type", ""});
    for (const std::string& line : user_.skip) {
      const auto is_meant = [&](const Callable& callable) { return matches(line, callable); };
      if (std::none_of(model_.methods.begin(), model_.methods.end(), is_meant) &&
          std::none_of(model_.constructors.begin(), model_.constructors.end(), is_meant))
        made_.unusable.push_back({fmt::format("skip \"{}\"", line), "the class has no such method", ""});
    }
  }

  static constexpr const char* kLeftOut = "left out: there are more calls than operations allowed";

  ClassModel& model_;
  const UserPools& user_;
  const size_t most_;
  const std::vector<WrittenCall> observers_;
  std::vector<WrittenCall> whole_object_;
  std::vector<uint32_t> usable_;  // methods whose arguments are made up
  TypeLookup types_{model_};
  std::optional<ArgumentPools> pools_;
  bool has_other_ = false;
  std::set<std::string> codes_;
  std::set<std::string> labels_;
  std::set<std::string> includes_;
  MadeOperations made_;
};

}  // namespace

MadeOperations make_operations(ClassModel& model, const UserPools& pools, size_t most_operations) {
  return OperationMaker(model, pools, most_operations).make();
}

}  // namespace heddle::generate
