import TestSupport
import Testing
import TextFormats

@testable import ActivityRecognition

/// A model of the least size, with weights by chance.
private func model(seed: UInt64) -> MotionModel {
  var random = SplitMix64(seed: seed)
  func numbers(_ count: Int) -> [Float] { (0..<count).map { _ in Float(random.unit() - 0.5) } }
  let widths = [300, 2, 3]
  let network = Perceptron(
    widths: widths, weights: [numbers(600), numbers(6)], biases: [numbers(2), numbers(3)])
  return MotionModel(
    network: .swiftHAR, shape: .standard, usesRotationRate: false, labels: ["run", "stand", "walk"],
    ensemble: NetworkEnsemble(scale: FeatureScale(unchanged: 300), networks: [network, network]),
    unknown: UnknownLimits(
      centres: numbers(6), whitening: numbers(3),
      leastProbabilities: [0.5, 0.25, 0.75], largestDistances: [9, 16, 25]),
    rehearsal: RehearsalRows(
      labels: [0, 2], factors: numbers(2), values: (0..<600).map { _ in Int8(random.int(-127...127)) }, width: 300),
    origin: MotionModel.Origin(
      seed: 18_446_744_073_709_551_615, epochs: 3, people: 4, windows: 50, tunedWindows: 0,
      training: .init(macroF1: 0.9, accuracy: 0.95),
      heldOut: .init(people: 1, windows: 9, figures: .init(macroF1: 0.8, accuracy: 0.85))))
}

private func problem(_ bytes: [UInt8]) -> String? {
  do {
    _ = try MotionModelFile.model(from: bytes.span)
    return nil
  } catch {
    return "\(error)"
  }
}

/// The same bytes with a checksum that is right.
private func sealed(_ bytes: [UInt8]) -> [UInt8] {
  let body = Array(bytes.dropLast(32))
  var hash = SHA256()
  hash.update(body.span)
  return body + hash.finish()
}

@Suite("Files of models")
struct MotionModelTests {
  @Test("A model is read as it was written")
  func roundTrip() throws {
    let bytes = MotionModelFile.bytes(of: model(seed: 1))
    let read = try MotionModelFile.model(from: bytes.span)
    #expect(read == model(seed: 1))
    #expect(MotionModelFile.bytes(of: model(seed: 1)) == bytes)
  }

  @Test("A file that is cut at any byte is refused in one line")
  func cut() {
    let bytes = MotionModelFile.bytes(of: model(seed: 2))
    let places = Array(0..<64) + Array(stride(from: 64, to: bytes.count, by: 41)) + [bytes.count - 1]
    for count in places {
      let line = problem(Array(bytes.prefix(count)))
      #expect(line != nil, "cut at \(count)")
      #expect(line?.contains("\n") != true, "cut at \(count)")
    }
  }

  @Test("A file with a byte that is changed is refused in one line")
  func changed() {
    let bytes = MotionModelFile.bytes(of: model(seed: 3))
    let places =
      Array(0..<40) + Array(stride(from: 40, to: bytes.count, by: 53)) + Array(bytes.count - 32..<bytes.count)
    for place in places {
      var damaged = bytes
      damaged[place] ^= 0x10
      let line = problem(damaged)
      #expect(line != nil, "byte \(place)")
      #expect(line?.contains("\n") != true, "byte \(place)")
    }
  }

