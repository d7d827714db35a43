#include "fill.h"

#include <cstdio>

#include "number.h"

namespace {

void write(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

std::string digits_for(const Directive& directive, uint64_t magnitude, Rounding rounding) {
  switch (directive.type) {
    case 'x':
      return hexadecimal_digits(magnitude);
    case 'h':
      return with_unit(magnitude, rounding);
    case 'i':
      return with_binary_unit(magnitude, rounding);
    default: {
      const std::string digits = decimal_digits(magnitude);
      return directive.groups ? grouped(digits) : digits;
    }
  }
}

}  // namespace

std::string Arguments::take() {
  if (next_ >= arguments_.size()) return "";
  return arguments_[next_++];
}

size_t Arguments::used() const {
  return next_;
}

bool Arguments::has_more() const {
  return used() < arguments_.size();
}

bool Filler::fill(const std::vector<Piece>& pieces) {
  for (;;) {
    const size_t used = arguments_.used();
    write_once(pieces);
    // A format that uses none would never come to an end.
    if (!arguments_.has_more() || arguments_.used() == used) break;
  }
  return is_good_;
}

void Filler::write_once(const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces) {
    if (piece.is_literal) {
      write(piece.literal);
    } else {
      write_directive(piece.directive);
    }
  }
  if (options_.lines) std::putchar('\n');
}

void Filler::write_directive(const Directive& directive) {
  const std::string argument = arguments_.take();
  switch (directive.type) {
    case 's':
      write_padded(directive, argument, false);
      break;
    case 'c':
      write_padded(directive, argument.substr(0, 1), false);
      break;
    default:
      write_padded(directive, number_text(directive, argument), true);
  }
}

std::string Filler::number_text(const Directive& directive, const std::string& argument) {
  Number number;
  if (!argument.empty() && !read_number(argument, &number)) {
    std::fprintf(stderr, "template_fill: this is no number: '%s'\n", argument.c_str());
    is_good_ = false;
    number = {};
  }
  std::string text;
  if (number.is_negative && number.magnitude != 0) {
    text = "-";
  } else if (directive.sign) {
    text = "+";
  }
  return text + digits_for(directive, number.magnitude, options_.rounding) + options_.suffix;
}

void Filler::write_padded(const Directive& directive, const std::string& text, bool is_number) {
  if (text.size() >= directive.width) {
    write(text);
    return;
  }
  const size_t missing = directive.width - text.size();
  if (directive.left) {
    write(text + std::string(missing, ' '));
  } else if (directive.zeros && is_number) {
    const size_t sign = text[0] == '-' || text[0] == '+' ? 1 : 0;
    write(text.substr(0, sign) + std::string(missing, '0') + text.substr(sign));
  } else {
    write(std::string(missing, ' ') + text);
  }
}
