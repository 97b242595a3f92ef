import TextFormats

/// Records of which there can be thousands, gathered to be printed like a ``RecordList``: other threads make text of what is
/// gathered while more of them are read.
struct RecordBatches<Record: Sendable>: Sendable {
  /// How many records one thread takes at a time.
  private static var size: Int { 512 }

  private var list: RecordList
  private let write: @Sendable (Record, inout JSONWriter) -> Void
  private var gathered: [Record] = []
  private var batches: [Task<RecordList.Batch, Never>] = []

  /// No record; `write` writes one as an object.
  init(_ name: String, _ format: OutputFormat, _ write: @escaping @Sendable (Record, inout JSONWriter) -> Void) {
    list = RecordList(name, format)
    self.write = write
  }

  /// Adds a record.
  mutating func append(_ record: consuming Record) {
    gathered.append(record)
    if gathered.count == Self.size { handOver() }
  }

  /// Ends it: the list with all of them, in order.
  consuming func finished() async -> RecordList {
    handOver()
    for batch in batches { list.append(await batch.value) }
    return list
  }

  private mutating func handOver() {
    let (records, list, write, follows) = (gathered, list, write, !batches.isEmpty)
    gathered = []
    gathered.reserveCapacity(Self.size)
    batches.append(Task.detached { list.batch(of: records, follows: follows, write) })
  }
}
