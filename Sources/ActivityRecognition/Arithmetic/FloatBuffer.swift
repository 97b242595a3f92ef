/// Rows of numbers that begin on a cache line each, so that four of them are loaded at once.
///
/// Only one thread may use it at a time.
@safe
final class FloatBuffer {
  /// A row takes a multiple of so many numbers; those behind its end are 0.
  static let alignment = 32

  /// How many numbers a row of `width` takes.
  static func stride(_ width: Int) -> Int { (width + alignment - 1) / alignment * alignment }

  let rows: Int
  /// How many numbers a row takes.
  let stride: Int
  let base: UnsafeMutablePointer<Float>

  /// Rows of zeros.
  init(rows: Int, width: Int) {
    self.rows = rows
    stride = Self.stride(width)
    let count = max(1, rows * stride)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: count * 4, alignment: 64)
    unsafe base = memory.bindMemory(to: Float.self, capacity: count)
    unsafe base.initialize(repeating: 0, count: count)
  }

  deinit { unsafe UnsafeMutableRawPointer(base).deallocate() }

  /// The first number of a row.
  subscript(row: Int) -> UnsafeMutablePointer<Float> {
    precondition(row >= 0 && row < rows, "the row is one of the buffer's")
    return unsafe base + row * stride
  }

  /// Sets all numbers to 0.
  func clear() { unsafe base.update(repeating: 0, count: rows * stride) }

  /// Takes rows of `width` numbers that stand one after another.
  func load(_ values: [Float], width: Int) {
    precondition(values.count == rows * width, "there is a value for each place")
    for row in 0..<rows {
      for column in 0..<width { unsafe self[row][column] = values[row * width + column] }
    }
  }

  /// The first `width` numbers of each row, one row after another.
  func values(width: Int) -> [Float] {
    var values: [Float] = []
    values.reserveCapacity(rows * width)
    for row in 0..<rows {
      for column in 0..<width { unsafe values.append(self[row][column]) }
    }
    return values
  }
}
