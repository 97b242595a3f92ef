// Nothing is called by name: the library is loaded before the C library of a program under test (`LD_PRELOAD`).
