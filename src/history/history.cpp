#include "history/history.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "history/database.h"
#include "history/schema.h"
#include "support/check.h"
#include "trace/command_text.h"
#include "trace/hash.h"
#include "trace/point_less.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr auto kLastPointKind = static_cast<uint64_t>(trace::PointKind::kUnknown);
constexpr auto kLastPointGrade = static_cast<uint64_t>(trace::PointGrade::kHandedOver);

// What makes a test: the program's file name, its arguments, and what was added to its environment. Not where
// it lies and runs, since it is the same test after the project has been moved.
struct TestName {
  std::string program;
  std::string arguments;
  std::string environment;

  uint64_t id() const { return trace::fnv1a(program + '\0' + arguments + '\0' + environment); }
};

TestName name_of(const TestCommand& test) {
  HEDDLE_CHECK(!test.argv.empty());
  TestName name{.program = fs::path(test.argv[0]).filename().string(),
                .arguments = trace::join_command({test.argv.begin() + 1, test.argv.end()})};
  std::vector<std::string> settings;
  for (const auto& [variable, value] : test.environment) settings.push_back(variable + "=" + value);
  std::sort(settings.begin(), settings.end());
  name.environment = trace::join_command(settings);
  return name;
}

Statement statement_from(const Query& row) {
  Statement statement{.at = {.file = std::string(row.text(1)),
                             .line = static_cast<uint32_t>(row.number(2)),
                             .column = static_cast<uint32_t>(row.number(3)),
                             .offset = row.number(4)},
                      .operation = std::string(row.text(5)),
                      .timed_out = row.number(6) != 0,
                      .function = std::string(row.text(8))};
  for (const std::string& call : trace::split_command(row.text(7)))
    statement.context.push_back(parse_position(call).value_or(CodePosition{.file = call}));
  return statement;
}

std::string context_text(const Statement& statement) {
  std::vector<std::string> calls;
  for (const CodePosition& call : statement.context) calls.push_back(to_text(call));
  return trace::join_command(calls);
}

}  // namespace

class History::Impl {
 public:
  Impl(Database database, std::string read_only_reason, SourceTree sources, const Options& options)
      : database_(std::move(database)),
        read_only_reason_(std::move(read_only_reason)),
        sources_(std::move(sources)),
        options_(options) {}

  Expected<TestMemory> load(const TestCommand& test, const Build& build);
  Expected<void> save(const TestCommand& test, const Build& build, const TestMemory& memory);
  Expected<std::optional<RememberedVerdict>> load_verdict(const Build& build, const std::string& fingerprint);
  Expected<void> save_verdict(const Build& build, const std::string& fingerprint,
                              const RememberedVerdict& verdict);
  Expected<std::optional<std::string>> load_work(const std::string& stage, uint64_t key,
                                                 std::chrono::milliseconds least);
  Expected<void> save_work(const std::string& stage, uint64_t key, std::chrono::milliseconds time,
                           const std::string& content);
  Expected<void> merge_from(const std::string& file);
  Expected<void> copy_to(const std::string& file);
  TestRecords& records() { return records_; }

  const std::string& read_only_reason() const { return read_only_reason_; }
  const SourceTree& sources() const { return sources_; }
  const std::string& file() const { return database_.path(); }

 private:
  // By file: a hash of what it contained in some build, if that is known.
  using Contents = std::map<std::string, std::optional<uint64_t>>;

  TestMemory known(uint64_t test, const Build& build);
  TestMemory everything_learned_on(uint64_t learned_on, uint64_t test);
  std::set<uint64_t> changed_statements(const TestMemory& memory, uint64_t learned_on, const Build& build);
  void drop_other_points(uint64_t learned_on, const Build& build, TestMemory* memory);
  Contents contents_in(uint64_t build);
  void add_test(const TestName& name);
  void add_build(const Build& build);
  void add_statements(const std::map<uint64_t, Statement>& statements, const Build& build);

  Database database_;
  std::string read_only_reason_;
  SourceTree sources_;
  Options options_;
  TestRecords records_{database_, read_only_reason_};
};

