// template_fill: writes a format with its directives replaced by arguments.
#include <cstdio>

#include "fill.h"
#include "format.h"
#include "options.h"

int main(int argc, char** argv) {
  const Options options = read_options(argc, argv);
  const std::vector<Piece> pieces = read_format(options.format);
  Filler filler(options);
  const bool is_good = filler.fill(pieces);
  if (std::fflush(stdout) != 0) {
    std::perror("template_fill");
    return kExitFailed;
  }
  return is_good ? kExitGood : kExitFailed;
}
