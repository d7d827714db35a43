// Has no threads: a trace of any other program is not one of this.
int main() {}
