package import Recordings
internal import TextFormats
package import WorkoutSession
internal import ZoneEngine

/// What a table of a workout is made of, in order of time.
package enum ExportedItem {
  /// The readings of an instant; steps count from the start of the activity.
  case row(RecordedPoint, MotionReading?, DirectionReading?)
  /// A time between two beats, in milliseconds, which stands in no row.
  case interval(time: Int64, milliseconds: Double)

  /// When it was.
  var time: Int64 {
    switch self {
    case .row(let row, _, _): row.time
    case .interval(let time, _): time
    }
  }
}

/// The items of an activity, however many there are: few in memory, more in a temporary file, read from front to back as
/// often as needed.
struct ExportedItems: Sendable {
  private enum Content: Sendable {
    case memory([UInt8])
    case file(TemporaryFile, Int)
  }

  /// How many rows there are.
  fileprivate(set) var rowCount = 0
  /// How many of them have a reading of the motion sensors.
  fileprivate(set) var motionCount = 0
  /// How many of them have a direction.
  fileprivate(set) var directionCount = 0
  /// How many times between two beats there are.
  fileprivate(set) var intervalCount = 0
  /// The times of the first item and of the last; `nil` without one.
  fileprivate(set) var span: (first: Int64, last: Int64)?

  private let content: Content

  /// No items.
  init() { content = .memory([]) }

  fileprivate init(_ bytes: [UInt8]) { content = .memory(bytes) }

  fileprivate init(_ file: TemporaryFile) { content = .file(file, file.count) }

  /// A reader at the first item.
  var reader: Reader {
    switch content {
    case .memory(let bytes): Reader(PackedPieces(bytes))
    case .file(let file, let count): Reader(PackedPieces(file, 0..<count))
    }
  }

  /// Gives every item to `body`.
  ///
  /// - Throws: `FileError` when the temporary file cannot be read, or what `body` throws.
  func forEach(_ body: (ExportedItem) throws -> Void) throws {
    var reader = reader
    while let item = try reader.next() { try body(item) }
  }

  /// Reads items from front to back.
  struct Reader {
    private var pieces: PackedPieces
    private var size = 0

    fileprivate init(_ pieces: PackedPieces) { self.pieces = pieces }

    /// The next item; `nil` after the last.
    mutating func next() throws(FileError) -> ExportedItem? {
      guard try pieces.advance(by: size, holding: PackedItem.largestSize) else { return nil }
      let (item, size) = PackedItem.item(in: pieces.piece, at: pieces.offset)
      self.size = size
      return item
    }
  }
}

/// Takes items one by one.
package struct ExportedItemWriter {
  private var items = ExportedItems()
  private var packed: [UInt8] = []
  private var file: TemporaryFile?
  private let largestBytes: Int

  /// A writer that holds about `bytes` bytes in memory.
  init(holding bytes: Int) { largestBytes = bytes }

  /// The last row's time; `nil` before the first.
  var last: Int64? { items.span?.last }

  /// Takes the next item.
  ///
  /// - Throws: `FileError` when the temporary file cannot be made or written.
  mutating func append(_ item: ExportedItem) throws(FileError) {
    switch item {
    case .row(let row, let motion, let direction):
      items.rowCount += 1
      items.motionCount += motion == nil ? 0 : 1
      items.directionCount += direction == nil ? 0 : 1
      items.span = (items.span?.first ?? row.time, row.time)
    case .interval(let time, _):
      items.intervalCount += 1
      items.span = (items.span?.first ?? time, max(items.span?.last ?? time, time))
    }
    PackedItem.append(item, to: &packed)
    // What is in a file already is written in pieces that are worth a call.
    guard packed.count >= (file == nil ? largestBytes : TemporaryFile.pieceBytes) else { return }
    try spill()
  }

  private mutating func spill() throws(FileError) {
    let file: TemporaryFile
    if let known = self.file { file = known } else { file = try TemporaryFile(to: "hold the rows of an export") }
    self.file = file
    try file.append(packed.span)
    packed.removeAll(keepingCapacity: packed.capacity <= 2 * TemporaryFile.pieceBytes)
  }

  /// Ends the items.
  ///
  /// - Throws: `FileError` when the temporary file cannot be written.
  mutating func finish() throws(FileError) -> ExportedItems {
    if file != nil { try spill() }
    var all = file.map { ExportedItems($0) } ?? ExportedItems(packed)
    (all.rowCount, all.motionCount, all.intervalCount) = (items.rowCount, items.motionCount, items.intervalCount)
    all.directionCount = items.directionCount
    all.span = items.span
    return all
  }
}

