// The C library has these calls, and hides them from programs that do not ask for GNU's extensions.
int syncfs(int descriptor);
int renameat2(int folder, const char *name, int new_folder, const char *new_name, unsigned int flags);
