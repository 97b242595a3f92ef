import TestSupport
import Testing

@testable import ActivityRecognition

/// Points around a centre for each of three classes.
private func table(seed: UInt64, rows: Int, width: Int) -> FeatureTable {
  var random = SplitMix64(seed: seed)
  var (values, labels): ([Float], [Int]) = ([], [])
  for row in 0..<rows {
    let label = row % 3
    labels.append(label)
    for column in 0..<width { values.append(Float(random.unit() - 0.5) + (column % 3 == label ? 1.5 : 0)) }
  }
  return FeatureTable(width: width, values: values, labels: labels, persons: labels)
}

private func settings(epochs: Int) -> TrainingSettings {
  var settings = TrainingSettings(epochs: epochs)
  (settings.batch, settings.fewestSteps) = (16, 0)
  return settings
}

@Suite("Networks")
struct NetworkTests {
  @Test("Gradients are those of finite differences")
  func gradients() {
    let table = table(seed: 1, rows: 8, width: 5)
    var settings = settings(epochs: 1)
    (settings.dropout, settings.mixup) = (0, 0)
    let scale = FeatureScale(unchanged: 5)
    let network = Perceptron(widths: [5, 7, 6, 3], seed: 2)
    func loss(_ network: Perceptron) -> Double {
      let training = PerceptronTraining(network, table, rows: Array(0..<8), scale: scale, settings, seed: 0)
      training.load(Array(0..<8)[...])
      return training.pass(rows: 8) / 8
    }
    let training = PerceptronTraining(network, table, rows: Array(0..<8), scale: scale, settings, seed: 0)
    training.load(Array(0..<8)[...])
    _ = training.pass(rows: 8)
    for layer in 0..<3 {
      let gradient = training.gradient(layer: layer, rows: 8)
      for place in gradient.weights.indices {
        var (more, less) = (network, network)
        more.weights[layer][place] += 0.001
        less.weights[layer][place] -= 0.001
        let expected = (loss(more) - loss(less)) / 0.002
        #expect(abs(Double(gradient.weights[place]) - expected) < 2e-3, "layer \(layer), weight \(place)")
      }
      for place in gradient.biases.indices {
        var (more, less) = (network, network)
        more.biases[layer][place] += 0.001
        less.biases[layer][place] -= 0.001
        let expected = (loss(more) - loss(less)) / 0.002
        #expect(abs(Double(gradient.biases[place]) - expected) < 2e-3, "layer \(layer), offset \(place)")
      }
    }
  }

  @Test("The same seed gives the same networks, on one thread and on two; another seed gives others")
  func sameBytes() {
    let table = table(seed: 3, rows: 60, width: 9)
    func trained(seed: UInt64, threads: Int) -> NetworkEnsemble {
      NetworkEnsemble.trained(
        table, rows: Array(0..<60), classes: 3, .compact, settings(epochs: 2), seed: seed, threads: threads, seeds: 3
      ) { _ in }
    }
    let first = trained(seed: 1, threads: 1)
    #expect(first == trained(seed: 1, threads: 1))
    #expect(first == trained(seed: 1, threads: 2))
    #expect(first != trained(seed: 2, threads: 1))
    #expect(Set(first.networks).count == 3)
  }

  @Test("Classes that lie apart are learned")
  func learns() {
    let (learned, tested) = (table(seed: 4, rows: 240, width: 6), table(seed: 5, rows: 60, width: 6))
    let ensemble = NetworkEnsemble.trained(
      learned, rows: Array(0..<240), classes: 3, .compact, settings(epochs: 12), seed: 0, threads: 1
    ) { _ in }
    let answers = MotionTrainer.answers(ensemble, tested, rows: Array(0..<60))
    #expect(answers.counts.accuracy > 0.95)
    let areProbabilities = answers.best.allSatisfy { (0...1).contains($0) }
    #expect(areProbabilities)
  }

  @Test("Products are the same however many rows are worked on at once")
  func products() {
    var random = SplitMix64(seed: 6)
    let (x, w) = (FloatBuffer(rows: 6, width: 13), FloatBuffer(rows: 5, width: 13))
    func values(_ count: Int) -> [Float] { (0..<count).map { _ in Float(random.unit() - 0.5) } }
    x.load(values(6 * 13), width: 13)
    w.load(values(5 * 13), width: 13)
    let bias = FloatBuffer(rows: 1, width: 5)
    bias.load(values(5), width: 5)
    let together = FloatBuffer(rows: 6, width: 5)
    FloatKernels.products(x, rows: 6, w, units: 5, width: 16, bias: bias, into: together)
    for row in 0..<6 {
      for unit in 0..<5 {
        let single = unsafe FloatKernels.product(x[row], w[unit], 16) + bias[0][unit]
        let value = unsafe together[row][unit]
        #expect(value.bitPattern == single.bitPattern, "row \(row), unit \(unit)")
      }
    }
  }

