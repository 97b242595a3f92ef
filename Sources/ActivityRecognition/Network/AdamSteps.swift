private import CWideVectors

/// The moments of the weights of a layer, and the steps that follow from them.
///
/// The gradient of a unit is a sum over those rows for which the unit was not 0, in their order, so that no work is done for the
/// others; the step is made while the sum is still in registers. Source: Kingma & Ba 2015, arXiv 1412.6980, algorithm 1, with
/// the weight decay of Loshchilov & Hutter 2019, arXiv 1711.05101. Only one thread may use it at a time.
@safe
final class AdamSteps {
  static let firstDecay = 0.9
  static let secondDecay = 0.999
  /// What is added to a root, so that nothing is divided by 0: ε of algorithm 1.
  private static let tiny: Float = 1e-8

  /// What is the same for all weights in a step.
  struct Rates {
    let rate: Float
    let secondFactor: Float
    let kept: Float
  }

  private typealias Four = SIMD4<Float>
  private typealias Eight = (Four, Four, Four, Four, Four, Four, Four, Four)
  private let units: Int
  private let batch: Int
  private let first: FloatBuffer
  private let second: FloatBuffer
  private let biasFirst: FloatBuffer
  private let biasSecond: FloatBuffer
  /// For each unit by how much it should have been different, in those rows for which it was not 0.
  private let factors: FloatBuffer
  /// Which rows those are.
  private let places: UnsafeMutablePointer<Int32>
  /// How many they are.
  private let counts: UnsafeMutablePointer<Int>

  init(inputs: Int, units: Int, _ batch: Int) {
    self.units = units
    self.batch = batch
    first = FloatBuffer(rows: units, width: inputs)
    second = FloatBuffer(rows: units, width: inputs)
    biasFirst = FloatBuffer(rows: 1, width: units)
    biasSecond = FloatBuffer(rows: 1, width: units)
    factors = FloatBuffer(rows: units, width: batch)
    unsafe places = .allocate(capacity: units * batch)
    unsafe places.initialize(repeating: 0, count: units * batch)
    unsafe counts = .allocate(capacity: units)
    unsafe counts.initialize(repeating: 0, count: units)
  }

  deinit {
    unsafe places.deallocate()
    unsafe counts.deallocate()
  }

  private func gather(_ deltas: FloatBuffer, rows: Int) {
    precondition(rows <= batch && rows <= deltas.rows && units <= deltas.stride, "every row has a place")
    let (factors, stride) = unsafe (self.factors.base, self.factors.stride)
    for unit in 0..<units { unsafe counts[unit] = 0 }
    for row in 0..<rows {
      let delta = unsafe deltas[row]
      for unit in 0..<units {
        let value = unsafe delta[unit]
        // A 0 is overwritten by the next: whether it is one cannot be foreseen, and a wrong guess costs more than two writes.
        let count = unsafe counts[unit]
        unsafe factors[unit &* stride &+ count] = value
        unsafe places[unit &* batch &+ count] = Int32(truncatingIfNeeded: row)
        unsafe counts[unit] = count &+ (value != 0 ? 1 : 0)
      }
    }
  }

  /// Makes a step of all weights and offsets; so many numbers at once, on a processor that can.
  func update(
    _ weights: FloatBuffer, _ biases: FloatBuffer, by inputs: FloatBuffer, _ deltas: FloatBuffer, rows: Int,
    _ rates: Rates, vectors: VectorWidth = .widest
  ) {
    precondition(
      weights.rows == units && inputs.stride == weights.stride && biases.stride >= units, "the layer is this one")
    gather(deltas, rows: rows)
    let moments = Moments(rates)
    let stride = weights.stride
    let w = unsafe weights.base
    var column = 0
    while column < stride {
      guard vectors > .four else {
        unsafe steps(column, w, inputs, moments)
        column &+= FloatBuffer.alignment
        continue
      }
      let isSixteen = vectors == .sixteen && column &+ 2 &* FloatBuffer.alignment <= stride
      unsafe wideSteps(column, w, inputs, rates, isSixteen: isSixteen)
      column &+= (isSixteen ? 2 : 1) &* FloatBuffer.alignment
    }
    let offsets = Moments(AdamSteps.Rates(rate: rates.rate, secondFactor: rates.secondFactor, kept: 1))
    for unit in Swift.stride(from: 0, to: units, by: 4) {
      var gradient = Four.zero
      for place in 0..<min(4, units - unit) { gradient[place] = biasGradient(unit + place) }
      unsafe offsets.step(biases.base, biasFirst.base, biasSecond.base, unit, gradient)
    }
  }

  /// Makes a step of 32 weights of each unit, those from a column on.
  @inline(__always)
  private func steps(_ column: Int, _ w: UnsafeMutablePointer<Float>, _ inputs: FloatBuffer, _ moments: Moments) {
    let (m, v, stride) = unsafe (first.base, second.base, first.stride)
    for unit in 0..<units {
      let place = unit &* stride &+ column
      let sums = sum(unit, column, inputs)
      unsafe moments.step(w, m, v, place, sums.0)
      unsafe moments.step(w, m, v, place &+ 4, sums.1)
      unsafe moments.step(w, m, v, place &+ 8, sums.2)
      unsafe moments.step(w, m, v, place &+ 12, sums.3)
      unsafe moments.step(w, m, v, place &+ 16, sums.4)
      unsafe moments.step(w, m, v, place &+ 20, sums.5)
      unsafe moments.step(w, m, v, place &+ 24, sums.6)
      unsafe moments.step(w, m, v, place &+ 28, sums.7)
    }
  }