/// An item as bytes: its time, which of its numbers are there, and those.
private enum PackedItem {
  /// The numbers of a row in order.
  private static let fields: [any WritableKeyPath<RecordedPoint, Double> & Sendable] = [
    \.heartRate, \.cadence, \.steps, \.distance, \.speed, \.latitude, \.longitude, \.altitude, \.horizontalAccuracy,
  ]
  private static let headBytes = 8 + 2
  private static let accelerationPart: UInt16 = 1 << 9
  private static let rotationPart: UInt16 = 1 << 10
  private static let fieldPart: UInt16 = 1 << 11
  private static let motionPart: UInt16 = 1 << 12
  private static let intervalPart: UInt16 = 1 << 13
  private static let directionPart: UInt16 = 1 << 14
  /// The most bytes of an item.
  static let largestSize = headBytes + (9 + 9 + DirectionReading.valueCount) * 8 + 1

  static func append(_ item: ExportedItem, to bytes: inout [UInt8]) {
    switch item {
    case .interval(let time, let milliseconds):
      head(time, intervalPart, to: &bytes)
      PackedSample.append(milliseconds.bitPattern, to: &bytes)
    case .row(let row, let motion, let direction):
      let parts = bytes.count + 8
      head(row.time, 0, to: &bytes)
      var mask: UInt16 = motion == nil ? 0 : motionPart
      for (index, field) in fields.enumerated() where !row[keyPath: field].isNaN {
        mask |= 1 << UInt16(index)
        PackedSample.append(row[keyPath: field].bitPattern, to: &bytes)
      }
      let vectors = [
        (accelerationPart, motion?.acceleration), (rotationPart, motion?.rotationRate),
        (fieldPart, motion?.magneticField),
      ]
      for (part, axes) in vectors {
        guard let axes else { continue }
        mask |= part
        for value in [axes.x, axes.y, axes.z] { PackedSample.append(value.bitPattern, to: &bytes) }
      }
      if let direction {
        mask |= directionPart
        let values = direction.values
        bytes.append(values.indices.reduce(0) { values[$1] == nil ? $0 : $0 | 1 << UInt8($1) })
        for case let value? in values { PackedSample.append(value.bitPattern, to: &bytes) }
      }
      bytes[parts] = UInt8(truncatingIfNeeded: mask)
      bytes[parts + 1] = UInt8(mask >> 8)
    }
  }

  private static func head(_ time: Int64, _ mask: UInt16, to bytes: inout [UInt8]) {
    PackedSample.append(UInt64(bitPattern: time), to: &bytes)
    bytes.append(UInt8(truncatingIfNeeded: mask))
    bytes.append(UInt8(mask >> 8))
  }

  /// The item at an offset, and its bytes.
  static func item(in bytes: [UInt8], at offset: Int) -> (ExportedItem, size: Int) {
    let time = Int64(bitPattern: PackedSample.word(bytes, offset))
    let mask = UInt16(bytes[offset + 8]) | UInt16(bytes[offset + 9]) << 8
    var next = offset + headBytes
    func number() -> Double {
      defer { next += 8 }
      return Double(bitPattern: PackedSample.word(bytes, next))
    }
    func axes(_ part: UInt16) -> Axes? { mask & part == 0 ? nil : Axes(x: number(), y: number(), z: number()) }
    if mask & intervalPart != 0 { return (.interval(time: time, milliseconds: number()), next - offset) }
    var row = RecordedPoint(time: time)
    for (index, field) in fields.enumerated() where mask & (1 << UInt16(index)) != 0 { row[keyPath: field] = number() }
    var motion: MotionReading?
    if mask & motionPart != 0 {
      motion = MotionReading(
        acceleration: axes(accelerationPart), rotationRate: axes(rotationPart), magneticField: axes(fieldPart))
    }
    guard mask & directionPart != 0 else { return (.row(row, motion, nil), next - offset) }
    let parts = bytes[next]
    next += 1
    let direction = DirectionReading(
      (0..<DirectionReading.valueCount).map { parts & 1 << UInt8($0) == 0 ? nil : number() })
    return (.row(row, motion, direction), next - offset)
  }
}
