import Testing
@testable import WorkoutHistory
import ZoneEngine

@testable import ReportPages
@testable import WorkoutSession
@testable import WorkoutTestSupport

@Suite("The drawing of a way")
struct TrackLayoutTests {
  /// A way by its corners, in metres to the east and to the north of a place in the middle.
  struct Way: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let corners: [[Double]]
    var longitudeDegrees = 10.0

    /// The outline, which the formulas below make near the equator, where a degree is as long in both directions.
    func outline() throws -> TrackOutline {
      let places = try corners.map { corner in
        let east = longitudeDegrees + corner[0] / 111_320
        return try #require(
          Coordinate(latitudeDegrees: corner[1] / 110_574, longitudeDegrees: east > 180 ? east - 360 : east))
      }
      return try #require(TrackOutline(places: [places]))
    }
  }

  private static let ways = [
    Way(testDescription: "straight to the north", corners: [[0, 0], [0, 5_000]]),
    Way(testDescription: "straight to the south, a step to the side", corners: [[0, 5_000], [1, 0]]),
    Way(testDescription: "straight to the east", corners: [[0, 0], [5_000, 0]]),
    Way(testDescription: "out and back", corners: [[0, 0], [3, 10_000], [0, 0]]),
    Way(testDescription: "a loop", corners: [[0, 0], [900, 0], [900, 900], [0, 900], [0, 0]]),
    Way(testDescription: "a diagonal", corners: [[0, 0], [4_000, 3_000]]),
    Way(testDescription: "50 m", corners: [[0, 0], [0, 50]]),
    Way(testDescription: "standing in the noise", corners: [[0, 0], [0.02, 0.05]]),
    Way(testDescription: "over the date line", corners: [[-500, 0], [500, 0]], longitudeDegrees: 180),
    Way(testDescription: "200 km", corners: [[0, 0], [0, 200_000]]),
    Way(testDescription: "a ride of 999 m", corners: [[0, 0], [10, 999]]),
  ]

  @Test("It has one width and a height on a screen, whatever the way is like", arguments: ways)
  func size(way: Way) throws {
    let layout = TrackLayout(try way.outline(), .metric)
    #expect(layout.drawing.width == 560)
    #expect(layout.drawing.height <= 500)
    #expect(layout.drawing.height >= 100)
  }

  @Test("Way, scale, its label and the north stand in the drawing and beside each other", arguments: ways)
  func places(way: Way) throws {
    let layout = TrackLayout(try way.outline(), .metric)
    let boxes = [
      ("way", layout.way), ("bar", layout.bar), ("label", layout.barLabel), ("north", layout.north),
    ]
    for (index, (name, box)) in boxes.enumerated() {
      #expect(box.x >= 0, "\(name)")
      #expect(box.y >= 0, "\(name)")
      #expect(box.x + box.width <= layout.drawing.width, "\(name)")
      #expect(box.y + box.height <= layout.drawing.height, "\(name)")
      for (other, second) in boxes.dropFirst(index + 1) { #expect(!box.overlaps(second), "\(name) and \(other)") }
    }
  }

  @Test("The way fills its part in equal scale, in the middle, and its bar is a round length", arguments: ways)
  func scale(way: Way) throws {
    let outline = try way.outline()
    let layout = TrackLayout(outline, .metric)
    for point in outline.lines.joined() {
      let (x, y) = layout.place(point)
      #expect(x >= layout.way.x - 1e-6)
      #expect(x <= layout.way.x + layout.way.width + 1e-6)
      #expect(y >= layout.way.y - 1e-6)
      #expect(y <= layout.way.y + layout.way.height + 1e-6)
    }
    #expect(abs(layout.way.x + layout.way.width / 2 - 280) < 1e-6)
    #expect(abs(layout.bar.width - layout.barMeters * layout.unitsPerMeter) < 1e-6)
    #expect((60...154).contains(layout.bar.width))
    #expect(!layout.barText.contains("."))
    #expect(!layout.barText.hasPrefix("0"))
  }

  @Test("Whoever stands still is not drawn as large as somebody who runs")
  func standing() throws {
    let still = TrackLayout(try Way(testDescription: "", corners: [[0, 0], [0.02, 0.05]]).outline(), .metric)
    #expect(max(still.way.width, still.way.height) < 2)
    let short = TrackLayout(try Way(testDescription: "", corners: [[0, 0], [0, 50]]).outline(), .metric)
    #expect(short.way.height == 400)
  }

  @Test("The drawing has the letters of its scale and of the north, each once, at the places of their boxes")
  func markup() async throws {
    let fixture = try await HistoryFixture.week()
    let (_, page, report) = try await fixture.page(of: "20261120")
    let outline = try #require(report.courses.track)
    #expect(outline.widthMeters < 1, "it goes straight to the north")
    let layout = TrackLayout(outline, .metric)
    let drawing = try #require(page.element(id: "track")?.elements("svg").first)
    #expect(drawing.attributes["viewBox"] == "0 0 560.0 \(QuantityText.number(layout.drawing.height, decimals: 1))")
    #expect(drawing.elements("text").map(\.text) == [layout.barText, "N"])
    let label = try #require(drawing.elements("text").first?.attributes["x"].flatMap { Double($0) })
    #expect(abs(label - layout.barLabel.x) < 0.1)
  }
}
