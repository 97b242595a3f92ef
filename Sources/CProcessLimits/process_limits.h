#include <spawn.h>
#include <sys/resource.h>

// Likewise hidden: a pipe that no program inherits, and closing what it would.
int coach_pipe2(int ends[2], int flags) __asm__("pipe2");
int coach_spawn_closing_from(posix_spawn_file_actions_t *actions, int first) __asm__("posix_spawn_file_actions_addclosefrom_np");

// The C library has this call, and hides it from programs that do not ask for GNU's extensions.
int coach_prlimit(int process, int resource, const struct rlimit *limits, struct rlimit *before) __asm__("prlimit");

// Limits what a process may take from now on, in bytes and seconds; other than 0 where that fails.
static inline int coach_limit_process(int process, unsigned long memory, unsigned long seconds, unsigned long file) {
  struct rlimit space = {memory, memory}, time = {seconds, seconds}, size = {file, file}, core = {0, 0};
  int failed = coach_prlimit(process, RLIMIT_AS, &space, 0);
  failed |= coach_prlimit(process, RLIMIT_CPU, &time, 0);
  failed |= coach_prlimit(process, RLIMIT_FSIZE, &size, 0);
  return failed | coach_prlimit(process, RLIMIT_CORE, &core, 0);
}

// How much address space the process may take, in bytes; the largest number where nothing limits it or nobody says.
static inline unsigned long coach_address_space(void) {
  struct rlimit space;
  return coach_prlimit(0, RLIMIT_AS, 0, &space) ? RLIM_INFINITY : space.rlim_cur;
}
