private import CWideVectors

/// Sums of products over rows of numbers, four at a time in an order that is written down here: a sum has the same bytes
/// wherever it is made, however many rows are worked on at once. A product is rounded before it is added.
enum FloatKernels {
  typealias Numbers = UnsafePointer<Float>
  typealias Four = SIMD4<Float>

  @inline(__always)
  static func four(_ numbers: Numbers, _ index: Int) -> Four {
    unsafe UnsafeRawPointer(numbers + index).load(as: Four.self)
  }

  @inline(__always)
  static func store(_ four: Four, _ numbers: UnsafeMutablePointer<Float>, _ index: Int) {
    unsafe UnsafeMutableRawPointer(numbers + index).storeBytes(of: four, as: Four.self)
  }

  @inline(__always)
  private static func sum(_ four: Four) -> Float { (four[0] + four[1]) + (four[2] + four[3]) }

  /// Writes the product of every row of `x` with every row of `w`, a bias added, into the rows of `out`.
  ///
  /// - Parameters:
  ///   - rows: How many rows of `x` there are; as many of `out` are written.
  ///   - units: How many rows of `w` there are; each is a column of `out`.
  ///   - width: How many numbers of a row count, a multiple of 4.
  ///   - vectors: How many numbers are worked on at once, on a processor that can.
  static func products(
    _ x: FloatBuffer, rows: Int, _ w: FloatBuffer, units: Int, width: Int, bias offsets: FloatBuffer,
    into out: FloatBuffer, vectors: VectorWidth = .widest
  ) {
    precondition(width % 4 == 0 && width <= x.stride && width <= w.stride, "rows are as long as is said")
    precondition(offsets.stride >= units && units <= out.stride && rows <= min(x.rows, out.rows) && units <= w.rows)
    let bias = unsafe offsets.base
    let first = wideProducts(x, rows: rows, w, units: units, width: width, bias: offsets, into: out, vectors)
    var unit = 0
    while unit + 3 <= units {
      let (w0, w1, w2) = unsafe (Numbers(w[unit]), Numbers(w[unit + 1]), Numbers(w[unit + 2]))
      var row = first
      while row + 4 <= rows {
        let (x0, x1, x2, x3) = unsafe (
          Numbers(x[row]), Numbers(x[row + 1]), Numbers(x[row + 2]), Numbers(x[row + 3])
        )
        var (s00, s01, s02, s03) = (Four.zero, Four.zero, Four.zero, Four.zero)
        var (s10, s11, s12, s13) = (Four.zero, Four.zero, Four.zero, Four.zero)
        var (s20, s21, s22, s23) = (Four.zero, Four.zero, Four.zero, Four.zero)
        var k = 0
        while k < width {
          let a = unsafe four(w0, k)
          unsafe s00 += a * four(x0, k)
          unsafe s01 += a * four(x1, k)
          unsafe s02 += a * four(x2, k)
          unsafe s03 += a * four(x3, k)
          let b = unsafe four(w1, k)
          unsafe s10 += b * four(x0, k)
          unsafe s11 += b * four(x1, k)
          unsafe s12 += b * four(x2, k)
          unsafe s13 += b * four(x3, k)
          let c = unsafe four(w2, k)
          unsafe s20 += c * four(x0, k)
          unsafe s21 += c * four(x1, k)
          unsafe s22 += c * four(x2, k)
          unsafe s23 += c * four(x3, k)
          k &+= 4
        }
        let (o0, o1, o2, o3) = unsafe (out[row] + unit, out[row + 1] + unit, out[row + 2] + unit, out[row + 3] + unit)
        unsafe (o0[0], o0[1], o0[2]) = (sum(s00) + bias[unit], sum(s10) + bias[unit + 1], sum(s20) + bias[unit + 2])
        unsafe (o1[0], o1[1], o1[2]) = (sum(s01) + bias[unit], sum(s11) + bias[unit + 1], sum(s21) + bias[unit + 2])
        unsafe (o2[0], o2[1], o2[2]) = (sum(s02) + bias[unit], sum(s12) + bias[unit + 1], sum(s22) + bias[unit + 2])
        unsafe (o3[0], o3[1], o3[2]) = (sum(s03) + bias[unit], sum(s13) + bias[unit + 1], sum(s23) + bias[unit + 2])
        row += 4
      }
      while row < rows {
        for next in unit..<unit + 3 { unsafe out[row][next] = product(x[row], w[next], width) + bias[next] }
        row += 1
      }
      unit += 3
    }
    while unit < units {
      for row in first..<rows { unsafe out[row][unit] = product(x[row], w[unit], width) + bias[unit] }
      unit += 1
    }
  }

