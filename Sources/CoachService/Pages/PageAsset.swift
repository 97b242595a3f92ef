internal import ReportPages
internal import TextFormats

/// A script, a style sheet or a picture of the pages. Its name has a hash of what it holds, so that a browser may keep it for
/// good, and never has one of another version.
struct PageAsset: Sendable {
  /// The name in its path.
  let name: String
  /// The media type.
  let type: String
  /// What it holds.
  let bytes: [UInt8]

  /// The path.
  var path: String { "/assets/" + name }

  private init(_ stem: String, _ ending: String, type: String, _ text: String) {
    bytes = Array(text.utf8)
    let hash = AccessSecret.base64URL(Array(AccessSecret.digest(of: bytes).prefix(9)))
    name = "\(stem)-\(hash).\(ending)"
    self.type = type
  }

  /// A script; the parts that it is made of are imported by their names.
  private static func script(_ stem: String, _ text: String, importing parts: [(String, PageAsset)] = []) -> PageAsset {
    let text = parts.reduce(text) { $0.replacing("'./\($1.0).js'", with: "'\($1.1.path)'") }
    return PageAsset(stem, "js", type: "text/javascript; charset=utf-8", text)
  }

  static let style = PageAsset(
    "coach", "css", type: "text/css; charset=utf-8",
    PageStyles.colors + PageStyles.charts + PageStyle.text + GroupStyle.text)
  static let icon = PageAsset("icon", "svg", type: "image/svg+xml", PageIcon.text)
  static let common = script("coach", CommonScript.text)
  static let board = script("board", BoardScript.text, importing: [("coach", common)])
  static let commands = script("commands", CommandScript.text, importing: [("coach", common)])
  static let events = script("events", EventScript.text)
  static let live = script(
    "live", LiveScript.text,
    importing: [("coach", common), ("board", board), ("commands", commands), ("events", events)])
  static let queue = script("queue", QueueScript.text, importing: [("coach", common)])
  static let sensors = script("sensors", SensorScript.text)
  static let groups = script("groups", GroupScript.text, importing: [("coach", common)])
  static let tiles = script(
    "tiles", TileScript.text, importing: [("coach", common), ("groups", groups), ("sensors", sensors)])
  static let motion = script("motion", MotionScript.text)
  static let order = script("order", OrderScript.text, importing: [("coach", common), ("sensors", sensors)])
  static let send = script(
    "send", SendScript.text,
    importing: [
      ("coach", common), ("board", board), ("commands", commands), ("events", events), ("order", order),
      ("queue", queue), ("sensors", sensors), ("motion", motion),
    ])

  static let reportStyle = PageAsset("report", "css", type: "text/css; charset=utf-8", PageStyles.report)
  static let reading = script("reading", ReadingScript.text)

  /// Everything, in the order in which a browser asks for it.
  static let all = [
    style, icon, common, board, commands, events, live, queue, sensors, motion, order, send, groups, tiles, reportStyle,
    reading,
  ]

  /// The answer that holds it.
  var response: HTTPResponse {
    HTTPResponse(type: type, bytes, [HTTPField("Cache-Control", "public, max-age=31536000, immutable")])
  }
}
