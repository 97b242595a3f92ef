#include <stdlib.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/// Has the allocator take memory from the system in large pieces, from one heap for all threads, and keep it: a verb
/// takes what it needs once and ends. Left alone, glibc grows and shrinks the heap of each thread by pages. Does nothing
/// with another C library.
static inline void coach_prefer_large_heap(void) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TOP_PAD, 4 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

/// Has the allocator take memory from two heaps a processor, and not from one a thread: a service has more threads than
/// processors, what one of them takes another gives back, and every heap has its own holes. At one heap for all, threads wait
/// for each other. What is given back stays with the program up to 64 MiB a heap, and pieces below 4 MiB come out of a heap: else the
/// memory of every commit is given to the system and cleared by it again. Does nothing with another C library.
static inline void coach_prefer_shared_heaps(void) {
#ifdef __GLIBC__
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  mallopt(M_ARENA_MAX, processors > 1 ? (int)(2 * processors) : 2);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}