  /// The same, eight numbers at once, or sixteen and 64 weights of each unit.
  private func wideSteps(
    _ column: Int, _ w: UnsafeMutablePointer<Float>, _ inputs: FloatBuffer, _ rates: Rates, isSixteen: Bool
  ) {
    var step = coach_step(
      rate: rates.rate, second_factor: rates.secondFactor, kept: rates.kept, first_kept: Float(Self.firstDecay),
      first_new: Float(1 - Self.firstDecay), second_kept: Float(Self.secondDecay),
      second_new: Float(1 - Self.secondDecay), tiny: Self.tiny)
    for unit in 0..<units {
      let place = unit &* first.stride &+ column
      let (w, m, v) = unsafe (w + place, first.base + place, second.base + place)
      let (rows, factors) = unsafe (inputs.base + column, self.factors.base + unit &* self.factors.stride)
      let (places, count) = unsafe (self.places + unit &* batch, counts[unit])
      if isSixteen {
        unsafe coach_step_64(w, m, v, rows, inputs.stride, factors, places, count, &step)
      } else {
        unsafe coach_step_32(w, m, v, rows, inputs.stride, factors, places, count, &step)
      }
    }
  }

  /// The gradient of 32 weights of a unit.
  @inline(__always)
  private func sum(_ unit: Int, _ column: Int, _ inputs: FloatBuffer) -> Eight {
    var (s0, s1, s2, s3) = (Four.zero, Four.zero, Four.zero, Four.zero)
    var (s4, s5, s6, s7) = (Four.zero, Four.zero, Four.zero, Four.zero)
    let factors = unsafe self.factors.base + unit &* self.factors.stride
    let places = unsafe self.places + unit &* batch
    let base = unsafe UnsafePointer(inputs.base + column)
    let (stride, count) = unsafe (inputs.stride, counts[unit])
    var entry = 0
    while entry < count {
      let factor = unsafe Four(repeating: factors[entry])
      let row = unsafe base + Int(places[entry]) &* stride
      unsafe s0 += factor * FloatKernels.four(row, 0)
      unsafe s1 += factor * FloatKernels.four(row, 4)
      unsafe s2 += factor * FloatKernels.four(row, 8)
      unsafe s3 += factor * FloatKernels.four(row, 12)
      unsafe s4 += factor * FloatKernels.four(row, 16)
      unsafe s5 += factor * FloatKernels.four(row, 20)
      unsafe s6 += factor * FloatKernels.four(row, 24)
      unsafe s7 += factor * FloatKernels.four(row, 28)
      entry &+= 1
    }
    return (s0, s1, s2, s3, s4, s5, s6, s7)
  }

  private func biasGradient(_ unit: Int) -> Float {
    var sum: Float = 0
    for entry in unsafe 0..<counts[unit] { unsafe sum += factors[unit][entry] }
    return sum
  }

  /// The gradients alone, without a step.
  func gradient(
    of inputs: FloatBuffer, _ deltas: FloatBuffer, rows: Int, width: Int
  ) -> (weights: [Float], biases: [Float]) {
    gather(deltas, rows: rows)
    var weights: [Float] = []
    for unit in 0..<units {
      var row: [Float] = []
      for column in stride(from: 0, to: inputs.stride, by: FloatBuffer.alignment) {
        let s = sum(unit, column, inputs)
        for four in [s.0, s.1, s.2, s.3, s.4, s.5, s.6, s.7] { row += [four[0], four[1], four[2], four[3]] }
      }
      weights += row.prefix(width)
    }
    return (weights, (0..<units).map(biasGradient))
  }

  /// The factors of a step, four times each.
  private struct Moments {
    let firstKept = Four(repeating: Float(firstDecay))
    let firstNew = Four(repeating: Float(1 - firstDecay))
    let secondKept = Four(repeating: Float(secondDecay))
    let secondNew = Four(repeating: Float(1 - secondDecay))
    let tiny = Four(repeating: AdamSteps.tiny)
    let rate: Four
    let secondFactor: Four
    let kept: Four

    init(_ rates: Rates) {
      rate = Four(repeating: rates.rate)
      secondFactor = Four(repeating: rates.secondFactor)
      kept = Four(repeating: rates.kept)
    }

    @inline(__always)
    func step(
      _ w: UnsafeMutablePointer<Float>, _ m: UnsafeMutablePointer<Float>, _ v: UnsafeMutablePointer<Float>,
      _ index: Int,
      _ gradient: Four
    ) {
      let first = unsafe FloatKernels.four(UnsafePointer(m), index) * firstKept + gradient * firstNew
      let second = unsafe FloatKernels.four(UnsafePointer(v), index) * secondKept + gradient * gradient * secondNew
      unsafe FloatKernels.store(first, m, index)
      unsafe FloatKernels.store(second, v, index)
      let step = rate * first / (FloatKernels.squareRoot(second * secondFactor) + tiny)
      unsafe FloatKernels.store(FloatKernels.four(UnsafePointer(w), index) * kept - step, w, index)
    }
  }
}
