#include <fcntl.h>

// The C library has these calls, and hides them from programs that do not ask for GNU's extensions.
int syncfs(int descriptor);
int renameat2(int folder, const char *name, int new_folder, const char *new_name, unsigned int flags);
int memfd_create(const char *name, unsigned int flags);

// A file in memory that can be sealed, and that no program inherits; -1 where there is none.
static inline int coach_memory_file(const char *name) { return memfd_create(name, 1u | 2u); }

// Has nobody change a file in memory any more, whoever opens it; other than 0 where that fails.
static inline int coach_seal(int descriptor) { return fcntl(descriptor, 1033, 1 | 2 | 4 | 8); }
