/// The path of a page of this service with its query, as somebody opened it who is to sign in first, and goes on there afterwards.
///
/// Nothing else is one: no address of another host, in whatever spelling a browser takes for one, and no path that is no page.
struct PagePath: Hashable, Sendable {
  /// How many bytes it has at most, so that a browser can keep several.
  static let longest = 256

  /// The path, as it stands in a request.
  let text: String

  /// Takes a text; `nil` where it is no such path.
  init?(_ text: String, _ routes: RouteTable) {
    guard text.utf8.count <= Self.longest, text.hasPrefix("/"), !text.hasPrefix("//"),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "#") }),
      case .route(let route, _) = routes.match(HTTPMethod.get.rawValue, String(text.prefix { $0 != "?" })),
      route.access == .page, route.method == .get
    else { return nil }
    self.text = text
  }

  /// Whether it is that of the first page, where everybody goes who opened none.
  var isStart: Bool { text == "/" }
}

extension ServiceCall {
  /// The page that the browser was to show before somebody signs in; `nil` for none.
  var openedPage: PagePath? { service.page(service.access.cookie.openedPage.page(of: request.head)) }
}

extension Service {
  /// The page of a path that a browser has kept; `nil` where it is that of none.
  func page(_ path: String?) -> PagePath? { path.flatMap { PagePath($0, routes) } }
}
