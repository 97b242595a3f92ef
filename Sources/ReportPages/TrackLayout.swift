internal import WorkoutHistory
internal import WorkoutSession

/// Where an outline, its scale and its north stand in a drawing, in units of which a wide screen shows one a pixel.
///
/// The drawing has one width and a height between two limits, whatever the way is like: a straight one is drawn in the
/// middle, as long as there is room for. Scale and north stand in a strip under it, where no line of the way runs.
struct TrackLayout {
  /// A part of the drawing.
  struct Box: Hashable {
    /// The left and the upper edge.
    let x, y: Double
    /// The extent to the right and down.
    let width, height: Double

    /// Whether the parts have a place in common; edges that touch do not count.
    func overlaps(_ other: Box) -> Bool {
      x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
    }
  }

  /// The size of letters on a wide screen, and on a narrow one, where the drawing is made smaller.
  static let letterSize = 13, narrowLetterSize = 20
  /// The width of the drawing.
  static let width = 560.0

  private static let margin = 24.0
  private static let tallestWay = 400.0
  private static let lowestWay = 40.0
  /// Whoever stands still in the noise of the positions is not drawn as large as a run.
  private static let leastExtentMeters = 20.0
  private static let stripHeight = 30.0
  /// The part of the drawing's width that the bar takes at most.
  private static let longestBarShare = 0.3
  /// The widest that a letter or digit is, in parts of the size of letters.
  private static let letterWidth = 0.65

  /// Units for a metre, the same to the east and to the north.
  let unitsPerMeter: Double
  /// The whole drawing.
  let drawing: Box
  /// The way in it.
  let way: Box
  /// A round length in metres, and its bar.
  let barMeters: Double
  /// The bar of that length.
  let bar: Box
  /// What the bar is labelled with.
  let barText: String
  /// The label of the bar, as large as it is on a narrow screen.
  let barLabel: Box
  /// The arrow to the north with its letter, as large as on a narrow screen.
  let north: Box

  private let outline: TrackOutline

  /// The places of an outline.
  init(_ outline: TrackOutline, _ units: UnitSystem) {
    self.outline = outline
    let (room, margin, letters) = (Self.width - 2 * Self.margin, Self.margin, Double(Self.narrowLetterSize))
    unitsPerMeter = min(
      room / max(outline.widthMeters, Self.leastExtentMeters),
      Self.tallestWay / max(outline.heightMeters, Self.leastExtentMeters))
    let (width, height) = (outline.widthMeters * unitsPerMeter, outline.heightMeters * unitsPerMeter)
    let wayRoom = max(height, Self.lowestWay)
    way = Box(x: (Self.width - width) / 2, y: margin + (wayRoom - height) / 2, width: width, height: height)
    // Round lengths follow each other at two and a half times at most.
    barMeters = units.roundMeters(upTo: Self.longestBarShare * room / unitsPerMeter) { ValueAxis.roundStep($0 / 2.5) }
    let strip = margin + wayRoom + margin
    let middle = strip + Self.stripHeight / 2
    bar = Box(x: margin, y: middle - 4, width: barMeters * unitsPerMeter, height: 8)
    barText = units.distance(meters: barMeters).replacing(".00", with: "")
    barLabel = Box(
      x: bar.x + bar.width + 8, y: strip, width: Double(barText.count) * Self.letterWidth * letters,
      height: Self.stripHeight)
    let northWidth = 12 + 8 + Self.letterWidth * letters * 1.2
    north = Box(x: Self.width - margin - northWidth, y: strip, width: northWidth, height: Self.stripHeight)
    drawing = Box(x: 0, y: 0, width: Self.width, height: strip + Self.stripHeight)
  }

  /// Where a place of the outline stands.
  func place(_ point: TrackOutline.Point) -> (x: Double, y: Double) {
    (way.x + point.eastMeters * unitsPerMeter, way.y + way.height - point.northMeters * unitsPerMeter)
  }
}