  @Test(
    "Eight and sixteen numbers at once come to the same bytes as four", .enabled(if: VectorWidth.widest > .four),
    arguments: [(1, 3, 5), (8, 3, 4), (9, 4, 33), (16, 5, 64), (29, 7, 70), (31, 1, 200), (64, 9, 129)])
  func severalAtOnce(rows: Int, units: Int, width: Int) {
    var random = SplitMix64(seed: UInt64(rows))
    func buffer(_ rows: Int, _ width: Int, sparse: Bool = false) -> FloatBuffer {
      let buffer = FloatBuffer(rows: rows, width: width)
      buffer.load(
        (0..<rows * width).map { _ in sparse && random.chance(0.4) ? 0 : Float(random.unit() - 0.5) }, width: width)
      return buffer
    }
    let (x, bias, deltas) = (buffer(rows, width), buffer(1, units), buffer(rows, units, sparse: true))
    let weights = buffer(units, width)
    func outcome(_ vectors: VectorWidth) -> [[UInt32]] {
      let (w, offsets, out) = (
        FloatBuffer(rows: units, width: width), FloatBuffer(rows: 1, width: units),
        FloatBuffer(rows: rows, width: units)
      )
      w.load(weights.values(width: width), width: width)
      offsets.load(bias.values(width: units), width: units)
      let steps = AdamSteps(inputs: width, units: units, rows)
      for step in 1...3 {
        let rates = AdamSteps.Rates(rate: 0.01 / Float(step), secondFactor: 1.5, kept: 0.999)
        steps.update(w, offsets, by: x, deltas, rows: rows, rates, vectors: vectors)
      }
      FloatKernels.products(
        x, rows: rows, w, units: units, width: (width + 3) / 4 * 4, bias: offsets, into: out, vectors: vectors)
      return [w.values(width: width), offsets.values(width: units), out.values(width: units)].map {
        $0.map(\.bitPattern)
      }
    }
    let narrow = outcome(.four)
    for vectors in VectorWidth.allCases where vectors > .four && vectors <= .widest {
      let wide = outcome(vectors)
      #expect(wide[0] == narrow[0], "weights, \(vectors)")
      #expect(wide[1] == narrow[1], "offsets, \(vectors)")
      #expect(wide[2] == narrow[2], "products, \(vectors)")
    }
    #expect(narrow[0] != weights.values(width: width).map(\.bitPattern), "a step was made")
  }

  @Test("A network that is published stops when its error is small enough")
  func errorThreshold() {
    let table = table(seed: 7, rows: 60, width: 6)
    var settings = TrainingSettings.published
    (settings.epochs, settings.batch, settings.learningRate) = (200, 10, 0.02)
    var losses: [Double] = []
    let training = PerceptronTraining(
      Perceptron(widths: [6, 12, 3], seed: 1), table, rows: Array(0..<60), scale: FeatureScale(unchanged: 6), settings,
      seed: 1)
    _ = training.run { losses.append($0.loss) }
    #expect(losses.count < 200)
    let goesOn = losses.dropLast().allSatisfy { $0 > 0.05 }
    #expect(goesOn)
    #expect((losses.last ?? 1) <= 0.05)
  }
}

@Suite("Counts of what windows were taken for")
struct ConfusionTests {
  @Test("Figures are those by hand, and labels that do not occur are left out")
  func figures() {
    var counts = ConfusionCounts(labels: 3)
    for _ in 0..<6 { counts.add(0, taken: 0) }
    for _ in 0..<2 { counts.add(0, taken: 1) }
    for _ in 0..<2 { counts.add(1, taken: 1) }
    #expect(counts.accuracy == 0.8)
    #expect(counts.f1[0] == 12.0 / 14)
    #expect(counts.f1[1] == 4.0 / 6)
    #expect(counts.f1[2] == nil)
    #expect(abs(counts.macroF1 - (12.0 / 14 + 4.0 / 6) / 2) < 1e-12)
  }
}