  /// The same for as many rows as stand in blocks of sixteen or eight, by a processor that works on so many numbers at once.
  ///
  /// - Returns: The first row that is left.
  private static func wideProducts(
    _ x: FloatBuffer, rows: Int, _ w: FloatBuffer, units: Int, width: Int, bias: FloatBuffer, into out: FloatBuffer,
    _ vectors: VectorWidth
  ) -> Int {
    guard vectors > .four, rows >= VectorWidth.eight.rawValue, units > 0 else { return 0 }
    return unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: max(1, width * vectors.rawValue)) { memory in
      guard let packed = memory.baseAddress else { return 0 }
      var row = 0
      while vectors == .sixteen && row + 16 <= rows {
        unsafe coach_pack(x[row], x.stride, 16, width, packed)
        unsafe coach_products_of_16(packed, w.base, w.stride, units, width, bias.base, out[row], out.stride)
        row += 16
      }
      while row + 8 <= rows {
        unsafe coach_pack(x[row], x.stride, 8, width, packed)
        unsafe coach_products_of_8(packed, w.base, w.stride, units, width, bias.base, out[row], out.stride)
        row += 8
      }
      return row
    }
  }

  /// The product of two rows, in the order of ``products(_:rows:_:units:width:bias:into:)``.
  static func product(_ x: Numbers, _ w: Numbers, _ width: Int) -> Float {
    var sums = Four.zero
    var k = 0
    while k < width {
      unsafe sums += four(w, k) * four(x, k)
      k &+= 4
    }
    return sum(sums)
  }

  /// Square roots of numbers that are 0 or above, to seven digits: an estimate by the bits of the exponent, improved three times by
  /// Newton's method, all in IEEE operations.
  ///
  /// Source: Lomont 2003, *Fast inverse square root*.
  @inline(__always)
  static func squareRoot(_ x: Four) -> Four {
    let half = x * 0.5
    var y = unsafe unsafeBitCast(
      SIMD4<UInt32>(repeating: 0x5F37_59DF) &- (unsafeBitCast(x, to: SIMD4<UInt32>.self) &>> 1), to: Four.self)
    y *= 1.5 - (half * y) * y
    y *= 1.5 - (half * y) * y
    y *= 1.5 - (half * y) * y
    return x * y
  }

  /// Sets what is below 0 to 0.
  @inline(__always)
  static func clipNegative(_ numbers: UnsafeMutablePointer<Float>, width: Int) {
    var k = 0
    while k < width {
      let value = unsafe four(Numbers(numbers), k)
      unsafe store(value.replacing(with: 0, where: value .< 0), numbers, k)
      k &+= 4
    }
  }

  /// Multiplies numbers by a factor where others are above 0, and sets them to 0 where not.
  @inline(__always)
  static func mask(_ numbers: UnsafeMutablePointer<Float>, by others: Numbers, factor: Float, width: Int) {
    let factors = Four(repeating: factor)
    var k = 0
    while k < width {
      let value = unsafe four(Numbers(numbers), k) * factors
      unsafe store(Four.zero.replacing(with: value, where: four(others, k) .> 0), numbers, k)
      k &+= 4
    }
  }

  /// Adds `factor` times a row to another.
  @inline(__always)
  static func add(_ factor: Float, _ row: Numbers, to sum: UnsafeMutablePointer<Float>, width: Int) {
    let factors = Four(repeating: factor)
    var k = 0
    while k < width {
      unsafe store(four(Numbers(sum), k) + factors * four(row, k), sum, k)
      k &+= 4
    }
  }
}
