internal import ActivityRecognition
private import CWideVectors
internal import TextFormats

/// A table of plain times and of a heart rate and a speed at most, of whose rows several can be read at once.
struct NarrowTable: Sendable {
  fileprivate var slots: InlineArray<3, UInt8> = [0, 0, 0]
  fileprivate let columns: Int
  fileprivate let separator: UInt8

  /// A table of whose columns this is wanted; `nil` where rows may be others, or the processor cannot read several at once.
  init?(_ uses: [CSVRow.Use], delimiter: CSVDelimiter) {
    guard VectorWidth.widest > .four, uses.count <= slots.count, uses.contains(.time) else { return nil }
    columns = uses.count
    separator = delimiter.rawValue
    for (column, use) in uses.enumerated() {
      switch use {
      case .time: slots[column] = 0
      case .number(CSVSlot.heartRate, []): slots[column] = 1
      case .number(CSVSlot.speed, []): slots[column] = 2
      case .nothing, .text, .number: return nil
      }
    }
  }
}

/// Rows of such a table that were read at once; what is absent is not a number. It is made once for a table.
struct NarrowBatch {
  /// The most rows of a batch.
  static let largestCount = 128

  /// The times on the clock of the file, in nanoseconds.
  private(set) var times = [Int64](repeating: 0, count: largestCount)
  private(set) var heartRates = [Double](repeating: .nan, count: largestCount)
  private(set) var speeds = [Double](repeating: .nan, count: largestCount)
  /// The index behind the end of each row.
  private(set) var ends = [Int](repeating: 0, count: largestCount)

  /// What is known of the shapes of rows, see `narrow_rows.h`.
  private var shapes = [UInt64](repeating: 0, count: (coach_shapes_size() + 7) / 8)

  /// Creates a batch without rows.
  init(_ table: NarrowTable) {
    let slots = table.slots
    unsafe slots.span.withUnsafeBufferPointer { slots in
      unsafe shapes.withUnsafeMutableBytes { shapes in
        unsafe coach_begin_shapes(shapes.baseAddress, slots.baseAddress, Int32(table.columns), table.separator)
      }
    }
  }

  /// Reads the rows that begin at `start`, up to one that has to be read otherwise; how many there are.
  mutating func read(_ text: Span<UInt8>, from start: Int) -> Int {
    unsafe text.withUnsafeBufferPointer { text in
      unsafe times.withUnsafeMutableBufferPointer { times in
        unsafe heartRates.withUnsafeMutableBufferPointer { heartRates in
          unsafe speeds.withUnsafeMutableBufferPointer { speeds in
            unsafe ends.withUnsafeMutableBufferPointer { ends in
              unsafe shapes.withUnsafeMutableBytes { shapes in
                let rows = unsafe coach_narrow_rows(
                  nanoseconds: times.baseAddress, first: heartRates.baseAddress, second: speeds.baseAddress,
                  next: ends.baseAddress)
                return unsafe coach_read_narrow_rows(
                  text.baseAddress, start, text.count, shapes.baseAddress, rows, Self.largestCount)
              }
            }
          }
        }
      }
    }
  }
}
