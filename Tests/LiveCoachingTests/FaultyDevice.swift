import Dispatch
import Glibc
@testable import LiveCoaching
import SessionStore
import Synchronization
import TextFormats

/// A device for journals whose calls fail as a test says, and whose time goes as fast as it wants.
final class FaultyDevice: JournalDevice {
  /// What fails.
  struct Faults: Sendable {
    /// Every write of so many to a segment fails after half of its bytes; 0 for none.
    var everyWrite = 0
    /// Every sync of so many of a segment fails; 0 for none.
    var everySync = 0
    /// Whether the disk has no room for a journal: nothing is written to a segment, and none is made.
    var isFull = false
    /// How many of the next syncs of folders fail, after which the disk has zeros for what was written since the last one.
    var folderSyncs = 0
  }

  /// How often something was tried.
  struct Counts: Sendable {
    var madeSegments = 0
    var writes = 0
    var syncs = 0
    var folderSyncs = 0
  }

  private struct State: Sendable {
    var faults = Faults()
    var counts = Counts()
    /// How large each file of a folder was when it came to the disk.
    var synced: [String: Int] = [:]
  }

  private let state = Mutex(State())
  private let speed: Int64
  private let system = SystemJournalDevice()

  /// A device that works; its time goes so many times as fast.
  init(speed: Int64 = 1) { self.speed = speed }

  /// What fails from now on.
  func set(_ change: (inout Faults) -> Void) { state.withLock { change(&$0.faults) } }

  var counts: Counts { state.withLock { $0.counts } }

  func now() -> Int64 { system.now() * speed }

  func call(afterNanoseconds wait: Int64, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    system.call(afterNanoseconds: wait / speed, on: queue, body)
  }

  func makeSegment(
    of journal: LiveJournal, shard: Int, number: Int, _ version: LiveJournal.Version
  ) throws(FileError) -> POSIXFile {
    let isFull = state.withLock { state in
      state.counts.madeSegments += 1
      return state.faults.isFull
    }
    if isFull { throw FileError(.write, journal.folder.path, code: ENOSPC) }
    return try system.makeSegment(of: journal, shard: shard, number: number, version)
  }

  func write(_ frames: Span<UInt8>, to segment: POSIXFile) throws(FileError) {
    let fails = state.withLock { state in
      state.counts.writes += 1
      return state.faults.isFull || Self.isFault(state.counts.writes, every: state.faults.everyWrite)
    }
    guard fails else { return try system.write(frames, to: segment) }
    try system.write(frames.extracting(0..<frames.count / 2), to: segment)
    throw FileError(.write, segment.path, code: ENOSPC)
  }

  func sync(_ segment: POSIXFile) throws(FileError) {
    let fails = state.withLock { state in
      state.counts.syncs += 1
      return Self.isFault(state.counts.syncs, every: state.faults.everySync)
    }
    if fails { throw FileError(.sync, segment.path, code: EIO) }
    try system.sync(segment)
  }

  func sync(_ files: SessionFolderWriter) throws(FileError) {
    let fails = state.withLock { state in
      state.counts.folderSyncs += 1
      guard state.faults.folderSyncs > 0 else { return false }
      state.faults.folderSyncs -= 1
      return true
    }
    let paths = SessionFile.allCases.map { files.folder + "/" + $0.name }
    guard fails else {
      try system.sync(files)
      for path in paths {
        guard let size = try FileSystem.status(path)?.size else { continue }
        state.withLock { $0.synced[path.path] = size }
      }
      return
    }
    for path in paths {
      guard let size = try FileSystem.status(path)?.size else { continue }
      let begin = state.withLock { $0.synced[path.path] ?? 0 }
      let zeros = [UInt8](repeating: 0, count: size - begin)
      try POSIXFile(writing: path, .inPlace).write(zeros.span, at: begin)
    }
    throw FileError(.sync, files.folder.path, code: EIO)
  }

  func syncFileSystem(of file: POSIXFile) throws(FileError) { try system.syncFileSystem(of: file) }

  private static func isFault(_ number: Int, every period: Int) -> Bool {
    period > 0 && number.isMultiple(of: period)
  }
}

/// A device for journals whose time a test sets, and that says how much of a segment is on the disk.
final class TimedDevice: JournalDevice {
  private struct Call: Sendable {
    let time: Int64
    let queue: DispatchQueue
    let body: @Sendable () -> Void
  }

  private struct State: Sendable {
    var now: Int64 = 1_000_000_000_000
    var calls: [Call] = []
    var writtenBytes = 0
    var syncedBytes = 0
    var syncs = 0
    var isFull = false
    var madeSegments = 0
  }

  private let state = Mutex(State())
  private let system = SystemJournalDevice()

  /// How many bytes were written to segments, and how many of them are on the disk, by how many syncs.
  var bytes: (written: Int, synced: Int, syncs: Int) {
    state.withLock { ($0.writtenBytes, $0.syncedBytes, $0.syncs) }
  }

  /// How often it was tried to make a segment.
  var madeSegments: Int { state.withLock { $0.madeSegments } }

  /// Says whether the disk is full from now on.
  func setFull(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }

  /// Lets time pass, and everything happen whose time has come by then.
  func pass(nanoseconds: Int64) {
    let due = state.withLock { state in
      state.now += nanoseconds
      let now = state.now
      let due = state.calls.filter { $0.time <= now }
      state.calls.removeAll { $0.time <= now }
      return due
    }
    // Waits, so that what happens is over when this returns.
    for call in due { call.queue.sync(execute: call.body) }
  }

  /// Lets go of what waits for its time still, which keeps who writes with this.
  func letGo() { state.withLock { $0.calls = [] } }

  func now() -> Int64 { state.withLock { $0.now } }

  func call(afterNanoseconds wait: Int64, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.calls.append(Call(time: $0.now + wait, queue: queue, body: body)) }
  }

  func makeSegment(
    of journal: LiveJournal, shard: Int, number: Int, _ version: LiveJournal.Version
  ) throws(FileError) -> POSIXFile {
    let isFull = state.withLock { state in
      state.madeSegments += 1
      return state.isFull
    }
    if isFull { throw FileError(.write, journal.folder.path, code: ENOSPC) }
    return try system.makeSegment(of: journal, shard: shard, number: number, version)
  }

  func write(_ frames: Span<UInt8>, to segment: POSIXFile) throws(FileError) {
    if state.withLock({ $0.isFull }) { throw FileError(.write, segment.path, code: ENOSPC) }
    try system.write(frames, to: segment)
    state.withLock { $0.writtenBytes += frames.count }
  }

  func sync(_ segment: POSIXFile) throws(FileError) {
    try system.sync(segment)
    state.withLock { state in
      state.syncedBytes = state.writtenBytes
      state.syncs += 1
    }
  }

  func sync(_ files: SessionFolderWriter) throws(FileError) { try system.sync(files) }

  func syncFileSystem(of file: POSIXFile) throws(FileError) { try system.syncFileSystem(of: file) }
}