TestMemory History::Impl::everything_learned_on(uint64_t learned_on, uint64_t test) {
  TestMemory memory;
  Query points(database_, "SELECT kind, key, start, length, grade FROM point WHERE test = ? AND build = ?");
  points.with(test, learned_on);
  while (points.next()) {
    if (points.number(0) > kLastPointKind || points.number(4) > kLastPointGrade) continue;
    memory.points.push_back({.key = points.number(1),
                             .offset = points.number(2),
                             .length = static_cast<uint32_t>(points.number(3)),
                             .kind = static_cast<trace::PointKind>(points.number(0)),
                             .grade = static_cast<trace::PointGrade>(points.number(4))});
  }
  Query pairs(database_, "SELECT statement, predecessor, by_larger FROM pair WHERE test = ? AND build = ?");
  pairs.with(test, learned_on);
  while (pairs.next()) memory.sets.add({pairs.number(0), pairs.number(1), pairs.number(2) != 0});

  Query statements(
      database_,
      "SELECT key, file, line, column_number, code_offset, operation, timed_out, context, function "
      "FROM statement WHERE key IN (SELECT statement FROM pair WHERE test = ?1 AND build = ?2 "
      "UNION SELECT predecessor FROM pair WHERE test = ?1 AND build = ?2)");
  statements.with(test, learned_on);
  while (statements.next()) memory.statements.emplace(statements.number(0), statement_from(statements));
  return memory;
}

History::Impl::Contents History::Impl::contents_in(uint64_t build) {
  Contents contents;
  Query recorded(database_, "SELECT file, content FROM source WHERE build = ?");
  recorded.with(build);
  while (recorded.next()) contents.emplace(recorded.text(0), recorded.number(1));
  return contents;
}

// A statement is the same if all files that it mentions are.
std::set<uint64_t> History::Impl::changed_statements(const TestMemory& memory, uint64_t learned_on,
                                                     const Build& build) {
  const Contents then = contents_in(learned_on);
  Contents now = contents_in(build.id());
  const auto is_same = [&](const std::string& file) {
    const auto before = then.find(file);
    if (before == then.end()) return false;
    const auto [entry, is_new] = now.try_emplace(file);
    if (is_new) entry->second = sources_.content(file, build.time);
    return entry->second == before->second;
  };
  std::set<uint64_t> changed;
  for (const auto& [key, statement] : memory.statements) {
    const std::set<std::string> files = files_of(statement);
    if (!std::all_of(files.begin(), files.end(), is_same)) changed.insert(key);
  }
  return changed;
}

// Globals have the same offsets as long as their module is the same. The keys of heap and stack locations are
// made of code positions and frame sizes in all modules.
void History::Impl::drop_other_points(uint64_t learned_on, const Build& build, TestMemory* memory) {
  std::set<uint64_t> same;
  Query modules(database_, "SELECT name, identity FROM module WHERE build = ?");
  modules.with(learned_on);
  while (modules.next()) {
    const Build::Module module{std::string(modules.text(0)), std::string(modules.text(1))};
    if (std::count(build.modules.begin(), build.modules.end(), module) != 0)
      same.insert(trace::module_key(module.name));
  }
  std::erase_if(memory->points, [&](const trace::PointRecord& point) {
    return point.kind != trace::PointKind::kGlobal || same.count(point.key) == 0;
  });
}

TestMemory History::Impl::known(uint64_t test, const Build& build) {
  std::vector<uint64_t> builds;
  Query query(database_,
              "SELECT build FROM pair WHERE test = ?1 UNION SELECT build FROM point WHERE test = ?1");
  query.with(test);
  while (query.next()) builds.push_back(query.number(0));

  TestMemory memory;
  for (const uint64_t learned_on : builds) {
    TestMemory learned = everything_learned_on(learned_on, test);
    if (learned_on != build.id()) {
      learned.drop(changed_statements(learned, learned_on, build));
      drop_other_points(learned_on, build, &learned);
    }
    memory.merge(learned);
  }
  return memory;
}

Expected<TestMemory> History::Impl::load(const TestCommand& test, const Build& build) {
  TestMemory memory = known(name_of(test).id(), build);
  if (const Expected<void> read = database_.result(); !read) return tl::unexpected(read.error());
  return memory;
}

