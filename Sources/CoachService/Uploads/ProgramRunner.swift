internal import CProcessLimits
internal import Glibc
internal import Synchronization
internal import TextFormats
internal import WorkoutHistory

/// Runs verbs of this program in processes of their own, with limits of memory and time, for what strangers send: whatever a
/// file does to its reader, the service goes on.
final class ProgramRunner: Sendable {
  /// What a process may take.
  struct Limits: Sendable {
    /// How many bytes of address space.
    var memoryBytes: UInt = 512 << 20
    /// How many seconds of processor time.
    var processorSeconds: UInt = 120
    /// How many seconds in all.
    var seconds: Int64 = 240
    /// How large a file that it writes may be.
    var fileBytes: UInt = 2 << 30
  }

  /// What a process is given beside its input.
  struct Beside: Sendable {
    /// A file that it reads.
    enum File: Sendable {
      /// Bytes of its own.
      case bytes([UInt8])
      /// What others read too.
      case shared(SealedFile)
    }

    /// Nothing.
    static let nothing = Beside(files: [], environment: [])

    /// What it reads at `/dev/fd/3` and on.
    let files: [File]
    /// Variables, as `NAME=value`.
    let environment: [String]

    /// The same for a verb that works for a person: it goes on only where the name is theirs still.
    func meant(_ person: ProfileIdentity) -> Beside {
      Beside(files: files, environment: environment + ["\(ProfileIdentity.variable)=\(person.text)"])
    }
  }

  /// How a process ended.
  enum Ending: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
    case late
    /// Who has asked for it has left, or may not any more.
    case unwanted
  }

  /// What came of a process.
  struct Outcome: Sendable {
    let ending: Ending
    let output: TemporaryFile
    /// The last lines on its standard error, without the name of the program. What it only warns of comes before what it gives up for.
    let complaints: [String]

    /// The last of them; absent for none.
    var complaint: String? { complaints.last }
  }

  /// How many processes there are at once.
  private static let processLimit = 2
  /// How many requests wait for one of them at most.
  private static let waitingLimit = 8
  /// How long one of them waits at most, in seconds.
  static let waitingSeconds: Int64 = 20
  /// The most of its standard error that is read, and of a line of that.
  private static let complaintsBytes = 64 << 10
  private static let complaintBytes = 4 << 10

  private struct State {
    var running: Set<pid_t> = []
    var taken = 0
    var waiting = 0
    var isStopping = false
  }

  private let program: String
  private let dataFolder: StoredPath
  private let limits: Limits
  private let state = Mutex(State())
  private let desk = FileDesk()

  init(program: String, dataFolder: StoredPath, limits: Limits = Limits()) {
    self.program = program
    self.dataFolder = dataFolder
    self.limits = limits
  }

  /// How many processes run or are waited for.
  var depth: Int { state.withLock { $0.taken + $0.waiting } }

  /// Runs a verb.
  ///
  /// - Parameters:
  ///   - input: what the process reads at `/dev/stdin`, as a file; it is out of memory then.
  ///   - beside: what it is given beside that.
  ///   - dataFolder: what it works on; absent for the data folder of the service.
  ///   - isWanted: whether somebody waits for the outcome; else the process is ended.
  ///   - atTurn: looks whether the process may begin, now that it is its turn.
  /// - Throws: `ServiceProblem` when there are too many, or when the service stops meanwhile, `FileError` when it cannot be started, what
  ///   `atTurn` throws.
  func run(
    _ arguments: [String], input: HTTPBody, beside: Beside = .nothing, in dataFolder: StoredPath? = nil,
    isWanted: @Sendable () -> Bool = { true }, atTurn: @Sendable () async throws -> Void = {}
  ) async throws -> Outcome {
    try await takePlace(isWanted)
    defer { state.withLock { $0.taken -= 1 } }
    try await atTurn()
    let folder = dataFolder ?? self.dataFolder
    let bodies = [input, HTTPBody(), HTTPBody()]
    let (files, others) = try await desk.run {
      (try bodies.map { try $0.moveToFile(in: folder) }, try beside.files.map { try OpenFile($0, in: folder) })
    }
    let process = try start(arguments, files, others, beside.environment, in: folder)
    withExtendedLifetime(others) {}
    let ending = await wait(for: process, isWanted)
    let isStopping = state.withLock { state in
      state.running.remove(process)
      return state.isStopping
    }
    // What ended it was the service, and not what it read: the same file may be sent again.
    if case .signalled = ending, isStopping { throw Self.stopping }
    return Outcome(ending: ending, output: files[1], complaints: try Self.complaints(files[2]))
  }

  /// Ends all processes: what they were at is whole or not there, as after any death.
  func stop() {
    state.withLock { state in
      state.isStopping = true
      for process in state.running { kill(-process, SIGKILL) }
    }
  }

  // MARK: - Places

  private func takePlace(_ isWanted: () -> Bool) async throws {
    let mayWait = state.withLock { state in
      guard state.waiting < Self.waitingLimit else { return false }
      state.waiting += 1
      return true
    }
    guard mayWait else { throw Self.busy }
    defer { state.withLock { $0.waiting -= 1 } }
    let deadline = MonotonicClock.now + Self.waitingSeconds * 1_000_000_000
    while true {
      let isTaken = try state.withLock { state throws(ServiceProblem) in
        guard !state.isStopping else { throw Self.stopping }
        guard state.taken < Self.processLimit else { return false }
        state.taken += 1
        return true
      }
      if isTaken { return }
      guard MonotonicClock.now < deadline, isWanted() else { throw Self.busy }
      try await Task.sleep(nanoseconds: 20_000_000)
    }
  }

  private static let stopping = ServiceProblem.unavailable("the service is stopping", retryAfterSeconds: 5)
  private static let busy = ServiceProblem.unavailable("too many files are being read", retryAfterSeconds: 10)

  // MARK: - A process

  /// A file that a process reads beside its input.
  private enum OpenFile {
    case own(TemporaryFile)
    case shared(SealedFile)

    init(_ file: Beside.File, in folder: StoredPath) throws(FileError) {
      switch file {
      case .bytes(let bytes): self = .own(try HTTPBody(bytes).moveToFile(in: folder))
      case .shared(let file): self = .shared(file)
      }
    }

    var path: String {
      switch self {
      case .own(let file): file.path
      case .shared(let file): file.path
      }
    }
  }

  private func start(
    _ arguments: [String], _ files: [TemporaryFile], _ others: [OpenFile], _ environment: [String],
    in dataFolder: StoredPath
  ) throws(FileError) -> pid_t {
    let standard = files.enumerated().map { descriptor, file in
      ProgramStart.Descriptor.file(file.path, flags: descriptor == 0 ? O_RDONLY : O_WRONLY | O_APPEND)
    }
    var start = ProgramStart(
      program, [program] + arguments, standard + others.map { .file($0.path, flags: O_RDONLY) })
    let kept = ["PATH", "TZ", "LANG", "LC_ALL"].compactMap { (name: String) -> String? in
      guard let value = unsafe getenv(name) else { return nil }
      return unsafe "\(name)=" + FileName.text(cString: value)
    }
    // What it puts aside goes where the data is: what is temporary elsewhere may be memory.
    start.environment =
      kept + [
        "COACH_DATA_DIR=\(dataFolder.path)", "TMPDIR=\(dataFolder.path)", "\(ProgramStart.forbiddingVariable)=1",
      ] + environment
    let process = try start.run()
    // It has read nothing yet; what it takes from now on is limited, what it took before counts.
    _ = coach_limit_process(process, limits.memoryBytes, limits.processorSeconds, limits.fileBytes)
    let mustEnd = state.withLock { state in
      state.running.insert(process)
      return state.isStopping
    }
    if mustEnd { kill(-process, SIGKILL) }
    return process
  }

  private func wait(for process: pid_t, _ isWanted: () -> Bool) async -> Ending {
    let deadline = MonotonicClock.now + limits.seconds * 1_000_000_000
    var status: Int32 = 0
    var pause: UInt64 = 1_000_000
    while unsafe waitpid(process, &status, WNOHANG) == 0 {
      let isLate = MonotonicClock.now >= deadline
      if isLate || !isWanted() {
        kill(-process, SIGKILL)
        _ = unsafe waitpid(process, &status, 0)
        return isLate ? .late : .unwanted
      }
      try? await Task.sleep(nanoseconds: pause)
      pause = min(pause * 2, 20_000_000)
    }
    return status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .signalled(status & 0x7F)
  }

  private static func complaints(_ file: TemporaryFile) throws -> [String] {
    let size = file.count
    let count = min(size, complaintsBytes)
    let lines = try file.read(at: size - count, count: count).split(separator: UInt8(ascii: "\n"))
    // The first one may be cut where there is more than that.
    return lines.dropFirst(count < size && lines.count > 1 ? 1 : 0).map { bytes in
      let line = String(decoding: bytes.prefix(complaintBytes), as: UTF8.self)
      return (line.hasPrefix("coach: ") ? String(line.dropFirst("coach: ".count)) : line).visible
    }
  }
}

