#include "words.h"

#include <stdlib.h>
#include <string.h>

static enum word_kind kind_of_sign(char sign) {
  switch (sign) {
    case '(':
      return WORD_OPEN;
    case ')':
      return WORD_CLOSE;
    case '|':
      return WORD_OR;
    case '&':
      return WORD_AND;
    case '<':
      return WORD_LESS;
    case '=':
      return WORD_EQUAL;
    case '>':
      return WORD_GREATER;
    case '+':
      return WORD_PLUS;
    case '-':
      return WORD_MINUS;
    case '*':
      return WORD_TIMES;
    case '/':
      return WORD_DIVIDED;
    case '%':
      return WORD_MODULO;
    default:
      return WORD_VALUE;
  }
}

// Of those that have several characters.
static enum word_kind kind_of_name(const char* text) {
  static const struct word names[] = {
      {"<=", WORD_AT_MOST},  {"!=", WORD_UNEQUAL},    {">=", WORD_AT_LEAST}, {"length", WORD_LENGTH},
      {"index", WORD_INDEX}, {"substr", WORD_SUBSTR}, {"quote", WORD_QUOTE},
  };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    if (strcmp(text, names[i].text) == 0) return names[i].kind;
  }
  return WORD_VALUE;
}

static void classify(struct words* words) {
  for (int i = 0; i < words->count; ++i) {
    struct word* const word = &words->word[i];
    word->kind = word->text[1] == '\0' ? kind_of_sign(word->text[0]) : kind_of_name(word->text);
  }
}

bool split_words(struct words* words, int count, char** arguments) {
  size_t size = 1;
  for (int i = 0; i < count; ++i) size += strlen(arguments[i]) + 1;
  words->text = malloc(size);
  words->count = 0;
  words->next = 0;
  if (words->text == NULL) return false;

  char* to = words->text;
  for (int i = 0; i < count; ++i) {
    bool is_within = false;
    for (const char* from = arguments[i]; *from != '\0'; ++from) {
      if (*from == ' ') {
        if (is_within) *to++ = '\0';
        is_within = false;
        continue;
      }
      if (!is_within) {
        if (words->count == MOST_WORDS) return false;
        words->word[words->count++].text = to;
        is_within = true;
      }
      *to++ = *from;
    }
    if (is_within) *to++ = '\0';
  }
  classify(words);
  return true;
}

struct word peek_word(const struct words* words) {
  static const struct word end = {NULL, WORD_END};
  return words->next < words->count ? words->word[words->next] : end;
}

bool take_word(struct words* words, enum word_kind kind) {
  if (peek_word(words).kind != kind) return false;
  ++words->next;
  return true;
}

void release_words(struct words* words) {
  free(words->text);
  words->text = NULL;
  words->count = 0;
}
