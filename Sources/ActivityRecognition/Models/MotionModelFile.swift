internal import TextFormats

/// Why the bytes of a file are no model that can be used.
package struct MotionModelError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The byte at which it was found, where there is one.
  package let byte: Int?
  /// What is wrong and what was expected.
  package let problem: String

  /// `byte 8: …`.
  package var description: String { (byte.map { "byte \($0): " } ?? "") + problem }
}

/// The file of a model: a mark, a version, a header in JSON, numbers as little-endian float32, a checksum.
///
///     0   8  "coachmot"
///     8   4  version, 2; in 1 all labels have the same limits of unknown
///     12  4  bytes of the header
///     16     header, JSON
///            means, spreads; of each network weights and offsets of each layer; centres and triangle of unknown; factors of the
///            rehearsal rows; their labels, two bytes each; their values, a byte each
///        32  SHA-256 of everything before
package enum MotionModelFile {
  /// The version that is written, and the newest that can be read.
  package static let version: UInt32 = 2
  /// The largest file that is read.
  package static let largestFile = 256 << 20
  private static let mark = Array("coachmot".utf8)
  private static let checksumBytes = 32
  private static let widestLayer = 4_096

  /// How large the numbers of a model may be. Those of trained models stay below a millionth of each, and with all at their limits
  /// every sum of the networks of ``NetworkKind`` and of the distances is finite in a Float.
  private enum Largest {
    /// A weight, an offset, a number of the triangle of unknown.
    static let weight: Float = 1e6
    /// A mean or a spread of features.
    static let feature: Float = 1e24
    /// A number of a centre, and what any inputs can make of a unit.
    static let unit: Float = 1e27
    /// A factor of a rehearsal row: inputs are at most ``FeatureScale/noLimit``.
    static let factor: Float = 1e9
  }

  /// The bytes of a model, the same for the same model.
  package static func bytes(of model: MotionModel) -> [UInt8] {
    var writer = JSONWriter()
    MotionModelHeader(of: model).write(to: &writer)
    let header = writer.bytes
    var bytes = mark
    bytes.appendLittleEndian(version)
    bytes.appendLittleEndian(UInt32(header.count))
    bytes += header
    func append(_ numbers: [Float]) {
      for number in numbers { bytes.appendLittleEndian(number.bitPattern) }
    }
    append(model.ensemble.scale.means)
    append(model.ensemble.scale.spreads)
    for network in model.ensemble.networks {
      for layer in 0..<network.layers {
        append(network.weights[layer])
        append(network.biases[layer])
      }
    }
    append(model.unknown.centres)
    append(model.unknown.whitening)
    append(model.rehearsal.factors)
    for label in model.rehearsal.labels { bytes.appendLittleEndian(UInt16(truncatingIfNeeded: label)) }
    for value in model.rehearsal.values { bytes.append(UInt8(bitPattern: value)) }
    var hash = SHA256()
    hash.update(bytes.span)
    return bytes + hash.finish()
  }

  /// Reads a model.
  ///
  /// - Throws: `MotionModelError` for what is no model, is of a newer version, is damaged, or has features that are computed
  ///   in another way here.
  package static func model(from bytes: Span<UInt8>) throws(MotionModelError) -> MotionModel {
    guard bytes.count >= 16, mark.indices.allSatisfy({ bytes[$0] == mark[$0] }) else {
      throw MotionModelError(byte: 0, problem: "expected a motion model, which begins with \"coachmot\"")
    }
    let version = bytes.littleEndian(UInt32.self, at: 8)
    guard (1...Self.version).contains(version) else {
      throw MotionModelError(
        byte: 8, problem: "a model of version \(version): expected version 1 or \(Self.version)")
    }
    let headerEnd = 16 + Int(bytes.littleEndian(UInt32.self, at: 12))
    guard headerEnd <= bytes.count - checksumBytes else {
      throw MotionModelError(
        byte: 12, problem: "a header of \(headerEnd - 16) bytes: expected one that ends in the file")
    }
    let end = bytes.count - checksumBytes
    var hash = SHA256()
    hash.update(bytes.extracting(first: end))
    let sum = hash.finish()
    guard sum.indices.allSatisfy({ sum[$0] == bytes[end + $0] }) else {
      throw MotionModelError(byte: end, problem: "damaged: expected another checksum for the bytes before it")
    }
    let header: MotionModelHeader
    do throws(JSONError) {
      header = try MotionModelHeader(json: bytes.extracting(16..<headerEnd))
    } catch {
      throw MotionModelError(byte: 16, problem: "header: \(error)")
    }
    return try model(header, bytes.extracting(headerEnd..<end), at: headerEnd)
  }

  private static func model(
    _ header: MotionModelHeader, _ bytes: Span<UInt8>, at start: Int
  ) throws(MotionModelError) -> MotionModel {
    let expected = header.network.features.hash(header.shape)
    guard header.featureHash == expected else {
      throw MotionModelError(
        byte: 16, problem: "features \(header.featureHash): expected \(expected), which is what this version computes")
    }
    let widths = header.widths
    guard widths.first == header.network.features.count(header.shape), widths.last == header.labels.count,
      widths.allSatisfy({ (1...widestLayer).contains($0) })
    else { throw MotionModelError(byte: 16, problem: "header: expected widths that fit features and labels") }
    if let label = header.labels.firstRepeated {
      throw MotionModelError(byte: 16, problem: "header: label \(label) twice: expected each once")
    }
    guard !header.labels.contains(MotionModel.unknownLabel) else {
      throw MotionModelError(byte: 16, problem: "header: \(MotionTrainingProblem.reservedLabel)")
    }
    let hidden = widths[widths.count - 2]
    let parameters = zip(widths, widths.dropFirst()).reduce(0) { $0 + ($1.0 + 1) * $1.1 }
    let limits = header.labels.count * hidden + UnknownLimits.triangle(hidden)
    let floats = 2 * widths[0] + header.networks * parameters + limits + header.rehearsalRows
    let needed = floats * 4 + header.rehearsalRows * (2 + widths[0])
    guard needed == bytes.count else {
      throw MotionModelError(
        byte: start, problem: "\(bytes.count) bytes of numbers: expected \(needed) by the header")
    }
    var cursor = NumberCursor(start: start)
    let scale = FeatureScale(
      means: try cursor.floats(widths[0], bytes, atMost: Largest.feature),
      spreads: try cursor.positiveFloats(widths[0], bytes, atMost: Largest.feature), limit: header.scaleLimit)
    var networks: [Perceptron] = []
    for _ in 0..<header.networks {
      let place = cursor.byte
      var (weights, biases): ([[Float]], [[Float]]) = ([], [])
      for layer in 0..<widths.count - 1 {
        weights.append(try cursor.floats(widths[layer] * widths[layer + 1], bytes, atMost: Largest.weight))
        biases.append(try cursor.floats(widths[layer + 1], bytes, atMost: Largest.weight))
      }
      let network = Perceptron(widths: widths, weights: weights, biases: biases)
      guard network.largestUnit(ofInputsUpTo: scale.limit) <= Double(Largest.unit) else {
        throw MotionModelError(
          byte: place, problem: "weights whose sums become too large: expected those of a trained network")
      }
      networks.append(network)
    }
    let unknown = UnknownLimits(
      centres: try cursor.floats(header.labels.count * hidden, bytes, atMost: Largest.unit),
      whitening: try cursor.floats(UnknownLimits.triangle(hidden), bytes, atMost: Largest.weight),
      leastProbabilities: header.leastProbabilities, largestDistances: header.largestDistances)
    let factors = try cursor.floats(header.rehearsalRows, bytes, atMost: Largest.factor)
    let labels = try cursor.labels(header.rehearsalRows, below: header.labels.count, bytes)
    let rehearsal = RehearsalRows(
      labels: labels, factors: factors, values: cursor.bytes(header.rehearsalRows * widths[0], bytes), width: widths[0])
    return MotionModel(
      network: header.network, shape: header.shape, usesRotationRate: header.usesRotationRate, labels: header.labels,
      ensemble: NetworkEnsemble(scale: scale, networks: networks), unknown: unknown, rehearsal: rehearsal,
      origin: header.origin)
  }
}

