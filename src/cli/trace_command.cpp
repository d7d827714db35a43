#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "cli/command_line.h"
#include "report/trace_text.h"
#include "trace/names.h"
#include "trace/std_text.h"
#include "trace/trace_file.h"

namespace heddle {
namespace {

struct DumpOptions {
  std::string file;
  std::string thread;
  std::string kind;
  DumpFilter filter;
};

std::string list_kinds() {
  std::vector<std::string_view> names;
  for (size_t i = 1; i < static_cast<size_t>(trace::EventKind::kCount); ++i) {
    names.push_back(trace::to_text(static_cast<trace::EventKind>(i)));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

Expected<trace::EventKind> parse_kind(const std::string& text) {
  for (size_t i = 1; i < static_cast<size_t>(trace::EventKind::kCount); ++i) {
    const auto kind = static_cast<trace::EventKind>(i);
    if (trace::to_text(kind) == text) return kind;
  }
  return usage_error(fmt::format("there is no event kind {}; kinds: {}", text, list_kinds()));
}

Expected<int> dump(DumpOptions options) {
  if (!options.thread.empty()) options.filter.thread = options.thread;
  if (!options.kind.empty()) {
    Expected<trace::EventKind> kind = parse_kind(options.kind);
    if (!kind) return tl::unexpected(kind.error());
    options.filter.kind = *kind;
  }
  Expected<trace::Trace> trace = trace::read_trace(options.file);
  if (!trace) return tl::unexpected(trace.error());
  const std::unique_ptr<Symbolizer> symbolizer = make_symbolizer();
  TraceSymbols symbols(*trace, *symbolizer);
  render_trace_dump(std::cout, symbols, options.filter);
  return exit_code::kClean;
}

Expected<int> stats(const std::string& file) {
  Expected<trace::Trace> trace = trace::read_trace(file);
  if (!trace) return tl::unexpected(trace.error());
  const std::unique_ptr<Symbolizer> symbolizer = make_symbolizer();
  TraceSymbols symbols(*trace, *symbolizer);
  render_trace_stats(std::cout, symbols);
  return exit_code::kClean;
}

struct ConvertOptions {
  std::string from;
  std::string to;
  std::string format = "std";
};

Expected<int> export_trace(const ConvertOptions& options) {
  const Expected<trace::Trace> trace = trace::read_trace(options.from);
  if (!trace) return tl::unexpected(trace.error());
  const Expected<void> written = trace::write_std(*trace, options.to);
  if (!written) return tl::unexpected(written.error());
  return exit_code::kClean;
}

Expected<int> import_trace(const ConvertOptions& options) {
  const Expected<trace::Trace> trace = trace::read_std(options.from);
  if (!trace) return tl::unexpected(trace.error());
  const Expected<void> written = trace::write_trace(options.to, *trace);
  if (!written) return tl::unexpected(written.error());
  return exit_code::kClean;
}

void add_conversion(CLI::App& parent, Invocation& invocation, const char* name, const char* help,
                    Expected<int> (*convert)(const ConvertOptions&), bool has_default_target) {
  CLI::App* command = parent.add_subcommand(name, help);
  auto options = std::make_shared<ConvertOptions>();
  command->add_option("FROM", options->from, "file to read")->required();
  CLI::Option* to = command->add_option("TO", options->to, "file to write");
  if (has_default_target)
    options->to = "-";
  else
    to->required();
  command->add_option("--format", options->format, "of the text: std, that of RAPID")
      ->capture_default_str()
      ->check(CLI::IsMember({"std"}));
  command->callback([&invocation, options, convert] {
    invocation.action = [options, convert] { return convert(*options); };
  });
}

}  // namespace

void add_trace_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("trace", "look inside a recorded trace");
  command->require_subcommand(1);

  CLI::App* dump_command = command->add_subcommand("dump", "print the events, one a line, and the outcome");
  auto options = std::make_shared<DumpOptions>();
  dump_command->add_option("FILE", options->file, "a trace file")->required();
  dump_command->add_option("--thread", options->thread, "only events of this thread, such as main/1");
  dump_command->add_option("--kind", options->kind, "only events of this kind, such as lock");
  dump_command
      ->add_option("--from", options->filter.first, "only events from this number on, itself included")
      ->check(whole_number());
  dump_command->add_option("--to", options->filter.last, "only events up to this number, itself included")
      ->check(whole_number());
  // Their names of old, which read as if they were numbers of events.
  dump_command->add_option("--first", options->filter.first)->check(whole_number())->group("");
  dump_command->add_option("--last", options->filter.last)->check(whole_number())->group("");
  dump_command->callback(
      [&invocation, options] { invocation.action = [options] { return dump(*options); }; });

  add_conversion(*command, invocation, "export", "write a trace as text for other tools: export FROM [TO]",
                 export_trace, /*has_default_target=*/true);
  add_conversion(*command, invocation, "import", "make a trace of such a text (- for the standard input)",
                 import_trace, /*has_default_target=*/false);

  CLI::App* stats_command = command->add_subcommand("stats", "print what is in the trace and how much of it");
  auto file = std::make_shared<std::string>();
  stats_command->add_option("FILE", *file, "a trace file")->required();
  stats_command->callback([&invocation, file] { invocation.action = [file] { return stats(*file); }; });
}

}  // namespace heddle
