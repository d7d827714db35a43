// expect: assertion
// message: handed_over == 2
// executions: 200
// Blocks of no size have an identity as well. Both threads count by a careless increment.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int handed_over;

static void* hand_over(void* unused) {
  (void)unused;
  char* nothing = malloc(0);
  handed_over++;
  free(nothing);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, hand_over, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(handed_over == 2);
  return 0;
}
