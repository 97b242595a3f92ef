internal import TextFormats

/// The audit that instances share: lines that are only ever added.
package final class FleetAudit: Sendable {
  /// How many lines are read at once.
  private static let pageLines: Int64 = 5_000

  private let link: PostgresLink
  private let writer: String

  /// An audit whose schema is there; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - name: what the server lists the connection as.
  ///   - writer: a name under which nobody else adds lines, nor this program when it starts again.
  package init(_ address: PostgresAddress, name: String, writer: String = FleetStore.newName()) {
    link = PostgresLink(address, name: name)
    self.writer = writer
  }

  /// Adds lines, each with its line feed. It can be repeated with the same numbers.
  ///
  /// - Parameter index: the number of the first one among those of this writer, from 1 on.
  /// - Throws: `PostgresError`.
  package func append(_ lines: [[UInt8]], from index: Int64) throws(PostgresError) {
    guard !lines.isEmpty else { return }
    try link.use { connection throws(PostgresError) in
      _ = try connection.run(
        """
        INSERT INTO coach.audit (writer, index, line) SELECT $1, given.index, given.line
        FROM unnest($2, $3) AS given (index, line) ORDER BY given.index ON CONFLICT DO NOTHING
        """,
        [.text(writer), .integers(lines.indices.map { index + Int64($0) }), .blobs(lines)])
    }
  }

  /// Gives `body` all lines, in the order in which they were added.
  ///
  /// - Throws: `PostgresError`, or what `body` throws.
  package func forEachLine(_ body: ([UInt8]) throws -> Void) throws {
    var last: Int64 = 0
    while true {
      let known = last
      let rows = try link.use { connection throws(PostgresError) in
        try connection.run(
          "SELECT number, line FROM coach.audit WHERE number > $1 ORDER BY number LIMIT $2",
          [.integer(known), .integer(Self.pageLines)])
      }.rows
      for row in rows {
        try body(row.bytes(1))
        last = row.integer(0)
      }
      if rows.count < Int(Self.pageLines) { return }
    }
  }

  /// The text of all lines.
  ///
  /// - Parameter mostBytes: how many there may be.
  /// - Throws: `PostgresError`, `.damaged` where there are more.
  package func text(mostBytes: Int) throws -> [UInt8] {
    var text: [UInt8] = []
    try forEachLine { line in
      guard text.count + line.count <= mostBytes else {
        throw PostgresError(.damaged, "the audit is larger than \(mostBytes) bytes")
      }
      text += line
    }
    return text
  }

  /// Closes the connection; it is made again when it is needed.
  package func close() { link.close() }
}
