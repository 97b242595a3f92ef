import Foundation
import Testing

/// The numbers of `Fixtures/physiology.json`: calculated once, outside this package, from the published formulas.
struct PhysiologyVectors: Decodable {
  let zonesByAge: [ZonesByAge]
  let floatTrap: [FloatTrap]
  let classifyAge23: [Classified]
  let noReading: [String]
  let maximumByFormula: [MaximumByFormula]
  let karvonen: [Karvonen]
  let frielRunning170: [Labelled]
  let coggan175: [Labelled]
  let acsmMaximum190Resting60: [ACSM]
  let threeZone: [ThreeZone]
  let dominantAge23: [Dominant]
  let banister: [Banister]
  let banisterSession: BanisterSession
  let edwards: [Load]
  let lucia: [Load]
  let keytel: [Keytel]
  let distance: [Distance]
  let pace: [PaceText]

  struct ZonesByAge: Decodable {
    let age: Int
    let maximum: Int
    let zones: [[Int]]
  }

  struct FloatTrap: Decodable {
    let maximum: Int
    let wrong: Int
    let right: Int
  }

  struct Classified: Decodable {
    let beatsPerMinute: Double
    let displayed: Int
    let band: String
  }

  struct MaximumByFormula: Decodable {
    let age: Int
    let estimate: [String: Double]
    let rounded: [String: Int]
  }

  struct Karvonen: Decodable {
    let maximum: Int
    let resting: Int
    let edges: [Int]
  }

  struct Labelled: Decodable {
    let beatsPerMinute: Int
    let label: String
  }

  struct ACSM: Decodable {
    let beatsPerMinute: Int
    let ofMaximum: String
    let ofReserve: String
  }

  struct ThreeZone: Decodable {
    let first: Int
    let second: Int
    let beatsPerMinute: Int
    let zone: Int
  }

  struct Dominant: Decodable {
    let samples: [[Double]]
    let now: Double
    let window: Int
    let held: [String: Double]
    let covered: Double
    let dominant: String?
  }

  struct Banister: Decodable {
    let minutes: Double
    let beatsPerMinute: Double
    let resting: Int
    let maximum: Int
    let male: Double
    let female: Double
  }

  struct BanisterSession: Decodable {
    let segments: [[Int]]
    let resting: Int
    let maximum: Int
    let bySample: Double
    let byMean: Double
  }

  struct Load: Decodable {
    let seconds: [Int]
    let load: Double
  }

  struct Keytel: Decodable {
    let beatsPerMinute: Double
    let kilograms: Double
    let age: Int
    let male: Double
    let female: Double
  }

  struct Distance: Decodable {
    let from: [Double]
    let to: [Double]
    let haversine: Double
    let vincenty: Double
    let karney: Double
    let tolerance: Double
  }

  struct PaceText: Decodable {
    let metersPerSecond: Double
    let secondsPerKilometer: Double
    let text: String
  }

  /// Reads the fixture.
  static func load() throws -> PhysiologyVectors {
    let url = try #require(
      Bundle.module.url(forResource: "physiology", withExtension: "json", subdirectory: "Fixtures"))
    return try JSONDecoder().decode(PhysiologyVectors.self, from: Data(contentsOf: url))
  }
}
