/// Teaches a network the rows of a table, in one order of all operations: the same seed gives the same bytes.
///
/// Only one thread may use it at a time; several networks are trained on several threads.
final class PerceptronTraining {
  private let table: FeatureTable
  private let rows: [Int]
  private let labels: [Int]
  private let settings: TrainingSettings
  private let scale: ScaleMemory
  private let memory: PerceptronMemory
  private let steps: [AdamSteps]
  private let deltas: [FloatBuffer]
  private let targets: FloatBuffer
  private var random: SeededRandom
  private var stepCount = 0
  private var decayOfMoments = (1.0, 1.0)

  /// Prepares to teach a network some rows of a table.
  ///
  /// - Parameter rows: the rows of the table; one may stand there several times.
  init(
    _ network: Perceptron, _ table: FeatureTable, rows: [Int], scale: FeatureScale, _ settings: TrainingSettings,
    seed: UInt64
  ) {
    self.table = table
    self.rows = rows
    labels = table.labels
    let settings = settings.adapted(rows: rows.count)
    self.settings = settings
    self.scale = ScaleMemory(scale)
    memory = PerceptronMemory(network, batch: settings.batch)
    steps = (0..<network.layers).map {
      AdamSteps(inputs: network.widths[$0], units: network.widths[$0 + 1], settings.batch)
    }
    deltas = network.widths.dropFirst().map { FloatBuffer(rows: settings.batch, width: $0) }
    targets = FloatBuffer(rows: settings.batch, width: network.widths[network.layers])
    random = SeededRandom(seed: seed, 4)
  }

  /// Trains; the network as it is then.
  ///
  /// - Parameter progress: called after each epoch.
  func run(progress: (WorkedEpoch) -> Void) -> Perceptron {
    var order = rows
    let stepsPerEpoch = (rows.count + settings.batch - 1) / settings.batch
    for epoch in 0..<settings.epochs where !rows.isEmpty {
      random.shuffle(&order)
      var loss = 0.0
      for start in stride(from: 0, to: order.count, by: settings.batch) {
        let batch = order[start..<min(order.count, start + settings.batch)]
        load(batch)
        loss += pass(rows: batch.count)
        stepCount += 1
        update(rows: batch.count, total: settings.epochs * stepsPerEpoch)
      }
      loss /= Double(order.count)
      progress(WorkedEpoch(number: epoch, loss: loss))
      if loss <= settings.errorThreshold { break }
    }
    return memory.network
  }

  /// An epoch that is over.
  struct WorkedEpoch {
    let number: Int
    let loss: Double
  }

  /// Takes rows of the table, mixed with each other.
  func load(_ batch: ArraySlice<Int>) {
    var partners = Array(batch)
    var share = 1.0
    if settings.mixup > 0 {
      share = random.beta(shape: settings.mixup)
      random.shuffle(&partners)
    }
    targets.clear()
    let (own, other) = (Float(share), Float(1 - share))
    unsafe table.values.withUnsafeBufferPointer { values in
      guard let base = values.baseAddress else { return }
      for (place, row) in batch.enumerated() {
        let target = unsafe memory.values[0][place]
        unsafe scale.write(base + row * table.width, times: own, adding: false, into: target)
        unsafe targets[place][labels[row]] += own
        guard other > 0 else { continue }
        let partner = partners[place]
        unsafe scale.write(base + partner * table.width, times: other, adding: true, into: target)
        unsafe targets[place][labels[partner]] += other
      }
    }
  }

  /// Computes what the network makes of the rows and how every unit should have been different; the sum of the errors.
  func pass(rows: Int) -> Double {
    let layers = memory.weights.count
    for layer in 0..<layers {
      memory.forward(layer, rows: rows)
      if layer + 1 < layers { dropUnits(of: memory.values[layer + 1], width: memory.widths[layer + 1], rows: rows) }
    }
    memory.softmax(rows: rows)
    let classes = memory.widths[layers]
    var loss = 0.0
    for row in 0..<rows {
      let (guess, target, delta) = unsafe (memory.values[layers][row], targets[row], deltas[layers - 1][row])
      for unit in 0..<classes {
        let (p, t) = unsafe (guess[unit], target[unit])
        unsafe delta[unit] = (p - t) / Float(rows)
        if t > 0 { loss -= Double(t) * FixedMath.log(Double(max(p, 1e-12))) }
      }
    }
    let kept = Float(1 / (1 - settings.dropout))
    for layer in stride(from: layers - 1, to: 0, by: -1) {
      let (above, below, units) = (deltas[layer], deltas[layer - 1], memory.widths[layer + 1])
      below.clear()
      let width = memory.width(layer)
      for row in 0..<rows {
        let (factors, sum, value) = unsafe (above[row], below[row], memory.values[layer][row])
        for unit in 0..<units where unsafe factors[unit] != 0 {
          unsafe FloatKernels.add(factors[unit], memory.weights[layer][unit], to: sum, width: width)
        }
        unsafe FloatKernels.mask(sum, by: UnsafePointer(value), factor: kept, width: width)
      }
    }
    return loss
  }

  /// How much the error grows with each weight of a layer, for the rows of the last pass.
  func gradient(layer: Int, rows: Int) -> (weights: [Float], biases: [Float]) {
    steps[layer].gradient(of: memory.values[layer], deltas[layer], rows: rows, width: memory.widths[layer])
  }

  /// The network as it stands.
  var network: Perceptron { memory.network }

  /// Leaves out units by chance and makes the others stronger.
  private func dropUnits(of values: FloatBuffer, width: Int, rows: Int) {
    guard settings.dropout > 0 else { return }
    let threshold = SIMD4<UInt32>(repeating: UInt32(settings.dropout * 65536))
    let factor = Float(1 / (1 - settings.dropout))
    var random = random
    defer { self.random = random }
    for row in 0..<rows {
      let numbers = unsafe values[row]
      for unit in stride(from: 0, to: width, by: 4) {
        // What stands behind the last unit is 0 and stays so.
        let drawn = SIMD4<UInt32>(truncatingIfNeeded: SIMD4<UInt16>(bits: random.bits()))
        let value = unsafe FloatKernels.four(UnsafePointer(numbers), unit) * factor
        unsafe FloatKernels.store(value.replacing(with: 0, where: drawn .< threshold), numbers, unit)
      }
    }
  }

  private func update(rows: Int, total: Int) {
    var rate = settings.learningRate
    if settings.fallsToZero {
      let turn = Double.pi * Double(stepCount) / Double(max(1, total))
      rate *= min(1, Double(stepCount) / Double(max(1, settings.warmUpSteps)))
      rate *= 0.5 * (1 + FixedMath.cosineAndSine(radians: turn).cosine)
    }
    decayOfMoments.0 *= AdamSteps.firstDecay
    decayOfMoments.1 *= AdamSteps.secondDecay
    let rates = AdamSteps.Rates(
      rate: Float(rate / (1 - decayOfMoments.0)), secondFactor: Float(1 / (1 - decayOfMoments.1)),
      kept: Float(1 - rate * settings.weightDecay))
    for layer in steps.indices {
      steps[layer].update(
        memory.weights[layer], memory.biases[layer], by: memory.values[layer], deltas[layer], rows: rows, rates)
    }
  }
}

extension SIMD4<UInt16> {
  /// The four quarters of a word, the lowest first.
  @inline(__always)
  fileprivate init(bits word: UInt64) {
    func quarter(_ number: UInt64) -> UInt16 { UInt16(truncatingIfNeeded: word &>> (16 &* number)) }
    self.init(quarter(0), quarter(1), quarter(2), quarter(3))
  }
}
