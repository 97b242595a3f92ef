#include <stdlib.h>
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
