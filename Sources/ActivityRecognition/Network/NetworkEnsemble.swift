/// Networks whose probabilities are averaged, with the scale of what they are given.
package struct NetworkEnsemble: Hashable, Sendable {
  /// The scale.
  package let scale: FeatureScale
  /// The networks, of the same widths.
  package let networks: [Perceptron]

  /// How many classes come out.
  package var classes: Int { networks.first?.widths.last ?? 0 }
  /// How many numbers go in.
  package var inputs: Int { scale.means.count }
  /// How many units the last layer before the classes has.
  package var hiddenWidth: Int { networks.first?.widths.dropLast().last ?? 0 }

  /// Networks of one scale.
  package init(scale: FeatureScale, networks: [Perceptron]) {
    self.scale = scale
    self.networks = networks
  }

  /// Trains networks on some rows of a table, each from a seed of its own, and each on those copies that are its own.
  ///
  /// - Parameters:
  ///   - start: what each begins with, in place of chance.
  ///   - progress: called after each epoch of each network, from any thread.
  package static func trained(
    _ table: FeatureTable, rows: [Int], classes: Int, _ kind: NetworkKind, _ settings: TrainingSettings, seed: UInt64,
    threads: Int, seeds: Int? = nil, from start: NetworkEnsemble? = nil, progress: @Sendable (Double) -> Void
  ) -> NetworkEnsemble {
    let count = start?.networks.count ?? seeds ?? kind.seeds
    let taught = (0..<count).map { table.rows(rows, for: $0) }
    let scale =
      start?.scale
      ?? (kind.features == .motion ? FeatureScale(of: table, rows: taught[0]) : FeatureScale(unchanged: table.width))
    let widths = [table.width] + kind.hiddenWidths + [classes]
    let networks = OrderedWork.map(count, threads: threads) { number in
      let ownSeed = seed &+ UInt64(number)
      let network = start?.networks[number] ?? Perceptron(widths: widths, seed: ownSeed)
      let training = PerceptronTraining(network, table, rows: taught[number], scale: scale, settings, seed: ownSeed)
      return training.run { progress($0.loss) }
    }
    return NetworkEnsemble(scale: scale, networks: networks)
  }
}

/// Networks where they can be asked. Only one thread may use it at a time.
final class EnsembleRunner {
  /// How many rows are worked on at once.
  static let rowsAtOnce = 64

  private let ensemble: NetworkEnsemble
  private let scale: ScaleMemory
  private let memories: [PerceptronMemory]

  init(_ ensemble: NetworkEnsemble) {
    self.ensemble = ensemble
    scale = ScaleMemory(ensemble.scale)
    memories = ensemble.networks.map { PerceptronMemory($0, batch: Self.rowsAtOnce) }
  }

  /// What the networks make of rows of features that stand one after another.
  ///
  /// - Parameter body: gets for each row the probabilities of the classes, none of which is a number where the networks made none
  ///   of the row, and what the units before them are in the first network.
  func run(_ features: ArraySlice<Float>, _ body: (_ probabilities: [Float], _ hidden: [Float]) -> Void) {
    let (inputs, classes, hidden) = (ensemble.inputs, ensemble.classes, ensemble.hiddenWidth)
    let count = features.count / inputs
    for start in stride(from: 0, to: count, by: Self.rowsAtOnce) {
      let rows = min(Self.rowsAtOnce, count - start)
      unsafe features.withUnsafeBufferPointer { features in
        guard let base = features.baseAddress else { return }
        for memory in memories {
          for row in 0..<rows {
            unsafe scale.write(
              base + (start + row) * inputs, times: 1, adding: false, into: memory.values[0][row])
          }
          for layer in memory.weights.indices { memory.forward(layer, rows: rows) }
          memory.softmax(rows: rows)
        }
      }
      for row in 0..<rows {
        var probabilities = [Float](repeating: 0, count: classes)
        for memory in memories {
          let output = unsafe memory.values[memory.weights.count][row]
          for unit in 0..<classes { unsafe probabilities[unit] += output[unit] }
        }
        for unit in 0..<classes { probabilities[unit] /= Float(memories.count) }
        let before = memories[0].weights.count - 1
        let units = unsafe memories[0].values[before][row]
        body(probabilities, (0..<hidden).map { unsafe units[$0] })
      }
    }
  }
}

extension [Float] {
  /// The place of the largest number, the first of equals.
  var indexOfLargest: Int {
    var best = 0
    for index in indices where self[index] > self[best] { best = index }
    return best
  }
}
