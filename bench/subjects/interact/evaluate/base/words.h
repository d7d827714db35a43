// The words of an expression: the arguments of the program, divided at blanks.
#pragma once

#include <stdbool.h>

enum { MOST_WORDS = 64 };

struct words {
  char* text;  // of all, each with a NUL behind it
  const char* word[MOST_WORDS];
  int count;
  int next;
};

// Returns false if there are too many.
bool split_words(struct words* words, int count, char** arguments);

// The next word, or NULL behind the last.
const char* peek_word(const struct words* words);

// Takes the next word if it is this one.
bool take_word(struct words* words, const char* word);

void release_words(struct words* words);
