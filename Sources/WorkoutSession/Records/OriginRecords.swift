package import TextFormats

/// How many sessions or recordings of each origin are added up in a record.
package enum OriginRecords {
  private static let key = JSONKey("origins")

  /// Writes the member `origins`, such as `{"live":1,"simulated":2}`; nothing where no origin is known.
  package static func write(_ counts: [SessionOrigin: Int], to writer: inout JSONWriter) {
    guard !counts.isEmpty else { return }
    writer.object(key) { writer in
      for origin in SessionOrigin.allCases { writer.member(JSONKey(origin.rawValue), counts[origin]) }
    }
  }
}