  @Test(
    "A file whose checksum is right and whose bytes are not never ends the program",
    arguments: 1...6 as ClosedRange<UInt64>)
  func sealedDamage(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let bytes = MotionModelFile.bytes(of: model(seed: seed))
    for _ in 0..<40 {
      var damaged = bytes
      for _ in 0..<random.int(1...3) { damaged[random.int(8...1_300)] = UInt8(random.int(0...255)) }
      if let line = problem(sealed(damaged)) { #expect(!line.contains("\n"), "seed \(seed)") }
    }
  }

  /// The bytes of a model with other texts in its header.
  private func rewritten(_ bytes: [UInt8], version: UInt8, _ changes: [(String, String)]) throws -> [UInt8] {
    let length = Int(bytes[12]) | Int(bytes[13]) << 8 | Int(bytes[14]) << 16 | Int(bytes[15]) << 24
    var header = String(decoding: bytes[16..<16 + length], as: UTF8.self)
    for (present, other) in changes {
      header.replaceSubrange(try #require(header.firstRange(of: present)), with: other)
    }
    let count = header.utf8.count
    let counted = (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    return sealed(Array(bytes[..<8]) + [version, 0, 0, 0] + counted + Array(header.utf8) + bytes[(16 + length)...])
  }

  @Test("A model of version 1 has the same limits of unknown for all labels")
  func first() throws {
    let old = try rewritten(
      MotionModelFile.bytes(of: model(seed: 4)), version: 1,
      [
        (#""leastProbabilities":[0.5,0.25,0.75]"#, #""leastProbability":0.5"#),
        (#""largestDistances":[9,16,25]"#, #""largestDistance":9"#),
      ])
    let limits = try MotionModelFile.model(from: old.span).unknown
    #expect(limits.leastProbabilities == [0.5, 0.5, 0.5])
    #expect(limits.largestDistances == [9, 9, 9])
  }

  @Test("As many limits of unknown as labels are expected")
  func fewLimits() throws {
    let bytes = MotionModelFile.bytes(of: model(seed: 4))
    for limits in ["[9,16]", "[9,16,25,36]", "[]", "9"] {
      let other = try rewritten(
        bytes, version: 2, [(#""largestDistances":[9,16,25]"#, #""largestDistances":\#(limits)"#)])
      #expect(problem(other) != nil, "\(limits)")
    }
  }

  /// The bytes of a model with one of its numbers replaced, counted from the first behind the header.
  private func replacing(_ number: Int, by value: Float, in bytes: [UInt8]) -> [UInt8] {
    var other = bytes
    let place = numbersBegin(bytes) + 4 * number
    for byte in 0..<4 { other[place + byte] = UInt8(truncatingIfNeeded: value.bitPattern >> (8 * byte)) }
    return sealed(other)
  }

  private func numbersBegin(_ bytes: [UInt8]) -> Int {
    16 + (0..<4).reduce(0) { $0 | Int(bytes[12 + $1]) << (8 * $1) }
  }

  @Test(
    "A number beyond all that is learned is refused with its byte",
    arguments: [
      // Means, spreads, weights and offsets of the first network, its last offset, the second one's first weight.
      (0, 1e25), (300, 1e25), (600, 2e6), (1_200, -2e6), (1_210, 3e38), (1_211, 2e6),
      // A centre, the triangle of unknown, a factor of the rehearsal rows.
      (1_822, 1e28), (1_828, 2e6), (1_831, 1e10),
    ] as [(Int, Float)])
  func tooLarge(number: Int, value: Float) {
    let bytes = MotionModelFile.bytes(of: model(seed: 5))
    let line = problem(replacing(number, by: value, in: bytes))
    let place = numbersBegin(bytes) + 4 * number
    let expected = "byte \(place): a number of \(value): expected a magnitude of at most "
    #expect(line?.hasPrefix(expected) == true, "\(line ?? "")")
    #expect(problem(replacing(number, by: 1_000, in: bytes)) == nil)
  }

  @Test("A network whose sums become too large over many layers is refused, though each weight is within its limit")
  func manyLayers() {
    let base = model(seed: 6)
    func bytes(_ weight: Float) -> [UInt8] {
      let widths = [300, 2, 2, 2, 2, 2, 3]
      let network = Perceptron(
        widths: widths,
        weights: zip(widths, widths.dropFirst()).map { Array(repeating: weight, count: $0 * $1) },
        biases: widths.dropFirst().map { Array(repeating: 0, count: $0) })
      return MotionModelFile.bytes(
        of: MotionModel(
          network: base.network, shape: base.shape, usesRotationRate: false, labels: base.labels,
          ensemble: NetworkEnsemble(scale: base.ensemble.scale, networks: [network]), unknown: base.unknown,
          rehearsal: base.rehearsal, origin: base.origin))
    }
    #expect(problem(bytes(10)) == nil)
    let line = problem(bytes(1e6))
    #expect(line?.hasSuffix("weights whose sums become too large: expected those of a trained network") == true)
  }

  @Test("A limit of unknown that no float has is refused")
  func infiniteLimit() throws {
    let other = try rewritten(
      MotionModelFile.bytes(of: model(seed: 4)), version: 2,
      [(#""largestDistances":[9,16,25]"#, #""largestDistances":[9,16,3.45e38]"#)])
    #expect(problem(other)?.hasPrefix("byte 16: header: ") == true)
  }

  @Test("A label that stands twice, and the name of what is not known, are refused")
  func labels() throws {
    let bytes = MotionModelFile.bytes(of: model(seed: 4))
    func line(_ labels: String) throws -> String? {
      problem(try rewritten(bytes, version: 2, [(#"["run","stand","walk"]"#, labels)]))
    }
    #expect(
      try line(#"["run","walk","walk"]"#) == "byte 16: header: label walk twice: expected each once")
    #expect(try line(#"["run","stand","unknown"]"#)?.hasPrefix("byte 16: header: unknown: ") == true)
    #expect(try line(#"["run","Run","Unknown"]"#) == nil)
  }

  @Test("A newer version, other features and other units are reported")
  func foreign() {
    var newer = MotionModelFile.bytes(of: model(seed: 4))
    newer[8] = 3
    #expect(problem(sealed(newer)) == "byte 8: a model of version 3: expected version 1 or 2")
    #expect(problem(Array("{}".utf8)) == "byte 0: expected a motion model, which begins with \"coachmot\"")
    let text = String(decoding: MotionModelFile.bytes(of: model(seed: 4)).prefix(1_500), as: UTF8.self)
    let hash = FeatureSet.rawAcceleration.hash(.standard)
    #expect(text.contains(hash))
    var other = MotionModelFile.bytes(of: model(seed: 4))
    if let place = other.indices.first(where: { other[$0...].starts(with: hash.utf8) }) {
      other[place] = other[place] == 48 ? 49 : 48
    }
    #expect(problem(sealed(other))?.hasSuffix("expected \(hash), which is what this version computes") == true)
  }
}
