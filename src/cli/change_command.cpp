// `heddle change show`: what a change is, in statements and functions.
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "change/describe_change.h"
#include "change/source_change.h"
#include "cli/command_line.h"
#include "cli/revision_options.h"
#include "report/run_result.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

struct ChangeCommandOptions : RevisionOptions {
  std::string json;
};

const char* name_of(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kAdded:
      return "added";
    case ChangeKind::kRemoved:
      return "removed";
    case ChangeKind::kModified:
      return "modified";
  }
  return "";
}

const char* name_of(ChangeReason reason) {
  switch (reason) {
    case ChangeReason::kText:
      return "text";
    case ChangeReason::kDeclaration:
      return "declaration";
    case ChangeReason::kMacro:
      return "macro";
    case ChangeReason::kUnknown:
      return "unknown";
  }
  return "";
}

Json describe(const FunctionId& function) {
  return {{"file", function.file}, {"signature", function.signature}};
}

Json describe(const StatementId& id, const SourceStatement* statement) {
  Json json = describe(id.function);
  if (statement != nullptr) {
    json["line"] = statement->range.first_line;
    json["column"] = statement->range.first_column;
    json["text"] = statement->text;
  }
  return json;
}

Json describe(const SourceDeclaration& declaration) {
  return {{"name", declaration.name},
          {"type", declaration.type},
          {"line", declaration.range.first_line},
          {"text", declaration.text}};
}

Json describe(const Revision& revision) {
  return {{"name", revision.name}, {"commit", revision.commit}, {"working_tree", revision.is_working_tree}};
}

// null where there is none.
template <typename Thing, typename... More>
Json or_null(const std::optional<Thing>& thing, More... more) {
  return thing ? describe(*thing, more...) : Json();
}

Json to_json(const SourceChange& change) {
  const StatementMap& map = change.statements;
  Json files = Json::array(), functions = Json::array(), declarations = Json::array(),
       statements = Json::array();
  for (const FileChange& file : change.files) {
    files.push_back({{"before", file.old_path.empty() ? Json() : Json(file.old_path)},
                     {"after", file.new_path.empty() ? Json() : Json(file.new_path)}});
  }
  for (const FunctionChange& function : map.functions()) {
    functions.push_back({{"before", or_null(function.old_function)},
                         {"after", or_null(function.new_function)},
                         {"renamed", function.renamed}});
  }
  for (const DeclarationChange& declaration : map.declarations())
    declarations.push_back({{"before", or_null(declaration.before)}, {"after", or_null(declaration.after)}});
  for (const StatementChange& statement : map.changes()) {
    const auto find = [&](const auto& id, auto lookup) -> const SourceStatement* {
      return id ? (map.*lookup)(*id) : nullptr;
    };
    statements.push_back({{"kind", name_of(statement.kind)},
                          {"reason", name_of(statement.reason)},
                          {"because", statement.because},
                          {"before", or_null(statement.old_statement,
                                             find(statement.old_statement, &StatementMap::find_base))},
                          {"after", or_null(statement.new_statement,
                                            find(statement.new_statement, &StatementMap::find_head))}});
  }
  return {{"command", "change show"},      {"base", describe(change.base)},
          {"head", describe(change.head)}, {"files", files},
          {"not_source", change.opaque},   {"functions", functions},
          {"declarations", declarations},  {"statements", statements}};
}

Expected<int> run(const ChangeCommandOptions& options) {
  const Expected<Repository> repository = Repository::open(std::filesystem::current_path());
  if (!repository) return tl::unexpected(repository.error());
  const Expected<RevisionPair> revisions = resolve_change(*repository, options.base, options.head);
  if (!revisions) return tl::unexpected(revisions.error());
  const Expected<SourceChange> change = compare_sources(*repository, revisions->base, revisions->head);
  if (!change) return tl::unexpected(change.error());
  if (options.json != "-") fmt::print("{}", describe(*change));
  say(fmt::format("{} against {}: {}", change->head.name, change->base.name, summarize(*change)));
  if (!options.json.empty()) {
    const Expected<void> written = write_json(options.json, to_json(*change));
    if (!written) return tl::unexpected(written.error());
  }
  return exit_code::kClean;
}

}  // namespace

void add_change_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("change", "what a change is: heddle change show --base REV");
  command->require_subcommand(1);
  CLI::App* show = command->add_subcommand("show", "the statements, functions and declarations that differ");
  auto options = std::make_shared<ChangeCommandOptions>();
  add_revision_options(*show, *options);
  show->add_option("--json", options->json, "file for the result; - is the standard output");
  show->callback([&invocation, options] { invocation.action = [options] { return run(*options); }; });
}

}  // namespace heddle
