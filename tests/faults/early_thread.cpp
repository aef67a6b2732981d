// A library, for LD_PRELOAD, that starts a thread before main and blocks no signal in it, as
// OpenBLAS and other libraries do.
#include <pthread.h>
#include <unistd.h>

namespace {

void* sleep_for_good(void*) {
  while (true) pause();
}

[[gnu::constructor]] void start_thread() {
  pthread_t thread{};
  pthread_create(&thread, nullptr, sleep_for_good, nullptr);
  pthread_detach(thread);
}

}  // namespace
