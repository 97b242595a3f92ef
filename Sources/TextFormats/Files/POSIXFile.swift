internal import CSyncFS
internal import Glibc

/// An open file. It is closed when the last reference to it goes; `close()` reports whether that worked.
///
/// Every call is made again when a signal interrupts it.
package final class POSIXFile {
  /// How a file is opened for writing.
  package enum Creation: Hashable, Sendable {
    /// At its end; created when it is not there.
    case append
    /// Newly; an error when it is there.
    case exclusive
    /// Emptied when it is there.
    case truncate
    /// As it is; created when it is not there. Bytes are written to a place.
    case inPlace
  }

  /// The path, for messages.
  package let path: String
  /// The file descriptor, for `poll` and the like; -1 after `close()`.
  package private(set) var descriptor: Int32
  private let isOwner: Bool
  /// Whether reading may have to wait for somebody who writes: a pipe, a terminal.
  private let isWaitedFor: Bool

  /// Opens a file for reading. A pipe is waited for when it is read, so that ``EndingSignal`` can end it.
  ///
  /// - Throws: `FileError` with `openForReading`, for a folder too; at a ``StoredPath`` for everything but a regular file of
  ///   the user's own.
  package init(reading place: some FilePlace) throws(FileError) {
    let opened = try Self.open(place, O_RDONLY | O_NONBLOCK, .openForReading)
    descriptor = opened
    path = place.path
    isOwner = true
    var info = stat()
    isWaitedFor = unsafe fstat(opened, &info) == 0 && !FileStatus(info).isRegular
    do throws(FileError) {
      let status = try status()
      guard !status.isFolder else { throw FileError(.openForReading, path, code: EISDIR) }
      try Self.check(status, at: place)
      if isWaitedFor { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK) }
    } catch {
      throw FileError(.openForReading, path, code: error.code)
    }
  }

  /// Opens a file for writing; a new one can be read and written by its owner only.
  ///
  /// - Throws: `FileError` with `create`; at a ``StoredPath`` for everything but a regular file of the user's own that has no
  ///   other name.
  package init(writing place: some FilePlace, _ creation: Creation) throws(FileError) {
    // What turns out to be another file than expected is not emptied by that.
    let flags =
      switch creation {
      case .append: O_APPEND
      case .exclusive: O_EXCL
      case .truncate: place.followsLinks ? O_TRUNC : 0
      case .inPlace: Int32(0)
      }
    descriptor = try Self.open(place, O_WRONLY | O_CREAT | flags, .create)
    path = place.path
    isOwner = true
    isWaitedFor = false
    guard !place.followsLinks else { return }
    do throws(FileError) {
      var problem = try status().problemOfWriting(isOwned: place.isOwned)
      if problem == FileError.hardLink {
        try OtherNames.dropTemporary(of: place.stored)
        problem = try status().problemOfWriting(isOwned: place.isOwned)
      }
      if let problem { throw FileError(.create, path, code: problem) }
      if creation == .truncate { try truncate(to: 0) }
    } catch {
      throw FileError(.create, path, code: error.code)
    }
  }

  private static func check(_ status: FileStatus, at place: some FilePlace) throws(FileError) {
    guard !place.followsLinks, let problem = status.problem(isOwned: place.isOwned) else { return }
    throw FileError(.inspect, place.path, code: problem)
  }

  /// Takes a descriptor that belongs to somebody else, such as standard input, and never closes it.
  package init(borrowing descriptor: Int32, named path: String) {
    self.descriptor = descriptor
    self.path = path
    isOwner = false
    isWaitedFor = false
  }

  /// Takes a descriptor that was opened for it, and closes it.
  package init(owning descriptor: Int32, named path: String) {
    self.descriptor = descriptor
    self.path = path
    isOwner = true
    isWaitedFor = false
  }

  deinit {
    if isOwner, descriptor >= 0 { _ = Glibc.close(descriptor) }
  }

  /// Reads up to the whole of `buffer`; the number of bytes read, 0 at the end of the file.
  ///
  /// - Throws: `FileError` with `read`.
  package func read(into buffer: inout [UInt8]) throws(FileError) -> Int {
    if isWaitedFor { try wait() }
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe Glibc.read(descriptor, bytes.baseAddress, bytes.count)
      }
      if count >= 0 { return count }
      guard errno == EINTR else { throw FileError(.read, path, code: errno) }
    }
  }

  /// Waits until something can be read, or its end.
  private func wait() throws(FileError) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let ready = unsafe poll(&entry, 1, EndingSignal.lookMilliseconds)
      // What is wrong with the file is said by the reading.
      guard ready == 0 || ready < 0 && errno == EINTR else { return }
      if EndingSignal.endsWait() { throw FileError(.read, path, code: EINTR) }
    }
  }

  /// Reads at a place of the file, without moving where the next plain reading goes on.
  ///
  /// - Returns: The bytes, at most `count`; fewer only at the end of the file.
  /// - Throws: `FileError` with `read`.
  package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    try Self.read(descriptor, at: offset, count: count, of: path)
  }

  /// Reads at a place of an open file.
  static func read(_ descriptor: Int32, at offset: Int, count: Int, of path: String) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let read = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled, off_t(offset + filled))
      }
      if read > 0 {
        filled += read
      } else if read == 0 {
        bytes.removeLast(count - filled)
        return bytes
      } else if errno != EINTR {
        throw FileError(.read, path, code: errno)
      }
    }
    return bytes
  }

  /// Reads the rest of the file.
  ///
  /// - Throws: `FileError` with `read`; which says `maximumBytes` where there are more.
  package func readAll(maximumBytes: Int) throws(FileError) -> [UInt8] {
    var content: [UInt8] = []
    content.reserveCapacity(min(try status().size, maximumBytes))
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = try read(into: &chunk)
      guard count > 0 else { return content }
      guard content.count + count <= maximumBytes else { throw FileError(path, moreThan: maximumBytes) }
      content.append(contentsOf: chunk[..<count])
    }
  }

  /// Writes all bytes, in as many calls as it takes.
  ///
  /// - Throws: `FileError` with `write`; a part may have been written.
  package func write(_ bytes: Span<UInt8>) throws(FileError) {
    var written = 0
    try write(bytes, from: &written)
  }

  /// Writes the bytes from `written` on, in as many calls as it takes, and counts them there, so that what could not be
  /// written can be tried again.
  ///
  /// - Throws: `FileError` with `write`; `written` says how far it came.
  package func write(_ bytes: Span<UInt8>, from written: inout Int) throws(FileError) {
    while written < bytes.count {
      let count = unsafe bytes.extracting(droppingFirst: written).withUnsafeBytes { rest in
        unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      }
      if count > 0 {
        written += count
      } else if count == 0 || errno != EINTR {
        throw FileError(.write, path, code: count == 0 ? EIO : errno)
      }
    }
  }

  /// Writes all bytes to a place of the file, in as many calls as it takes.
  ///
  /// - Throws: `FileError` with `write`; a part may have been written.
  package func write(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.extracting(droppingFirst: written).withUnsafeBytes { rest in
        unsafe pwrite(descriptor, rest.baseAddress, rest.count, offset + written)
      }
      if count > 0 {
        written += count
      } else if count == 0 || errno != EINTR {
        throw FileError(.write, path, code: count == 0 ? EIO : errno)
      }
    }
  }

  /// Waits until everything that was written to the file system of the file is on the disk.
  ///
  /// - Throws: `FileError` with `sync`.
  package func syncFileSystem() throws(FileError) {
    guard syncfs(descriptor) == 0 else { throw FileError(.sync, path, code: errno) }
  }

  /// Cuts the file to a number of bytes.
  ///
  /// - Throws: `FileError` with `write`.
  package func truncate(to count: Int) throws(FileError) {
    while ftruncate(descriptor, count) != 0 {
      guard errno == EINTR else { throw FileError(.write, path, code: errno) }
    }
  }

  /// Locks the file for this process, without waiting; `false` when another one holds it. The lock goes with the file.
  ///
  /// - Throws: `FileError` with `inspect`.
  package func lock() throws(FileError) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw FileError(.inspect, path, code: errno) }
    }
    return true
  }

  /// Locks the file together with others who look, without waiting; `false` when somebody holds it alone.
  ///
  /// - Throws: `FileError` with `inspect`.
  package func lockShared() throws(FileError) -> Bool {
    while flock(descriptor, LOCK_SH | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw FileError(.inspect, path, code: errno) }
    }
    return true
  }

  /// Locks the file for this process, waiting up to a span for another one; `false` when that holds it still.
  ///
  /// - Throws: `FileError` with `inspect`.
  package func lock(waitingMilliseconds span: Int32) throws(FileError) -> Bool {
    let deadline = ContinuousClock.now + .milliseconds(Int(span))
    while true {
      if try lock() { return true }
      guard ContinuousClock.now < deadline else { return false }
      _ = poll(nil, 0, 5)
    }
  }

  /// Gives the lock back. Closing alone would not while a child that is just being started has the file too.
  package func unlock() { _ = flock(descriptor, LOCK_UN) }

  /// Says that the file is changed now.
  ///
  /// - Throws: `FileError` with `write`.
  package func touch() throws(FileError) {
    guard futimens(descriptor, nil) == 0 else { throw FileError(.write, path, code: errno) }
  }

  /// Waits until the content is on the disk, and with `metadata` everything else about the file.
  ///
  /// - Throws: `FileError` with `sync`.
  package func sync(metadata: Bool = false) throws(FileError) {
    while (metadata ? fsync(descriptor) : fdatasync(descriptor)) != 0 {
      guard errno == EINTR else { throw FileError(.sync, path, code: errno) }
    }
  }

  /// Closes the file; nothing for one that is closed or borrowed.
  ///
  /// - Throws: `FileError` with `close`: what was written may be lost.
  package func close() throws(FileError) {
    guard descriptor >= 0, isOwner else { return }
    let closing = descriptor
    descriptor = -1
    // After an interruption the descriptor is closed on Linux all the same.
    guard Glibc.close(closing) != 0, errno != EINTR else { return }
    throw FileError(.close, path, code: errno)
  }

  /// The size in bytes and the kind of the open file.
  ///
  /// - Throws: `FileError` with `inspect`.
  package func status() throws(FileError) -> FileStatus {
    var info = stat()
    guard unsafe fstat(descriptor, &info) == 0 else { throw FileError(.inspect, path, code: errno) }
    return FileStatus(info)
  }

  /// Whether a place has the open file or folder itself, and not another one or a link to it.
  ///
  /// - Throws: `FileError` with `inspect`.
  package func isAt(_ place: some FilePlace) throws(FileError) -> Bool {
    var own = stat()
    guard unsafe fstat(descriptor, &own) == 0 else { throw FileError(.inspect, path, code: errno) }
    do throws(FileError) {
      return try place.resolved(.inspect) { folder, name throws(FileError) in
        var there = stat()
        return unsafe fstatat(folder, name, &there, AT_SYMLINK_NOFOLLOW) == 0 && own.st_ino == there.st_ino
          && own.st_dev == there.st_dev
      }
    } catch  where error.isMissing {
      return false
    }
  }

  private static func open(
    _ place: some FilePlace, _ flags: Int32, _ operation: FileError.Operation
  ) throws(FileError) -> Int32 {
    try place.resolved(operation) { folder, name throws(FileError) in
      let own = place.followsLinks ? 0 : O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
      while true {
        let descriptor = unsafe openat(folder, name, flags | own | O_CLOEXEC, 0o600)
        if descriptor >= 0 { return descriptor }
        guard errno == EINTR else {
          let code = place.followsLinks ? errno : StoredPath.code(errno, of: name, in: folder)
          throw FileError(operation, place.path, code: code)
        }
      }
    }
  }
}
