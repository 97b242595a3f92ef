import Foundation
import Testing
import ZoneEngine
@testable import ReportPages
@testable import coach

/// How people who see fewer colours see those that stand beside each other.
///
/// Simulation: Machado, Oliveira and Fernandes 2009, A Physiologically-based Model for Simulation of Color Vision Deficiency,
/// IEEE TVCG 15(6):1291, table of severity 1.0, on linear sRGB. Differences: CIE 1976 L*a*b*, white D65.
@Suite("Colours for everybody")
struct ColorVisionTests {
  private static let visions: [(name: String, matrix: [[Double]])] = [
    ("all colours", [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    (
      "protanopia",
      [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    (
      "deuteranopia",
      [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    (
      "tritanopia",
      [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
  ]

  private static func product(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
    matrix.map { zip($0, vector).map(*).reduce(0, +) }
  }

  /// L*, a* and b* of a colour as somebody sees it.
  private static func lab(_ color: UInt32, _ vision: [[Double]]) -> [Double] {
    let linear = [color >> 16 & 0xFF, color >> 8 & 0xFF, color & 0xFF].map { part -> Double in
      let share = Double(part) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    let seen = product(vision, linear).map { min(1, max(0, $0)) }
    let toXYZ = [
      [0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041],
    ]
    let values = zip(product(toXYZ, seen), [0.95047, 1, 1.08883]).map { value, white -> Double in
      let share = value / white
      return share > 216 / 24_389.0 ? cbrt(share) : (24_389 / 27.0 * share + 16) / 116
    }
    return [116 * values[1] - 16, 500 * (values[0] - values[1]), 200 * (values[1] - values[2])]
  }

  /// The smallest difference of two colours, and who sees it.
  private static func smallest(_ colors: [(name: String, color: UInt32)]) -> (difference: Double, words: String) {
    var smallest = (difference: Double.infinity, words: "")
    for vision in visions {
      let seen = colors.map { lab($0.color, vision.matrix) }
      for first in colors.indices {
        for second in colors.indices where second > first {
          let difference = sqrt(zip(seen[first], seen[second]).map { ($0 - $1) * ($0 - $1) }.reduce(0, +))
          if difference < smallest.difference {
            smallest = (difference, "\(colors[first].name) and \(colors[second].name) with \(vision.name)")
          }
        }
      }
    }
    return smallest
  }

  /// The red, green and blue of one of the 256 colours of a terminal: the cube of xterm, and its grays.
  private static func terminal(_ index: Int) -> UInt32 {
    if index >= 232 { return UInt32(8 + 10 * (index - 232)) * 0x010101 }
    let steps: [UInt32] = [0, 95, 135, 175, 215, 255]
    let place = index - 16
    return steps[place / 36] << 16 | steps[place / 6 % 6] << 8 | steps[place % 6]
  }

  /// Zones, under them and over them, of the usual model.
  private static let usual = ["gray", "cyan", "blue", "green", "orange", "red", "magenta"]
  /// The same with the yellow of a model of more zones.
  private static let all = usual + ["yellow"]

  @Test("Zones differ on a terminal for those who see fewer colours", arguments: [false, true])
  func terminalZones(hasYellow: Bool) throws {
    let colors = try (hasYellow ? Self.all : Self.usual).map { name in
      (name: name, color: Self.terminal(try #require(Ink(rawValue: name)?.index)))
    }
    let smallest = Self.smallest(colors)
    #expect(smallest.difference >= 16, "\(smallest.words): \(smallest.difference)")
  }

  /// The relative luminance of a colour, 0 for black and 1 for white. Source: WCAG 2.2, definition of *relative luminance*.
  private static func luminance(_ color: UInt32) -> Double {
    let parts = [color >> 16 & 0xFF, color >> 8 & 0xFF, color & 0xFF].map { part -> Double in
      let share = Double(part) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  @Test("Every colour of a terminal is seen on a light and on a dark background", arguments: Ink.allCases)
  func backgrounds(ink: Ink) throws {
    // White is the colour of the terminal's own letters.
    guard let index = ink.index else {
      #expect(ink == .white)
      #expect(ink.parameters == "39")
      return
    }
    let luminance = Self.luminance(Self.terminal(index))
    // Source: WCAG 2.2, success criteria 1.4.3 (large text) and 1.4.11 (graphics): 3 to 1.
    #expect(1.05 / (luminance + 0.05) >= 3, "on white")
    #expect((luminance + 0.05) / 0.05 >= 3, "on black")
  }

  @Test("Zones differ on pages, on paper and in the dark", arguments: [(false, 14.0), (true, 11.0)])
  func pageZones(hasYellow: Bool, least: Double) throws {
    let palette = try (hasYellow ? Self.all : Self.usual).map { try #require(Palette(rawValue: $0)) }
    for surroundings in [\Palette.light, \Palette.dark] {
      let smallest = Self.smallest(palette.map { (name: $0.rawValue, color: $0[keyPath: surroundings]) })
      #expect(smallest.difference >= least, "\(smallest.words): \(smallest.difference)")
    }
  }

  @Test("What to do has the colour of letters on pages too, and so no colour means two things")
  func advice() {
    #expect(Symbols.cueColor == .ink)
    for surroundings in [\Palette.light, \Palette.dark] {
      for zone in Self.all.compactMap({ Palette(rawValue: $0) }) {
        let pair = [
          (name: "letters", color: Palette.ink[keyPath: surroundings]),
          (name: zone.rawValue, color: zone[keyPath: surroundings]),
        ]
        let smallest = Self.smallest(pair)
        #expect(smallest.difference >= 14, "\(smallest.words): \(smallest.difference)")
      }
    }
  }
}
