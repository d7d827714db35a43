// A pointer travels through a pipe, and the receiver uses and frees what it points to.
// Alarms: nothing in the program's memory orders the two threads.
// Right: what is read from a pipe was written before.
#include <unistd.h>

#include <cstdio>
#include <thread>

struct Job {
  int left;
  int right;
};

int ends[2];

void work() {
  Job* job = nullptr;
  if (read(ends[0], &job, sizeof(job)) != static_cast<ssize_t>(sizeof(job))) return;
  std::printf("%d\n", job->left * job->right);
  delete job;
}

int main() {
  if (pipe(ends) != 0) return 1;
  std::thread worker(work);
  Job* job = new Job{6, 0};
  job->right = 7;
  if (write(ends[1], &job, sizeof(job)) != static_cast<ssize_t>(sizeof(job))) return 1;
  worker.join();
  close(ends[0]);
  close(ends[1]);
}