extension ProgramRunner.Outcome {
  /// What the output is at most.
  private static let outputBytes = 64 << 20

  /// What the process printed.
  ///
  /// - Throws: `ServiceProblem` when it is too much.
  func printed() throws -> [UInt8] {
    guard output.count <= Self.outputBytes else {
      throw ServiceProblem(
        .impossible, "the answer is larger than \(Self.outputBytes) bytes: expected a shorter recording")
    }
    return try output.read(at: 0, count: output.count)
  }

  /// What the process printed, on its way: short answers from memory, long ones from the file.
  ///
  /// - Throws: `ServiceProblem` when it is too much.
  func response(type: String) throws -> HTTPResponse {
    if output.count <= 1 << 20 || output.count > Self.outputBytes { return HTTPResponse(type: type, try printed()) }
    return HTTPResponse(200, [HTTPField("Content-Type", type)], .stream(FileStream(output)))
  }

  /// Why the process did not do what was asked for; `nil` when it did.
  ///
  /// - Parameters:
  ///   - names: the parameters of the route.
  ///   - person: the one that says whose profile it is.
  ///   - reason: why it did not, as its records say it; absent where they do not, and its last line does.
  func problem(_ names: [String], person: String, because reason: String?) -> ServiceProblem? {
    let complaint = (reason ?? complaint).map { ProgramComplaint($0, parameters: names) }
    func problem(_ code: ServiceProblem.Code, _ usual: String) -> ServiceProblem {
      var problem = ServiceProblem(code, complaint?.detail ?? usual)
      problem.parameter = complaint?.parameter
      return problem
    }
    switch ending {
    case .exited(0): return nil
    case .exited(64): return problem(.impossible, "expected other parameters")
    case .exited(66) where complaint?.isOfPerson ?? false: return .nobody(parameter: person)
    case .exited(66): return problem(.notFound, "there is no such thing")
    case .exited(65): return problem(.impossible, "expected a recording of a known format")
    case .exited(69), .exited(73), .exited(74):
      return .unavailable("what is kept cannot be used now", retryAfterSeconds: 5)
    case .exited: return ServiceProblem(.internalError, "the request could not be answered")
    case .unwanted: return .unavailable("the request was given up")
    case .signalled, .late:
      return ServiceProblem(.impossible, "the file asks for more memory or time than one request may take")
    }
  }
}
