import Foundation

/// What these tests are built with.
enum SanitizedBuild {
  /// Whether a sanitizer watches them and the programs that they start: it has to be the first library of a process, and takes
  /// terabytes of address space.
  static var isRunning: Bool {
    let environment = ProcessInfo.processInfo.environment
    return environment["ASAN_OPTIONS"] != nil || environment["LSAN_OPTIONS"] != nil
  }
}
