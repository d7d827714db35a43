#include "parser.h"

#include <string.h>

#include "arithmetic.h"

enum { MOST_DEPTH = 40 };

static struct value parse_either(struct parser* parser);

static struct value give_up(struct parser* parser, int status, const char* problem, const char* where) {
  if (parser->status == PARSE_OK) {
    parser->status = status;
    parser->problem = problem;
    parser->where = where;
  }
  return integer_value(0);
}

static bool take(struct parser* parser, enum word_kind kind) {
  return parser->status == PARSE_OK && take_word(parser->words, kind);
}

static struct value as_text(struct parser* parser, const struct value* value) {
  size_t length = 0;
  if (!value->is_integer) return *value;
  if (parser->written_count == MOST_WORDS)
    return give_up(parser, PARSE_SYNTAX, "the expression is too long", NULL);
  const char* const text = text_of(value, parser->written[parser->written_count++], &length);
  return text_value(text, length);
}

static struct value find_any(const struct value* text, const struct value* characters) {
  for (size_t i = 0; i < text->length; ++i) {
    if (memchr(characters->text, text->text[i], characters->length) != NULL)
      return integer_value((int64_t)i + 1);
  }
  return integer_value(0);
}

// Positions count from 1. What is outside of the text is left out.
static struct value part_of(const struct value* text, int64_t position, int64_t length) {
  const int64_t size = (int64_t)text->length;
  if (position < 1 || position > size || length < 1) return text_value("", 0);
  const int64_t rest = size - position + 1;
  return text_value(text->text + position - 1, (size_t)(length < rest ? length : rest));
}

static struct value parse_part(struct parser* parser);

static struct value parse_function(struct parser* parser, enum word_kind function) {
  struct value first = parse_part(parser);
  first = as_text(parser, &first);
  if (parser->status != PARSE_OK) return first;
  if (function == WORD_LENGTH) return integer_value((int64_t)first.length);
  struct value second = parse_part(parser);
  if (function == WORD_INDEX) {
    second = as_text(parser, &second);
    if (parser->status != PARSE_OK) return second;
    return find_any(&first, &second);
  }
  const struct value third = parse_part(parser);
  if (parser->status != PARSE_OK) return third;
  if (!second.is_integer || !third.is_integer) return text_value("", 0);
  return part_of(&first, second.integer, third.integer);
}

static struct value parse_parentheses(struct parser* parser) {
  const struct value value = parse_either(parser);
  if (parser->status == PARSE_OK && !take(parser, WORD_CLOSE))
    return give_up(parser, PARSE_SYNTAX, "a ')' is missing", peek_word(parser->words).text);
  return value;
}

static struct value parse_quoted(struct parser* parser) {
  const struct word word = peek_word(parser->words);
  if (word.kind == WORD_END) return give_up(parser, PARSE_SYNTAX, "something is missing", NULL);
  ++parser->words->next;
  return text_value(word.text, strlen(word.text));
}

static struct value parse_part(struct parser* parser) {
  if (parser->status != PARSE_OK) return integer_value(0);
  const struct word word = peek_word(parser->words);
  if (word.kind == WORD_END) return give_up(parser, PARSE_SYNTAX, "something is missing", NULL);
  if (parser->depth == MOST_DEPTH)
    return give_up(parser, PARSE_SYNTAX, "the expression is nested too deeply", word.text);
  ++parser->words->next;
  ++parser->depth;
  struct value value;
  switch (word.kind) {
    case WORD_VALUE:
      value = word_value(word.text);
      break;
    case WORD_OPEN:
      value = parse_parentheses(parser);
      break;
    case WORD_LENGTH:
    case WORD_INDEX:
    case WORD_SUBSTR:
      value = parse_function(parser, word.kind);
      break;
    case WORD_QUOTE:
      value = parse_quoted(parser);
      break;
    default:
      value = give_up(parser, PARSE_SYNTAX, "an operator in place of a value", word.text);
      break;
  }
  --parser->depth;
  return value;
}

static struct value combine(struct parser* parser, char operation, const struct value* a,
                            const struct value* b) {
  if (parser->status != PARSE_OK) return integer_value(0);
  struct value result = integer_value(0);
  const enum arithmetic_error error = calculate(operation, a, b, &result);
  if (error != ARITHMETIC_OK)
    return give_up(parser, PARSE_ARITHMETIC, describe_arithmetic_error(error), NULL);
  return result;
}

static struct value parse_product(struct parser* parser) {
  struct value left = parse_part(parser);
  for (;;) {
    char operation = '\0';
    if (take(parser, WORD_TIMES))
      operation = '*';
    else if (take(parser, WORD_DIVIDED))
      operation = '/';
    else if (take(parser, WORD_MODULO))
      operation = '%';
    else
      return left;
    const struct value right = parse_part(parser);
    left = combine(parser, operation, &left, &right);
  }
}

static struct value parse_sum(struct parser* parser) {
  struct value left = parse_product(parser);
  for (;;) {
    char operation = '\0';
    if (take(parser, WORD_PLUS))
      operation = '+';
    else if (take(parser, WORD_MINUS))
      operation = '-';
    else
      return left;
    const struct value right = parse_product(parser);
    left = combine(parser, operation, &left, &right);
  }
}

// Whether `kind` compares, and if so, whether it holds for what compare_values() has said.
static bool compares(enum word_kind kind) {
  return kind >= WORD_LESS && kind <= WORD_GREATER;
}

static bool holds(enum word_kind kind, int order) {
  switch (kind) {
    case WORD_LESS:
      return order < 0;
    case WORD_AT_MOST:
      return order <= 0;
    case WORD_EQUAL:
      return order == 0;
    case WORD_UNEQUAL:
      return order != 0;
    case WORD_AT_LEAST:
      return order >= 0;
    case WORD_GREATER:
      return order > 0;
    default:
      return false;
  }
}

static struct value parse_comparison(struct parser* parser) {
  struct value left = parse_sum(parser);
  for (;;) {
    const enum word_kind kind = peek_word(parser->words).kind;
    if (parser->status != PARSE_OK || !compares(kind)) return left;
    ++parser->words->next;
    const struct value right = parse_sum(parser);
    left = integer_value(holds(kind, compare_values(&left, &right)) ? 1 : 0);
  }
}

static struct value parse_both(struct parser* parser) {
  struct value left = parse_comparison(parser);
  while (take(parser, WORD_AND)) {
    const struct value right = parse_comparison(parser);
    if (!is_true(&left) || !is_true(&right)) left = integer_value(0);
  }
  return left;
}

static struct value parse_either(struct parser* parser) {
  struct value left = parse_both(parser);
  while (take(parser, WORD_OR)) {
    const struct value right = parse_both(parser);
    if (is_true(&left)) continue;
    left = is_true(&right) ? right : integer_value(0);
  }
  return left;
}

struct value parse_expression(struct parser* parser, struct words* words) {
  memset(parser, 0, sizeof *parser);
  parser->words = words;
  const struct value value = parse_either(parser);
  if (parser->status == PARSE_OK && peek_word(words).kind != WORD_END)
    return give_up(parser, PARSE_SYNTAX, "an operator is missing", peek_word(words).text);
  return value;
}
