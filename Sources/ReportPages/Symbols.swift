internal import ZoneEngine

/// How a band is filled: a colour, and a texture that shows it without one.
struct BandPattern: Hashable {
  let band: Band
  let color: Palette

  /// The patterns of the bands of a model.
  static func patterns(of zones: HeartRateZones) -> [BandPattern] {
    zones.bands.map { band in
      switch band {
      case .below: BandPattern(band: band, color: .gray)
      case .zone(let number): BandPattern(band: band, color: Palette(zoneColor: zones.zones[number - 1].color))
      case .aboveMaximum: BandPattern(band: band, color: .magenta)
      }
    }
  }

  /// The patterns of bands that are added up by their numbers over several models.
  static func patterns(of bands: [Band]) -> [BandPattern] {
    bands.map { band in
      switch band {
      case .below: BandPattern(band: band, color: .gray)
      case .zone(let number):
        BandPattern(
          band: band, color: (1...5).contains(number) ? [.cyan, .blue, .green, .orange, .red][number - 1] : .magenta)
      case .aboveMaximum: BandPattern(band: band, color: .magenta)
      }
    }
  }

  /// The colour of a band of a model.
  static func color(of band: Band, in zones: HeartRateZones) -> Palette {
    patterns(of: zones).first { $0.band == band }?.color ?? .gray
  }

  /// What fills a shape.
  var fill: String { Self.fill(band) }

  /// What fills the shape of a band.
  static func fill(_ band: Band) -> String { "url(#band-\(band))" }

  /// The lines of the texture in a square of eight pixels; zones of neighbouring numbers differ.
  fileprivate var texture: String {
    switch band {
    case .below: "M0 2h8M0 6h8M2 0v8M6 0v8"
    case .aboveMaximum: "M0 0L8 8M8 0L0 8"
    case .zone(let number):
      switch number % 5 {
      case 1: ""
      case 2: "M-2 2L2-2M0 8L8 0M6 10L10 6"
      case 3: "M0 4h8"
      case 4: "M-2 6L2 10M0 0L8 8M6-2L10 2"
      default: "M4 0v8"
      }
    }
  }
}

/// The shapes that drawings use, which stand once at the beginning of a page.
enum Symbols {
  /// What fills time without a heart rate.
  static let noData = "url(#no-data)"
  /// What fills a pause.
  static let pause = "url(#pause)"

  /// Writes them.
  static func write(_ patterns: [BandPattern], to page: inout Markup) {
    page.element(.svg, [.class: "defs", .width: "0", .height: "0", .ariaHidden: "true"]) { svg in
      svg.element(.defs) { defs in
        for pattern in patterns {
          defs.element(
            .pattern, [.id: "band-\(pattern.band)", .width: "8", .height: "8", .patternUnits: "userSpaceOnUse"]
          ) { tile in
            tile.empty(.rect, [.width: "8", .height: "8", .fill: "var(--\(pattern.color.rawValue))"])
            if !pattern.texture.isEmpty { tile.empty(.path, [.class: "grain", .d: pattern.texture]) }
          }
        }
        defs.element(.pattern, [.id: "no-data", .width: "8", .height: "8", .patternUnits: "userSpaceOnUse"]) {
          $0.empty(.path, [.class: "hatch", .d: "M-2 2L2-2M0 8L8 0M6 10L10 6"])
        }
        defs.element(.pattern, [.id: "pause", .width: "6", .height: "6", .patternUnits: "userSpaceOnUse"]) {
          $0.empty(.circle, [.class: "dot", .cx: "3", .cy: "3", .r: "1"])
        }
        for action in CueAction.allCases {
          defs.empty(
            .path, [.id: id(of: action), .d: shape(of: action), .fill: "var(--\(cueColor.rawValue))"])
        }
        defs.empty(.circle, [.id: "withheld", .r: "6.5"])
      }
    }
  }

  /// The identity of the shape of a cue.
  static func id(of action: CueAction) -> String { "cue-\(action.rawValue)" }

  /// The colour of a cue: that of letters, because the other ones stand for zones. Its shape says which one it is.
  static let cueColor = Palette.ink

  private static func shape(of action: CueAction) -> String {
    switch action {
    case .speedUp: "M0-7L6.5 5h-13z"
    case .hold: "M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0z"
    case .slowDown: "M0 7L-6.5-5h13z"
    }
  }
}
