internal import Dispatch
internal import SessionStore
internal import TextFormats

/// What a journal asks of the machine, so that a test can have a disk that fails, and time that it sets.
protocol JournalDevice: Sendable {
  /// Nanoseconds since some start, which only go forward.
  func now() -> Int64

  /// Calls `body` once on a queue, when so much time has passed.
  func call(afterNanoseconds wait: Int64, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void)

  /// Begins a segment of a journal.
  ///
  /// - Throws: `FileError` when it cannot be made; nothing is left of it then.
  func makeSegment(
    of journal: LiveJournal, shard: Int, number: Int, _ version: LiveJournal.Version
  ) throws(FileError) -> POSIXFile

  /// Writes frames to a segment.
  ///
  /// - Throws: `FileError` when not all of it can be written.
  func write(_ frames: Span<UInt8>, to segment: POSIXFile) throws(FileError)

  /// Waits until a segment is on the disk.
  ///
  /// - Throws: `FileError` when nobody knows that.
  func sync(_ segment: POSIXFile) throws(FileError)

  /// Waits until everything that was written to the folder of a session is on the disk.
  ///
  /// - Throws: `FileError` when nobody knows that.
  func sync(_ files: SessionFolderWriter) throws(FileError)

  /// Waits until everything that was written to the file system of a file is on the disk. Of what failed since the file was opened
  /// each open file hears once, whoever else has heard of it.
  ///
  /// - Throws: `FileError` when nobody knows that.
  func syncFileSystem(of file: POSIXFile) throws(FileError)
}

/// The machine itself.
struct SystemJournalDevice: JournalDevice {
  func now() -> Int64 { MonotonicClock.now }

  func call(afterNanoseconds wait: Int64, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(wait)), execute: body)
  }

  func makeSegment(
    of journal: LiveJournal, shard: Int, number: Int, _ version: LiveJournal.Version
  ) throws(FileError) -> POSIXFile {
    try journal.makeSegment(shard: shard, number: number, version)
  }

  func write(_ frames: Span<UInt8>, to segment: POSIXFile) throws(FileError) { try segment.write(frames) }

  func sync(_ segment: POSIXFile) throws(FileError) { try segment.sync() }

  func sync(_ files: SessionFolderWriter) throws(FileError) { try files.sync() }

  func syncFileSystem(of file: POSIXFile) throws(FileError) { try file.syncFileSystem() }
}
