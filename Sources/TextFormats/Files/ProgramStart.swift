internal import CProcessLimits
internal import Glibc

/// How another program is started: in a group of processes other than ours, so that Ctrl-C on the terminal is for the coach alone,
/// and with the usual signals.
package struct ProgramStart: Sendable {
  /// What a descriptor of the program is.
  package enum Descriptor: Hashable, Sendable {
    /// A copy of one of ours.
    case copy(Int32)
    /// A file that is opened for it.
    case file(String, flags: Int32)

    /// Throws away what is written.
    package static let discarding = file("/dev/null", flags: O_WRONLY)
  }

  /// The variable of the environment in whose presence a process starts no other one: what works on what strangers send has it, so
  /// that no option and no file makes it run something.
  package static let forbiddingVariable = "COACH_START_NO_PROGRAM"
  /// Whether this process may start another one.
  package static var isAllowed: Bool { unsafe getenv(forbiddingVariable) == nil }

  /// Where the program is; its name, where it is looked for as a shell does.
  private let path: String
  /// What it is called by, and its arguments.
  private let words: [String]
  /// Its descriptors from 0 on.
  private let descriptors: [Descriptor]
  /// Whether the program is looked for in the folders of `PATH`.
  package var isLookedFor = false
  /// Whether it inherits nothing but its descriptors; else what was opened without saying that it is not inherited, too.
  package var inheritsNothingElse = false
  /// Its variables, as `NAME=value`; `nil` for those of this process.
  package var environment: [String]?
  /// The group of processes that it joins; 0 for one of its own, which has its number.
  package var group: Int32 = 0

  /// A start of the program at a path, or of a name.
  package init(_ path: String, _ words: [String], _ descriptors: [Descriptor]) {
    (self.path, self.words, self.descriptors) = (path, words, descriptors)
  }

  /// Starts it; the number of its process.
  ///
  /// - Throws: `FileError` with `start` and the path, also where this process may start none.
  package func run() throws(FileError) -> Int32 {
    guard Self.isAllowed else { throw FileError(.start, path, code: EPERM) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in descriptors.enumerated() {
      switch descriptor {
      case .copy(let ours): unsafe posix_spawn_file_actions_adddup2(&actions, ours, Int32(number))
      case .file(let path, let flags):
        unsafe posix_spawn_file_actions_addopen(&actions, Int32(number), path.systemPath, flags, 0)
      }
    }
    if inheritsNothingElse { unsafe coach_spawn_closing_from(&actions, Int32(descriptors.count)) }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGCHLD] { unsafe sigaddset(&signals, signal) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setpgroup(&attributes, group)
    let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

    var texts = unsafe words.map { unsafe strdup($0.systemPath) } + [nil]
    var variables = unsafe (environment ?? []).map { unsafe strdup($0.systemPath) } + [nil]
    defer { unsafe (texts + variables).forEach { unsafe free($0) } }
    var process: pid_t = 0
    let code = unsafe variables.withUnsafeMutableBufferPointer { variables in
      let variables = unsafe environment == nil ? environ : variables.baseAddress
      return isLookedFor
        ? unsafe posix_spawnp(&process, path.systemPath, &actions, &attributes, &texts, variables)
        : unsafe posix_spawn(&process, path.systemPath, &actions, &attributes, &texts, variables)
    }
    guard code == 0 else { throw FileError(.start, path, code: code) }
    return process
  }
}