void History::Impl::add_test(const TestName& name) {
  Query(database_, "INSERT OR IGNORE INTO test VALUES (?, ?, ?, ?)")
      .with(name.id(), name.program, name.arguments, name.environment)
      .run();
}

void History::Impl::add_build(const Build& build) {
  Query module(database_, "INSERT OR IGNORE INTO module VALUES (?, ?, ?)");
  for (const auto& [name, identity] : build.modules) module.with(build.id(), name, identity).run();
}

void History::Impl::add_statements(const std::map<uint64_t, Statement>& statements, const Build& build) {
  std::set<std::string> files;
  Query insertion(database_, "INSERT OR IGNORE INTO statement VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const auto& [key, statement] : statements) {
    const CodePosition& at = statement.at;
    insertion
        .with(key, at.file, at.line, at.column, at.offset, statement.operation, statement.timed_out,
              context_text(statement), statement.function)
        .run();
    files.merge(files_of(statement));
  }
  Query source(database_, "INSERT OR IGNORE INTO source VALUES (?, ?, ?)");
  for (const std::string& file : files) {
    if (const std::optional<uint64_t> content = sources_.content(file, build.time))
      source.with(build.id(), file, *content).run();
  }
}

Expected<void> History::Impl::save(const TestCommand& test, const Build& build, const TestMemory& memory) {
  if (!read_only_reason_.empty()) return usage_error(read_only_reason_);
  const TestName name = name_of(test);
  Transaction transaction(database_);
  const TestMemory before = known(name.id(), build);
  add_test(name);
  add_build(build);

  std::map<uint64_t, Statement> statements;
  Query pair(database_, "INSERT OR IGNORE INTO pair VALUES (?, ?, ?, ?, ?)");
  for (const HapSet::Pair& learned : memory.sets.pairs()) {
    if (before.sets.contains(learned)) continue;
    for (const uint64_t key : {learned.statement, learned.before}) {
      const auto described = memory.statements.find(key);
      if (described == memory.statements.end())
        return internal_error("a HaPSet to be saved speaks of a statement that nobody knows");
      statements.insert(*described);
    }
    pair.with(name.id(), build.id(), learned.statement, learned.before, learned.by_larger).run();
  }
  add_statements(statements, build);

  Query point(database_, "INSERT OR IGNORE INTO point VALUES (?, ?, ?, ?, ?, ?, ?)");
  const std::set<trace::PointRecord, trace::PointLess> known_points(before.points.begin(),
                                                                    before.points.end());
  for (const trace::PointRecord& learned : memory.points) {
    if (known_points.count(learned) != 0) continue;
    point
        .with(name.id(), build.id(), static_cast<uint64_t>(learned.kind), learned.key, learned.offset,
              learned.length, static_cast<uint64_t>(learned.grade))
        .run();
  }
  return transaction.commit();
}

Expected<std::optional<RememberedVerdict>> History::Impl::load_verdict(const Build& build,
                                                                       const std::string& fingerprint) {
  std::optional<RememberedVerdict> verdict;
  Query row(database_,
            "SELECT harmful, why, input, schedule, time FROM verdict WHERE build = ? AND fingerprint = ? "
            "ORDER BY harmful DESC LIMIT 1");
  row.with(build.id(), fingerprint);
  if (row.next()) {
    verdict = {.harmful = row.number(0) != 0,
               .why = std::string(row.text(1)),
               .input = std::string(row.text(2)),
               .schedule = std::string(row.text(3)),
               .time = row.number(4)};
  }
  if (const Expected<void> read = database_.result(); !read) return tl::unexpected(read.error());
  return verdict;
}

Expected<void> History::Impl::save_verdict(const Build& build, const std::string& fingerprint,
                                           const RememberedVerdict& verdict) {
  if (!read_only_reason_.empty()) return usage_error(read_only_reason_);
  Transaction transaction(database_);
  add_build(build);
  Query(database_, "INSERT OR IGNORE INTO verdict VALUES (?, ?, ?, ?, ?, ?, ?)")
      .with(build.id(), fingerprint, verdict.harmful, verdict.why, verdict.input, verdict.schedule,
            verdict.time)
      .run();
  return transaction.commit();
}

