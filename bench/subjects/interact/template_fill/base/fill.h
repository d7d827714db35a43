// Fills a format with arguments.
#pragma once

#include <string>
#include <vector>

#include "format.h"
#include "options.h"

// The arguments, and which of them comes next.
class Arguments {
 public:
  explicit Arguments(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  // An empty one if there is no other.
  std::string take();
  // How many have been used.
  size_t used() const;
  bool has_more() const;

 private:
  const std::vector<std::string>& arguments_;
  size_t next_ = 0;
};

class Filler {
 public:
  explicit Filler(const Options& options) : options_(options), arguments_(options.arguments) {}

  // Writes the format until all arguments are used. False: one of them was not what its directive needs.
  bool fill(const std::vector<Piece>& pieces);

 private:
  void write_once(const std::vector<Piece>& pieces);
  void write_directive(const Directive& directive);
  std::string number_text(const Directive& directive, const std::string& argument);
  void write_padded(const Directive& directive, const std::string& text, bool is_number);

  const Options& options_;
  Arguments arguments_;
  bool is_good_ = true;
};
