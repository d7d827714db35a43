// The words of an expression, and what each of them is. The arguments of the program are divided at blanks
// and around signs.
#pragma once

#include <stdbool.h>

enum { MOST_WORDS = 64 };

enum word_kind {
  WORD_VALUE,
  WORD_OPEN,
  WORD_CLOSE,
  WORD_OR,
  WORD_AND,
  WORD_LESS,
  WORD_AT_MOST,
  WORD_EQUAL,
  WORD_UNEQUAL,
  WORD_AT_LEAST,
  WORD_GREATER,
  WORD_PLUS,
  WORD_MINUS,
  WORD_TIMES,
  WORD_DIVIDED,
  WORD_MODULO,
  WORD_LENGTH,
  WORD_INDEX,
  WORD_SUBSTR,
  WORD_QUOTE,
  WORD_END,  // behind the last
};

struct word {
  const char* text;
  enum word_kind kind;
};

struct words {
  char* text;  // of all, each with a NUL behind it
  struct word word[MOST_WORDS];
  int count;
  int next;
};

// Returns false if there are too many. No word goes on in the next argument.
bool split_words(struct words* words, int count, char** arguments);

// The next word; behind the last, one without a text.
struct word peek_word(const struct words* words);

// Takes the next word if it is of this kind.
bool take_word(struct words* words, enum word_kind kind);

void release_words(struct words* words);
