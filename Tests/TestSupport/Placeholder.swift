/// Test support.
enum Placeholder {}