/// Takes numbers from bytes, one after another; there are enough.
private struct NumberCursor {
  let start: Int
  private var place = 0

  init(start: Int) { self.start = start }

  /// The byte of the next number.
  var byte: Int { start + place }

  mutating func floats(
    _ count: Int, _ span: Span<UInt8>, atMost largest: Float
  ) throws(MotionModelError) -> [Float] {
    var numbers: [Float] = []
    numbers.reserveCapacity(count)
    for _ in 0..<count {
      let number = Float(bitPattern: span.littleEndian(UInt32.self, at: place))
      guard number.isFinite else {
        throw MotionModelError(byte: start + place, problem: "not a finite number: expected a weight")
      }
      guard number.magnitude <= largest else {
        throw MotionModelError(
          byte: start + place, problem: "a number of \(number): expected a magnitude of at most \(largest)")
      }
      numbers.append(number)
      place += 4
    }
    return numbers
  }

  mutating func positiveFloats(
    _ count: Int, _ span: Span<UInt8>, atMost largest: Float
  ) throws(MotionModelError) -> [Float] {
    let begin = place
    let numbers = try floats(count, span, atMost: largest)
    if let index = numbers.firstIndex(where: { $0 < 1e-9 }) {
      throw MotionModelError(byte: start + begin + 4 * index, problem: "a spread that is not above 0")
    }
    return numbers
  }

  mutating func labels(_ count: Int, below limit: Int, _ span: Span<UInt8>) throws(MotionModelError) -> [Int] {
    var numbers: [Int] = []
    for _ in 0..<count {
      let number = Int(span.littleEndian(UInt16.self, at: place))
      guard number < limit else {
        throw MotionModelError(byte: start + place, problem: "label \(number): expected one below \(limit)")
      }
      numbers.append(number)
      place += 2
    }
    return numbers
  }

  mutating func bytes(_ count: Int, _ span: Span<UInt8>) -> [Int8] {
    defer { place += count }
    return (place..<place + count).map { Int8(bitPattern: span[$0]) }
  }
}

extension Perceptron {
  /// The largest magnitude that any unit can reach for inputs of at most one; infinite beyond the largest number.
  fileprivate func largestUnit(ofInputsUpTo limit: Float) -> Double {
    var (reach, largest) = (Double(limit), 0.0)
    for layer in weights.indices {
      let width = widths[layer]
      reach = biases[layer].indices.reduce(0) { most, unit in
        let sum = weights[layer][unit * width..<(unit + 1) * width].reduce(0) { $0 + Double($1.magnitude) }
        return max(most, sum * reach + Double(biases[layer][unit].magnitude))
      }
      largest = max(largest, reach)
    }
    return largest
  }
}

extension [String] {
  /// The first that was there before.
  fileprivate var firstRepeated: String? {
    var seen: Set<String> = []
    return first { !seen.insert($0).inserted }
  }
}
