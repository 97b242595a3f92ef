/// A network of layers: every unit of one is connected to every unit of the next, with max(0, x) between them and softmax at the
/// end.
package struct Perceptron: Hashable, Sendable {
  /// How many numbers go in, how many units each layer has, how many classes come out.
  package let widths: [Int]
  /// The weights of each layer: a row of the width before it for each unit.
  package internal(set) var weights: [[Float]]
  /// The offsets of each layer.
  package internal(set) var biases: [[Float]]

  /// A network of given weights.
  ///
  /// - Precondition: there are as many as the widths need.
  package init(widths: [Int], weights: [[Float]], biases: [[Float]]) {
    precondition(widths.count > 1 && weights.count == widths.count - 1 && biases.count == weights.count)
    for layer in weights.indices {
      precondition(
        weights[layer].count == widths[layer] * widths[layer + 1] && biases[layer].count == widths[layer + 1])
    }
    self.widths = widths
    self.weights = weights
    self.biases = biases
  }

  /// A network that has learned nothing. Its weights are normal with a variance of 2 over the width before, 1 for the last layer.
  ///
  /// Source: He et al. 2015, arXiv 1502.01852, equation 10.
  package init(widths: [Int], seed: UInt64) {
    var weights: [[Float]] = []
    for layer in 0..<widths.count - 1 {
      var random = SeededRandom(seed: seed, UInt64(layer), 3)
      let gain: Double = layer < widths.count - 2 ? 2 : 1
      let spread = (gain / Double(widths[layer])).squareRoot()
      weights.append((0..<widths[layer] * widths[layer + 1]).map { _ in Float(random.normal() * spread) })
    }
    self.init(widths: widths, weights: weights, biases: widths.dropFirst().map { Array(repeating: 0, count: $0) })
  }

  /// How many layers have weights.
  package var layers: Int { weights.count }
  /// How many weights and offsets there are.
  package var parameterCount: Int { zip(weights, biases).reduce(0) { $0 + $1.0.count + $1.1.count } }

  /// The same with one more class, which nothing leads to yet.
  func addingClass() -> Perceptron {
    var (widths, weights, biases) = (widths, weights, biases)
    widths[widths.count - 1] += 1
    weights[weights.count - 1] += Array(repeating: 0, count: widths[widths.count - 2])
    // As unlikely as the least likely of the others at first.
    biases[biases.count - 1].append((biases[biases.count - 1].min() ?? 0) - 1)
    return Perceptron(widths: widths, weights: weights, biases: biases)
  }
}

/// The weights of a network where they can be worked with, and what its layers make of some rows. Only one thread may use it at
/// a time.
final class PerceptronMemory {
  let widths: [Int]
  let batch: Int
  let weights: [FloatBuffer]
  let biases: [FloatBuffer]
  /// What goes into each layer, and what comes out of the last.
  let values: [FloatBuffer]

  /// Makes room for so many rows at once.
  init(_ network: Perceptron, batch: Int) {
    widths = network.widths
    self.batch = batch
    weights = (0..<network.layers).map { layer in
      let buffer = FloatBuffer(rows: network.widths[layer + 1], width: network.widths[layer])
      buffer.load(network.weights[layer], width: network.widths[layer])
      return buffer
    }
    biases = (0..<network.layers).map { layer in
      let buffer = FloatBuffer(rows: 1, width: network.widths[layer + 1])
      buffer.load(network.biases[layer], width: network.widths[layer + 1])
      return buffer
    }
    values = network.widths.map { FloatBuffer(rows: batch, width: $0) }
  }

  /// The network as it stands.
  var network: Perceptron {
    Perceptron(
      widths: widths, weights: weights.indices.map { weights[$0].values(width: widths[$0]) },
      biases: biases.indices.map { biases[$0].values(width: widths[$0 + 1]) })
  }

  /// How many numbers of a row count, rounded up to those that are loaded at once.
  func width(_ layer: Int) -> Int { (widths[layer] + 3) / 4 * 4 }

  /// Computes the values of a layer from those before it; between layers what is below 0 is 0.
  func forward(_ layer: Int, rows: Int) {
    let (input, output) = (values[layer], values[layer + 1])
    let units = widths[layer + 1]
    FloatKernels.products(
      input, rows: rows, weights[layer], units: units, width: width(layer), bias: biases[layer], into: output)
    guard layer + 1 < weights.count else { return }
    for row in 0..<rows { unsafe FloatKernels.clipNegative(output[row], width: self.width(layer + 1)) }
  }

  /// Makes probabilities of what comes out of the last layer; none of them is a number where not all that comes out is finite.
  func softmax(rows: Int) {
    let (output, classes) = (values[values.count - 1], widths[widths.count - 1])
    for row in 0..<rows {
      let numbers = unsafe output[row]
      var largest = unsafe numbers[0]
      for unit in 1..<classes { largest = unsafe max(largest, numbers[unit]) }
      // The exponential of what is no number is 0, so that it would not be seen afterwards.
      var sum: Float = (0..<classes).allSatisfy { unsafe numbers[$0].isFinite } ? 0 : .nan
      for unit in 0..<classes {
        let value = unsafe Float(FixedMath.exp(Double(numbers[unit] - largest)))
        unsafe numbers[unit] = value
        sum += value
      }
      for unit in 0..<classes { unsafe numbers[unit] /= sum }
    }
  }
}
