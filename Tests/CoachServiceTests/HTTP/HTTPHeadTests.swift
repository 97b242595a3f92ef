@testable import CoachService
import Dispatch
import Glibc
import Testing
@testable import WorkoutTestSupport

@Suite("The head of a request")
struct HTTPHeadTests {
  /// Answers how many bytes the head has, how many headers, and who asks.
  private struct CountingHandler: HTTPHandler {
    func admit(_ head: HTTPHead) -> HTTPAdmission {
      .taken(bodyLimit: 1 << 20, tooLarge: { HTTPResponse(413) }) { request in
        let head = request.head
        return HTTPResponse(
          type: "text/plain",
          Array("\(head.byteCount) bytes, \(head.headers.count) headers, \(request.body.count) of \(head.address)".utf8)
        )
      }
    }
  }

  @Test("The largest head that the service takes comes through, with a body, in any number of headers up to forty")
  func largest() async throws {
    let (listener, bound) = try #require(ListenAddress("127.0.0.1:0")).listen()
    let server = try HTTPServer(listener: listener, handler: CountingHandler())
    for count in [1, 2, 20, 40] {
      let fixed = "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 20000\r\n"
      // The service counts the request line, each header with its divider and the end of its line.
      let left = ServiceRouter.headerLimit - fixed.utf8.count - count * 8
      let value = String(repeating: "v", count: left / count)
      let headers = (0..<count).map { "X-\($0 + 10): \(value)\r\n" }.joined()
      let text = fixed + headers + "\r\n" + String(repeating: "b", count: 20_000)
      let answer = await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          let client = HTTPServerStopTests.connect(sending: text, to: bound.port)
          defer { close(client) }
          continuation.resume(returning: HTTPServerStopTests.received(client))
        }
      }
      #expect(answer.hasPrefix("HTTP/1.1 200"), "\(count) headers: \(answer.prefix(80))")
      #expect(
        answer.hasSuffix(
          "\(fixed.utf8.count + headers.utf8.count) bytes, \(count + 3) headers, 20000 of 127.0.0.1"),
        "\(count) headers: \(answer.suffix(80))")
    }
    await server.stop()
  }

  @Test(
    "A target is a path, or a whole URL, whose host goes before the header",
    arguments: [
      ("/v1/zones", "/v1/zones", nil), ("/", "/", nil), ("http://a:8080/v1/zones", "/v1/zones", "a:8080"),
      ("HTTPS://[::1]:8080/x://y", "/x://y", "[::1]:8080"), ("http://a", "/", "a"), ("http://a:", "/", "a:"),
      ("http://127.0.0.1//x", "//x", "127.0.0.1"),
      // What is neither stays as it is, and is refused.
      ("http://", "http://", nil), ("http:///x", "http:///x", nil), ("http://ann@a/x", "http://ann@a/x", nil),
      ("http://a:b@evil/x", "http://a:b@evil/x", nil), ("http://[::1/x", "http://[::1/x", nil),
      ("http://[::1]x/", "http://[::1]x/", nil), ("http://[]/", "http://[]/", nil),
      ("http://a%2Fb/", "http://a%2Fb/", nil), ("ftp://a/x", "ftp://a/x", nil), ("a:80", "a:80", nil), ("*", "*", nil),
      ("", "", nil), ("://a/", "://a/", nil), ("http:/a", "http:/a", nil),
    ] as [(String, String, String?)])
  func targets(text: String, path: String, authority: String?) {
    let target = RequestTarget(text)
    #expect(target.path == path)
    #expect(target.authority == authority)
    let head = { (headers: [HTTPField]) in
      HTTPHead(method: "GET", path: text, query: [], headers: headers, address: "", byteCount: 0)
    }
    #expect(head([HTTPField("Host", "b")]).path == path)
    #expect(head([HTTPField("Host", "b")]).host == authority ?? "b")
    #expect(head([]).host == nil)
  }

  @Test("Names are compared without their case, values are those that were sent")
  func names() {
    let head = HTTPHead(
      method: "POST", path: "/", query: [],
      headers: [
        HTTPField("CONTENT-length", "12"), HTTPField("Content-Type", " Text/Plain ; charset=x"),
        HTTPField("X-A", "1"), HTTPField("x-a", "2"), HTTPField("X-AB", "3"),
      ], address: "", byteCount: 0)
    #expect(head.contentLength == 12)
    #expect(head.hasBody)
    #expect(head.contentType == "text/plain")
    #expect(head.values(of: "x-A") == ["1", "2"])
    #expect(head.value(of: .contentLength) == "12")
    #expect(head.value(of: .host) == nil)
    #expect(head.value(of: "X-Ab") == "3")
    #expect(head.value(of: "X-") == nil)
    #expect(!"k".isEqual(withoutCase: "\u{212A}"))
  }

  @Test(
    "A length is a number, however large; of one that is none, or is said twice, nobody knows that there is no body",
    arguments: [
      ([], nil, false), (["0"], 0, false), (["000"], 0, false), (["5"], 5, true), (["005"], 5, true),
      (["9223372036854775807"], .max, true), (["9223372036854775808"], .max, true),
      (["9999999999999999999"], .max, true), (["18446744073709551615"], .max, true),
      (["+5"], nil, true), (["-5"], nil, true), (["+0"], nil, true), (["0x5"], nil, true), (["5 5"], nil, true),
      ([""], nil, true), (["0", "9"], 0, true), (["9", "0"], 9, true), (["0", "0"], 0, true),
    ] as [([String], Int?, Bool)])
  func lengths(values: [String], length: Int?, hasBody: Bool) {
    let head = HTTPHead(
      method: "POST", path: "/", query: [], headers: values.map { HTTPField("Content-Length", $0) }, address: "",
      byteCount: 0)
    #expect(head.contentLength == length)
    #expect(head.hasBody == hasBody)
  }

  @Test(
    "Usual headers are known by their names in any case, and by nothing that resembles one",
    arguments: UsualHeader.allCases)
  func usual(header: UsualHeader) {
    for name in [header.name, header.name.lowercased(), header.name.uppercased()] {
      #expect(UsualHeader(name) == header)
    }
    let name = header.name
    for other in [name + "s", String(name.dropLast()), "X" + name.dropFirst(), String(name.reversed()), ""] {
      #expect(UsualHeader(other) == nil, "\(other)")
    }
  }

  @Test("Of a usual header that is sent twice the first counts, and it is known that there are two")
  func repeated() {
    let head = HTTPHead(
      method: "GET", path: "/", query: [],
      headers: [
        HTTPField("Cookie", "a=1"), HTTPField("HOST", "one"), HTTPField("Accept", "x"), HTTPField("Cookie", "b=2"),
        HTTPField("host", "two"),
      ], address: "::1", byteCount: 0)
    #expect(head.value(of: .host) == "one")
    #expect(head.value(of: "Host") == "one")
    #expect(head.repeated(of: [.origin, .host]) == .host)
    #expect(head.repeated(of: [.origin, .contentType]) == nil)
    #expect(head.cookie("b") == "2")
    #expect(head.address == "::1")
  }

  @Test("Where many headers come before it, one is found all the same")
  func late() {
    let many = (0..<70_000).map { HTTPField("X-\($0)", "") }
    let head = HTTPHead(
      method: "GET", path: "/", query: [], headers: many + [HTTPField("Host", "one")], address: "", byteCount: 0)
    #expect(head.value(of: .host) == "one")
  }

  @Test("An address of IPv4 is written as everybody does")
  func address() {
    #expect(HTTPClient.ipv4(0x7F00_0001).text == "127.0.0.1")
    #expect(HTTPClient.ipv4(0xFF64_0A00).text == "255.100.10.0")
  }

  @Test(
    "A media type is compared without its parameters and case",
    arguments: [
      ("application/json", "application/json"), ("Application/JSON; charset=utf-8", "application/json"),
      (" text/csv ", "text/csv"), ("", ""), (";", ""),
    ])
  func mediaType(value: String, expected: String) {
    let head = HTTPHead(
      method: "POST", path: "/", query: [], headers: [HTTPField("Content-Type", value)], address: "", byteCount: 0)
    #expect(head.contentType == expected)
  }

  @Test(
    "A token stands after the word Bearer, and nothing after it",
    arguments: [
      ("Bearer abc", "abc"), ("bearer   abc", "abc"), (" BEARER abc ", "abc"), ("Bearer", nil), ("Bearer ", nil),
      ("Basic abc", nil), ("Bearer abc def", nil), ("abc", nil), ("", nil), ("Bearer\tabc", nil), ("Bearer\tabc ", nil),
      ("\tbearer \t abc\t", "abc"), ("Bearers abc", nil), ("   ", nil),
    ])
  func bearer(value: String, expected: String?) {
    let head = HTTPHead(
      method: "GET", path: "/", query: [], headers: [HTTPField("Authorization", value)], address: "", byteCount: 0)
    #expect(head.bearer == expected)
  }

  @Test(
    "A control character in a value is seen",
    arguments: [
      ("plain", false), ("tab\tin it", false), ("é", false), ("nul\0", true), ("\u{7F}", true), ("\u{1B}[", true),
    ])
  func controls(value: String, expected: Bool) { #expect(value.hasControlCharacters == expected) }
}
