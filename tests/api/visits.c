/* A library with a thread-local variable. */
static __thread int visits = 1000;

int visit(void);
int visit(void) {
  return ++visits;
}
