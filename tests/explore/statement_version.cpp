// Code that another version has more of, in front of all other.
#if VERSION > 1
int filler[100];
int fill(int number) {
  int sum = 0;
  for (int& value : filler) sum += value += number;
  return sum;
}
#endif

int version() {
  return VERSION;
}
