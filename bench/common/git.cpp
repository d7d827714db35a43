#include "common/git.h"

#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/process.h"

namespace heddle::bench {

namespace fs = std::filesystem;

Expected<void> git(const fs::path& folder, std::vector<std::string> words) {
  ProcessRequest request;
  request.argv = {"git", "-C", folder.string(), "-c", "core.autocrlf=false"};
  request.argv.insert(request.argv.end(), std::make_move_iterator(words.begin()),
                      std::make_move_iterator(words.end()));
  request.environment = {{"GIT_CONFIG_GLOBAL", "/dev/null"},
                         {"GIT_CONFIG_NOSYSTEM", "1"},
                         {"GIT_AUTHOR_NAME", "heddle"},
                         {"GIT_AUTHOR_EMAIL", "heddle@localhost"},
                         {"GIT_AUTHOR_DATE", "2020-01-01T00:00:00Z"},
                         {"GIT_COMMITTER_NAME", "heddle"},
                         {"GIT_COMMITTER_EMAIL", "heddle@localhost"},
                         {"GIT_COMMITTER_DATE", "2020-01-01T00:00:00Z"}};
  const Expected<CommandEnd> end = heddle::run_process(request);
  if (!end) return tl::unexpected(end.error());
  if (!end->ok())
    return internal_error(fmt::format("`{}` ended with {}", fmt::join(request.argv, " "), to_text(*end)));
  return {};
}

Expected<void> git_each(const fs::path& folder, const std::vector<std::vector<std::string>>& commands) {
  for (const std::vector<std::string>& command : commands)
    if (Expected<void> done = git(folder, command); !done) return done;
  return {};
}

}  // namespace heddle::bench
