// Where commands remember what they learn of tests: `--store FOLDER`, `--no-store`.
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "history/history.h"
#include "support/error.h"

namespace heddle {

struct StoreOptions {
  std::string store = ".heddle";
  bool no_store = false;

  // Nothing if nothing is to be remembered. Says so if what is known can only be read.
  Expected<std::optional<History>> open() const;
};

void add_store_options(CLI::App& command, StoreOptions& options);

}  // namespace heddle
