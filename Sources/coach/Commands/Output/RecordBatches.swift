import TextFormats

/// Records of which there can be thousands, gathered to be printed like a ``RecordList``, in ``Batches``.
struct RecordBatches<Record: Sendable>: Sendable {
  private var list: RecordList
  private var batches: Batches<Record, RecordList.Batch>

  /// No record; `write` writes one as an object.
  init(_ name: String, _ format: OutputFormat, _ write: @escaping @Sendable (Record, inout JSONWriter) -> Void) {
    let list = RecordList(name, format)
    self.list = list
    batches = Batches { records, follows in list.batch(of: records, follows: follows, write) }
  }

  /// Adds a record.
  mutating func append(_ record: consuming Record) { batches.append(record) }

  /// Ends it: the list with all of them, in order.
  consuming func finished() async -> RecordList {
    for batch in await batches.finished() { list.append(batch) }
    return list
  }
}
