internal import CPostgreSQL
private import Glibc
internal import TextFormats

/// A connection to a database. One thread uses it at a time; nothing is waited for longer than was asked.
///
/// A connection that failed is closed: nobody knows what the server has of it.
@safe
package final class PostgresConnection {
  /// The oldest server that it is used with: that of Debian 12.
  private static let oldestServer = 150_000

  private let functions: coach_pq
  private var handle: OpaquePointer?

  /// Makes a connection.
  ///
  /// - Parameters:
  ///   - name: what the server lists the connection as.
  ///   - seconds: how long it may take.
  /// - Throws: `PostgresError` when that cannot be, with the server's first line.
  package init(_ address: PostgresAddress, name: String, seconds: Int) throws(PostgresError) {
    functions = try PostgresLibrary.opened().functions
    let functions = functions
    unsafe handle = address.withParameters(application: name, connectSeconds: seconds) { names, values in
      unsafe functions.connectStartParams(names, values, 0)
    }
    let deadline = MonotonicClock.now + Int64(seconds) * 1_000_000_000
    do throws(PostgresError) {
      try connect(until: deadline)
      let version = unsafe functions.serverVersion(handle)
      guard version >= Self.oldestServer else {
        throw PostgresError(
          .unreachable, "\(address): the server is PostgreSQL \(version / 10_000): expected 15 or newer")
      }
    } catch {
      close()
      // The words of libpq name the server and the user, and never a password.
      throw error.kind == .lost ? PostgresError(.unreachable, "\(address): \(error.problem)") : error
    }
    var copy = functions
    unsafe coach_pq_silence(&copy, handle)
    _ = unsafe functions.setnonblocking(handle, 1)
  }

  deinit { close() }

  /// Whether it can be used.
  package var isOpen: Bool { unsafe handle != nil }

  /// Closes the connection; nothing for one that is closed.
  package func close() {
    if let open = unsafe handle { unsafe functions.finish(open) }
    unsafe handle = nil
  }

  // MARK: - Statements

  /// Runs one statement with bound values.
  ///
  /// - Parameter seconds: how long the answer may take.
  /// - Throws: `PostgresError`; after `.lost` the statement may have taken effect or not, and the connection is closed.
  package func run(_ sql: String, _ values: [PostgresValue] = [], seconds: Int = 10) throws(PostgresError)
    -> PostgresRows
  {
    let types = values.map(\.type)
    let encoded = values.map(\.encoded)
    let formats = [Int32](repeating: 1, count: values.count)
    let lengths = encoded.map { Int32($0?.count ?? 0) }
    // All values behind one another; a value that is there differs from one that is none by its pointer.
    let all = encoded.reduce(into: [UInt8]()) { $0 += $1 ?? [] } + [0]
    let sent = unsafe all.withUnsafeBufferPointer { buffer in
      var place = 0
      var pointers: [UnsafePointer<CChar>?] = unsafe []
      for value in encoded {
        let address = unsafe UnsafeRawPointer(buffer.baseAddress).map {
          unsafe ($0 + place).assumingMemoryBound(to: CChar.self)
        }
        unsafe pointers.append(value == nil ? nil : address)
        place += value?.count ?? 0
      }
      return unsafe functions.sendQueryParams(
        handle, sql, Int32(values.count), types, pointers, lengths, formats, 1)
    }
    return try answer(sent: sent, seconds: seconds)
  }

  /// Runs statements without values, separated by semicolons, in one transaction.
  ///
  /// - Throws: `PostgresError`, as ``run(_:_:seconds:)``.
  package func execute(_ script: String, seconds: Int = 60) throws(PostgresError) {
    _ = try answer(sent: unsafe functions.sendQuery(handle, script), seconds: seconds)
  }

  /// How long the server waits for the next statement of a transaction, in seconds: as long as a lease lasts. Then it ends the connection,
  /// so that others do not wait for what a program has locked that was stopped meanwhile, or whose machine is gone.
  private static let longestIdle = 3

  /// Begins a transaction that may lock what others wait for.
  package static let begin = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '\(longestIdle)s'"

  /// Begins one that is on the disk when it is committed, whatever the database is set to.
  package static let beginDurable = begin + "; SET LOCAL synchronous_commit = on"

  /// Runs `body` in a transaction.
  ///
  /// - Parameter begin: the statements that begin it.
  /// - Throws: `PostgresError` of `body`, after which nothing of it stays, or of the commit: `.lost` when nobody knows.
  package func transaction<Value>(
    _ begin: String = PostgresConnection.begin, _ body: () throws(PostgresError) -> Value
  ) throws(PostgresError) -> Value {
    try execute(begin)
    let value: Value
    do throws(PostgresError) {
      value = try body()
    } catch {
      if isOpen { try? execute("ROLLBACK") }
      throw error
    }
    try execute("COMMIT")
    return value
  }

  private func answer(sent: Int32, seconds: Int) throws(PostgresError) -> PostgresRows {
    guard sent == 1 else { throw lose() }
    let deadline = MonotonicClock.now + Int64(seconds) * 1_000_000_000
    var flushed = unsafe functions.flush(handle)
    while flushed == 1 {
      let ready = try wait(Int16(POLLIN | POLLOUT), until: deadline)
      if ready & Int16(POLLIN) != 0, unsafe functions.consumeInput(handle) == 0 { throw lose() }
      flushed = unsafe functions.flush(handle)
    }
    guard flushed == 0 else { throw lose() }
    var rows = PostgresRows()
    var failure: PostgresError?
    while true {
      while unsafe functions.isBusy(handle) != 0 {
        _ = try wait(Int16(POLLIN), until: deadline)
        guard unsafe functions.consumeInput(handle) != 0 else { throw lose() }
      }
      guard let result = unsafe functions.getResult(handle) else { break }
      defer { unsafe functions.clear(result) }
      switch unsafe functions.resultStatus(result) {
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK: unsafe read(result, into: &rows)
      default: unsafe failure = failure ?? error(of: result)
      }
    }
    guard unsafe functions.status(handle) == CONNECTION_OK else { throw lose(failure) }
    if let failure { throw failure }
    return rows
  }

  private func read(_ result: OpaquePointer, into rows: inout PostgresRows) {
    let columns = unsafe functions.nfields(result)
    let count = unsafe functions.ntuples(result)
    for row in 0..<count {
      var fields: [[UInt8]?] = []
      for column in 0..<columns {
        guard unsafe functions.getisnull(result, row, column) == 0,
          let value = unsafe functions.getvalue(result, row, column)
        else {
          fields.append(nil)
          continue
        }
        let bytes = unsafe UnsafeRawBufferPointer(
          start: value, count: Int(functions.getlength(result, row, column)))
        fields.append(unsafe Array(bytes))
      }
      rows.rows.append(PostgresRows.Row(fields: fields))
    }
    if let count = unsafe functions.cmdTuples(result) { rows.changedCount = unsafe Int(String(cString: count)) ?? 0 }
  }

  private func error(of result: OpaquePointer) -> PostgresError {
    func field(_ letter: Unicode.Scalar) -> String? {
      unsafe functions.resultErrorField(result, Int32(letter.value)).map { unsafe String(cString: $0) }
    }
    guard let code = field("C") else { return PostgresError(.lost, lostWords) }
    return .refused(code: code, message: field("M") ?? "")
  }

  // MARK: - Waiting

  private func connect(until deadline: Int64) throws(PostgresError) {
    guard unsafe handle != nil, unsafe functions.status(handle) != CONNECTION_BAD else { throw lose() }
    while true {
      switch unsafe functions.connectPoll(handle) {
      case PGRES_POLLING_OK: return
      case PGRES_POLLING_READING: _ = try wait(Int16(POLLIN), until: deadline)
      case PGRES_POLLING_WRITING: _ = try wait(Int16(POLLOUT), until: deadline)
      default: throw lose()
      }
    }
  }

  /// Waits until the socket is ready for one of some events; which.
  private func wait(_ events: Int16, until deadline: Int64) throws(PostgresError) -> Int16 {
    var descriptor = pollfd(fd: unsafe functions.socket(handle), events: events, revents: 0)
    while true {
      let left = deadline - MonotonicClock.now
      guard left > 0, descriptor.fd >= 0 else {
        close()
        throw PostgresError(.lost, "no answer of the server in time")
      }
      let count = unsafe poll(&descriptor, 1, Int32(clamping: left / 1_000_000 + 1))
      if count > 0 {
        return descriptor.revents | Int16(descriptor.revents & Int16(POLLERR | POLLHUP) != 0 ? POLLIN : 0)
      }
      if count < 0, errno != EINTR {
        close()
        throw PostgresError(.lost, "the connection cannot be waited for")
      }
    }
  }

  private var lostWords: String {
    guard unsafe handle != nil else { return "the connection is closed" }
    guard let text = unsafe functions.errorMessage(handle) else { return "the connection was lost" }
    let words = unsafe String(cString: text).firstLine
    return words.isEmpty ? "the connection was lost" : words
  }

  /// Closes the connection, which is of no use any more.
  private func lose(_ failure: PostgresError? = nil) -> PostgresError {
    defer { close() }
    return PostgresError(.lost, failure?.problem ?? lostWords)
  }
}
