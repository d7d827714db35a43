#include "random_flow.h"

#include <set>
#include <utility>

#include "hand_graph.h"
#include "interact/flow_marks.h"

namespace heddle::interact {
namespace {

class Maker {
 public:
  Maker(std::mt19937& random, bool with_exceptions) : random_(random), with_exceptions_(with_exceptions) {}

  RandomGraph make() {
    const uint32_t procedures = number(1, 3);
    for (ProcedureIndex f = 0; f < procedures; ++f) add_procedure(f, procedures);
    result_.flow.root = 0;
    result_.flow.statements = statements_;
    spread_throws(result_.flow);
    const std::set<StatementIndex> changes = some_statements(number(1, 4));
    result_.changes.assign(changes.begin(), changes.end());
    std::vector<Influence> influences;
    for (uint32_t i = number(statements_, 4 * statements_); i > 0; --i)
      if (const Influence one{any_statement(), any_statement(), !one_in(3)}; one.statement != one.on)
        influences.push_back(one);
    result_.dependences = close_dependences(statements_, result_.changes, influences);
    return std::move(result_);
  }

 private:
  void add_procedure(ProcedureIndex f, uint32_t procedures) {
    const auto first = static_cast<PointIndex>(result_.flow.points.size());
    const uint32_t size = number(2, 8);
    result_.flow.entries.push_back(first);
    for (uint32_t i = 0; i < size; ++i) result_.flow.points.push_back(make_point(f, procedures));
    const auto any_point = [&] { return first + number(0, size - 1); };
    for (uint32_t i = 0; i < size; ++i) {
      Point& point = result_.flow.points[first + i];
      if (i + 1 < size && !one_in(6)) point.next.push_back(first + i + 1);
      if (one_in(3)) point.next.push_back(any_point());
      if (with_exceptions_ && !point.calls.empty() && one_in(2)) point.landings.push_back(any_point());
      point.returns = i + 1 == size || one_in(10);
    }
  }

  Point make_point(ProcedureIndex f, uint32_t procedures) {
    Point point;
    point.procedure = f;
    if (statements_ > 0 && one_in(5)) {  // more of a statement that there is
      point.statement = any_statement();
      point.is_start = one_in(3);
      point.is_end = one_in(2);
    } else if (!one_in(8)) {
      point.statement = statements_++;
      point.is_end = !one_in(5);
    }
    point.is_output = one_in(6);
    if (procedures > 1 && one_in(4)) {
      point.calls.push_back(number(0, procedures - 1));
      point.may_skip_calls = one_in(4);
      if (one_in(8)) point.calls.push_back(number(0, procedures - 1));
    }
    point.throws = with_exceptions_ && one_in(8);
    return point;
  }

  std::set<StatementIndex> some_statements(uint32_t count) {
    std::set<StatementIndex> some;
    while (statements_ > 0 && count-- > 0) some.insert(any_statement());
    return some;
  }

  uint32_t number(uint32_t from, uint32_t to) {
    return std::uniform_int_distribution<uint32_t>(from, to)(random_);
  }
  bool one_in(uint32_t n) { return number(1, n) == 1; }
  StatementIndex any_statement() { return number(0, statements_ - 1); }

  std::mt19937& random_;
  const bool with_exceptions_;
  uint32_t statements_ = 0;
  RandomGraph result_;
};

}  // namespace

RandomGraph random_graph(std::mt19937& random, bool with_exceptions) {
  return Maker(random, with_exceptions).make();
}

}  // namespace heddle::interact
