// expect: detect race|use-after-free any in work, main
// expect: predict race|use-after-free any in work, main
// A detached worker says that it is done and touches the job once more; the main thread frees the job
// meanwhile.
// Heddle: the last write is not ordered with the `delete`.
// Passes: under the default schedule, in which the worker goes on to its end.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

struct Job {
  int result = 0;
  bool archived = false;
};

std::mutex mutex;
std::condition_variable finished;
bool done = false;

void work(Job* job) {
  job->result = 6;
  {
    std::lock_guard lock(mutex);
    done = true;
    finished.notify_one();
  }
  job->archived = true;
}

int main() {
  Job* job = new Job;
  std::thread(work, job).detach();
  std::unique_lock lock(mutex);
  finished.wait(lock, [] { return done; });
  std::printf("%d\n", job->result);
  delete job;
}
