internal import TextFormats
internal import WorkoutExports

/// Answers that a browser shows.
enum PageAnswer {
  /// What a page may load and reach: this service alone, and no script or style that stands in the page.
  static let policy =
    "default-src 'none'; object-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    + "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

  /// What of the device a page may use.
  static let permissions =
    "accelerometer=(self), bluetooth=(self), geolocation=(self), gyroscope=(self), screen-wake-lock=(self), "
    + "camera=(), microphone=(), payment=(), usb=()"

  /// A whole page.
  static func html(_ text: String, _ headers: [HTTPField] = [], status: Int = 200) -> HTTPResponse {
    html(Array(text.utf8), headers, status: status)
  }

  /// A whole page.
  static func html(_ bytes: [UInt8], _ headers: [HTTPField] = [], status: Int = 200) -> HTTPResponse {
    HTTPResponse(
      status, type: "text/html; charset=utf-8", bytes,
      [
        HTTPField("Content-Security-Policy", policy), HTTPField("Permissions-Policy", permissions),
        // A form is sent without its origin where a page gives no referrer at all.
        HTTPField("Referrer-Policy", "same-origin"), HTTPField("Cross-Origin-Opener-Policy", "same-origin"),
      ] + headers)
  }

  /// Whether a program asks, and no browser that shows a page.
  static func wantsJSON(_ head: HTTPHead) -> Bool {
    let accepted = head.value(of: "Accept")?.lowercased() ?? ""
    return accepted.contains("application/json") && !accepted.contains("text/html")
  }

  /// A text so that it is one in HTML too, in an element or in an attribute.
  static func escaped(_ text: String) -> String {
    var xml = XMLText()
    xml.escapedWithSpaces(text)
    return String(decoding: xml.bytes, as: UTF8.self)
  }
}

extension HTTPResponse {
  /// Sends a browser elsewhere, with GET.
  static func seeOther(_ path: String, _ headers: [HTTPField] = []) -> HTTPResponse {
    HTTPResponse(303, [HTTPField("Location", path)] + headers)
  }
}

extension ServiceCall {
  /// Where the request comes from.
  var clientAddress: String { service.address(of: request.head) }

  /// The header that lets somebody stay signed in for as long as they use the pages.
  var stayingSignedIn: [HTTPField] {
    guard let caller, caller.kind == .cookie, let secret = request.head.cookie(service.access.cookie.name) else {
      return []
    }
    return [service.access.cookie.header(secret)]
  }
}