Expected<std::optional<std::string>> History::Impl::load_work(const std::string& stage, uint64_t key,
                                                              std::chrono::milliseconds least) {
  std::optional<std::string> content;
  Query row(database_,
            "SELECT content FROM work WHERE stage = ? AND key = ? AND milliseconds >= ? "
            "ORDER BY milliseconds DESC LIMIT 1");
  row.with(stage, key, static_cast<uint64_t>(least.count()));
  if (row.next()) content = std::string(row.text(0));
  if (const Expected<void> read = database_.result(); !read) return tl::unexpected(read.error());
  return content;
}

Expected<void> History::Impl::save_work(const std::string& stage, uint64_t key,
                                        std::chrono::milliseconds time, const std::string& content) {
  if (!read_only_reason_.empty()) return usage_error(read_only_reason_);
  Transaction transaction(database_);
  Query(database_, "INSERT OR REPLACE INTO work VALUES (?, ?, ?, ?)")
      .with(stage, key, static_cast<uint64_t>(time.count()), content)
      .run();
  return transaction.commit();
}

Expected<void> History::Impl::merge_from(const std::string& file) {
  if (!read_only_reason_.empty()) return usage_error(read_only_reason_);
  Expected<Database> other = read_database(file, options_.patience);
  if (!other) return tl::unexpected(other.error());
  Transaction transaction(database_);
  for (const Table& table : tables()) {
    Query row(*other, fmt::format("SELECT * FROM {}", table.name).c_str());
    std::string places = "?";
    for (int i = 1; i < table.columns; ++i) places += ", ?";
    Query insertion(database_,
                    fmt::format("INSERT OR IGNORE INTO {} VALUES ({})", table.name, places).c_str());
    while (row.next()) row.copy_row_to(insertion);
  }
  if (const Expected<void> read = other->result(); !read) return read;
  return transaction.commit();
}

Expected<void> History::Impl::copy_to(const std::string& file) {
  database_.copy_to(file);
  return database_.result();
}

History::History(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
History::History(History&&) noexcept = default;
History& History::operator=(History&&) noexcept = default;
History::~History() = default;

Expected<History> History::open(const std::string& file, const Options& options) {
  std::string read_only_reason;
  Expected<Database> database = open_database(file, options.patience, &read_only_reason);
  if (!database) return tl::unexpected(database.error());
  const fs::path folder = fs::absolute(file).parent_path();
  return History(std::make_unique<Impl>(std::move(*database), std::move(read_only_reason),
                                        SourceTree::around(folder.parent_path()), options));
}

Expected<TestMemory> History::load(const TestCommand& test, const Build& build) {
  return impl_->load(test, build);
}

Expected<void> History::save(const TestCommand& test, const Build& build, const TestMemory& memory) {
  return impl_->save(test, build, memory);
}

Expected<std::optional<RememberedVerdict>> History::load_verdict(const Build& build,
                                                                 const std::string& fingerprint) {
  return impl_->load_verdict(build, fingerprint);
}

Expected<void> History::save_verdict(const Build& build, const std::string& fingerprint,
                                     const RememberedVerdict& verdict) {
  return impl_->save_verdict(build, fingerprint, verdict);
}

Expected<std::optional<std::string>> History::load_work(const std::string& stage, uint64_t key,
                                                        std::chrono::milliseconds least) {
  return impl_->load_work(stage, key, least);
}

Expected<void> History::save_work(const std::string& stage, uint64_t key, std::chrono::milliseconds time,
                                  const std::string& content) {
  return impl_->save_work(stage, key, time, content);
}

TestRecords& History::records() {
  return impl_->records();
}

Expected<void> History::merge_from(const std::string& file) {
  return impl_->merge_from(file);
}

Expected<void> History::copy_to(const std::string& file) {
  return impl_->copy_to(file);
}

const std::string& History::read_only_reason() const {
  return impl_->read_only_reason();
}

const std::string& History::file() const {
  return impl_->file();
}

const SourceTree& History::sources() const {
  return impl_->sources();
}

std::string history_file(const std::string& folder) {
  return (fs::path(folder) / "history.db").string();
}

}  // namespace heddle
