// The C library has this call, and hides it from programs that do not ask for GNU's extensions.
int syncfs(int descriptor);
