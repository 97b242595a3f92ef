/// Workout sessions.
enum Placeholder {}
