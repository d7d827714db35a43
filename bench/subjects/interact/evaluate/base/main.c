// evaluate: writes the value of an expression.
#include <stdio.h>
#include <string.h>

#include "parser.h"
#include "value.h"
#include "words.h"

// As of a test: a script can ask for the value without reading it.
enum { EXIT_TRUE = 0, EXIT_FALSE = 1, EXIT_SYNTAX = 2, EXIT_ARITHMETIC = 3, EXIT_OUTPUT = 4 };

static const char help_text[] =
    "usage: evaluate EXPRESSION\n"
    "Writes the value of the expression. Blanks are needed between words that are no signs.\n"
    "\n"
    "  A | B              A if it is neither empty nor 0, else B\n"
    "  A & B              A if neither of them is empty or 0, else 0\n"
    "  A < B  <= = != >= >  1 if that holds, of integers or else of texts, else 0\n"
    "  A + B  -           sum, difference\n"
    "  A * B  / %         product, quotient, remainder\n"
    "  length A           how many bytes A has\n"
    "  index A B          where the first byte of B is in A, from 1 on, or 0\n"
    "  substr A N M       M bytes of A from the Nth on\n"
    "  quote WORD         the word, also if it would be an operator\n"
    "  ( A )\n"
    "\n"
    "The exit code is 0, or 1 if the value is empty or 0, 2 for a mistake in the expression, and 3 for one "
    "in\n"
    "the arithmetic.\n";

static int report(const struct parser* parser) {
  fprintf(stderr, "evaluate: %s", parser->problem);
  if (parser->where != NULL) fprintf(stderr, ", at '%s'", parser->where);
  fputc('\n', stderr);
  return parser->status == PARSE_SYNTAX ? EXIT_SYNTAX : EXIT_ARITHMETIC;
}

static int write_value(const struct value* value) {
  char written[LONGEST_INTEGER];
  size_t length = 0;
  const char* const text = text_of(value, written, &length);
  for (size_t i = 0; i < length; ++i) putchar(text[i]);
  putchar('\n');
  if (fflush(stdout) != 0) return EXIT_OUTPUT;
  return is_true(value) ? EXIT_TRUE : EXIT_FALSE;
}

int main(int count, char** arguments) {
  int first = 1;
  if (count == 2 && strcmp(arguments[1], "--help") == 0) {
    fputs(help_text, stdout);
    return EXIT_TRUE;
  }
  if (count > 1 && strcmp(arguments[1], "--") == 0) first = 2;

  struct words words = {0};
  struct parser parser;
  int status = EXIT_SYNTAX;
  if (!split_words(&words, count - first, arguments + first)) {
    fprintf(stderr, "evaluate: the expression has more than %d words\n", MOST_WORDS);
  } else {
    const struct value value = parse_expression(&parser, &words);
    status = parser.status == PARSE_OK ? write_value(&value) : report(&parser);
  }
  release_words(&words);
  return status;
}
