#include "words.h"

#include <stdlib.h>
#include <string.h>

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
        words->word[words->count++] = to;
        is_within = true;
      }
      *to++ = *from;
    }
    if (is_within) *to++ = '\0';
  }
  return true;
}

const char* peek_word(const struct words* words) {
  return words->next < words->count ? words->word[words->next] : NULL;
}

bool take_word(struct words* words, const char* word) {
  const char* const next = peek_word(words);
  if (next == NULL || strcmp(next, word) != 0) return false;
  ++words->next;
  return true;
}

void release_words(struct words* words) {
  free(words->text);
  words->text = NULL;
  words->count = 0;
}
