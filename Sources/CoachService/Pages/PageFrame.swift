internal import TextFormats
internal import WorkoutSession

/// What every page has around its own: head, navigation and end.
struct PageFrame {
  /// The pages that the navigation leads to.
  private static let places = [("/", "Start"), ("/send", "Run"), ("/history", "History"), ("/groups", "Groups")]

  private let title: String
  private let caller: Caller?
  private let path: String
  private let script: PageAsset?
  private let isWide: Bool
  private let isOnWall: Bool

  /// The surroundings of a page.
  ///
  /// - Parameters:
  ///   - title: what it is called.
  ///   - script: what makes it live; the script of every page is there always.
  ///   - isWide: whether it uses all of a large screen.
  ///   - isOnWall: whether nobody stands at it, so that it needs no navigation.
  init(
    title: String, _ call: ServiceCall, script: PageAsset? = nil, isWide: Bool = false, isOnWall: Bool = false
  ) {
    self.isOnWall = isOnWall
    self.title = title
    caller = call.caller?.kind == .cookie ? call.caller : nil
    path = call.request.head.path
    self.script = script ?? (caller == nil ? nil : .common)
    self.isWide = isWide
  }

  /// The surroundings of a page that is the same for everybody, whoever asks for a path.
  init(title: String, path: String) {
    self.title = title
    self.path = path
    caller = nil
    script = nil
    isWide = false
    isOnWall = false
  }

  /// The whole page; `main` is HTML.
  func text(_ main: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(PageAnswer.escaped(title)) · coach</title>
    <link rel="stylesheet" href="\(PageAsset.style.path)">
    <link rel="manifest" href="/manifest.webmanifest">
    <link rel="icon" type="image/svg+xml" href="\(PageAsset.icon.path)">
    \(script.map { "<script type=\"module\" src=\"\($0.path)\"></script>" } ?? "")
    </head>
    <body\(isOnWall ? " class=\"wall\"" : isWide ? " class=\"wide\"" : "")>
    <a class="skip" href="#main">To the content</a>
    \(isOnWall ? "" : header)
    <main id="main" tabindex="-1">
    \(main)
    </main>
    <footer><p>coach \(Program.version) is a training aid and no medical device. If you feel unwell, stop.</p></footer>
    </body>
    </html>

    """
  }

  private var header: String {
    guard let caller else { return "<header><strong class=\"brand\">coach</strong></header>" }
    let links = Self.places.map { place, name in
      "<li><a href=\"\(place)\"\(place == path ? " aria-current=\"page\"" : "")>\(name)</a></li>"
    }
    let who = caller.person.map { "<bdi>\(PageAnswer.escaped($0))</bdi>" } ?? "owner"
    return """
      <header><strong class="brand">coach</strong><nav aria-label="Pages"><ul>\(links.joined())</ul></nav>
      <p class="who">\(who) <button type="button" id="sign-out">Sign out</button></p></header>
      """
  }
}
