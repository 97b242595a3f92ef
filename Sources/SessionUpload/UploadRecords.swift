package import TextFormats
internal import WorkoutSession

/// The records of an upload.
package enum UploadRecords {
  /// Writes the record of an object that is or is not in the store now, as a value.
  package static func write(_ outcome: UploadOutcome, to writer: inout JSONWriter) {
    writer.object { writer in
      begin("uploaded", outcome.object, bytes: outcome.bytes, &writer)
      writer.member("status", outcome.status.rawValue)
      writer.member("sessionID", outcome.object.sessionID)
      writer.member("reason", outcome.error.map { "\($0)" })
    }
  }

  /// Writes the record of an object that would be sent, as a value.
  package static func write(_ object: UploadObject, to writer: inout JSONWriter) {
    writer.object { writer in
      begin("planned", object, bytes: object.size, &writer)
      writer.member("sessionID", object.sessionID)
    }
  }

  /// Writes the record at the end, as a value.
  package static func write(
    _ totals: UploadTotals, pending: Int, elapsedNanoseconds: Int64, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "uploadSummary")
      writer.member("sent", totals.sent)
      writer.member("present", totals.present)
      writer.member("failed", totals.failed)
      writer.member("pending", pending)
      writer.member("bytesSent", totals.bytesSent)
      writer.member("elapsedSeconds", secondsFromNanoseconds: elapsedNanoseconds)
    }
  }

  private static func begin(_ type: String, _ object: UploadObject, bytes: Int, _ writer: inout JSONWriter) {
    writer.member("version", SessionRecords.version)
    writer.member("type", type)
    writer.member("key", object.key)
    writer.member("bytes", bytes)
  }
}
