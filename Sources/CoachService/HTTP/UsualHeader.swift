/// The headers that are asked for with every request; where they stand is found once.
enum UsualHeader: Int, CaseIterable, Sendable {
  case host
  case contentLength
  case contentType
  case transferEncoding
  case authorization
  case origin
  case cookie

  /// The name as it is written.
  var name: String {
    switch self {
    case .host: "Host"
    case .contentLength: "Content-Length"
    case .contentType: "Content-Type"
    case .transferEncoding: "Transfer-Encoding"
    case .authorization: "Authorization"
    case .origin: "Origin"
    case .cookie: "Cookie"
    }
  }

  /// The header of a name, whatever the case of its letters; `nil` for another one.
  init?(_ name: String) {
    let found: UsualHeader
    switch name.utf8.count {
    case 4: found = .host
    case 6: found = name.utf8.first.map { $0 | 0x20 == UInt8(ascii: "o") } ?? false ? .origin : .cookie
    case 12: found = .contentType
    case 13: found = .authorization
    case 14: found = .contentLength
    case 17: found = .transferEncoding
    default: return nil
    }
    guard name.isEqual(withoutCase: found.name) else { return nil }
    self = found
  }

  /// A number for each header. It needs no more than the usual alignment, so that memory for what has it is found at once.
  private struct Numbers: Hashable, Sendable {
    private var low = SIMD4<UInt32>()
    private var high = SIMD4<UInt32>()

    subscript(_ header: UsualHeader) -> UInt32 {
      get { header.rawValue < 4 ? low[header.rawValue] : high[header.rawValue - 4] }
      set { if header.rawValue < 4 { low[header.rawValue] = newValue } else { high[header.rawValue - 4] = newValue } }
    }

    /// Whether any is above 1.
    var isAnyAboveOne: Bool { any(low .> 1) || any(high .> 1) }
  }

  /// Where the headers of a request stand.
  struct Places: Hashable, Sendable {
    /// The first of each, counted from 1; 0 where it is not sent.
    private var first = Numbers()
    /// How often each is sent.
    private var counts = Numbers()

    init(_ headers: [HTTPField]) {
      for (place, field) in headers.enumerated() {
        guard let header = UsualHeader(field.name) else { continue }
        if first[header] == 0 { first[header] = UInt32(place + 1) }
        counts[header] += 1
      }
    }

    /// The place of the first of a header; `nil` where it is not sent.
    func first(_ header: UsualHeader) -> Int? {
      let place = Int(first[header])
      return place == 0 ? nil : place - 1
    }

    /// Whether any of them is sent more than once.
    var isAnyRepeated: Bool { counts.isAnyAboveOne }

    /// How often a header is sent.
    func count(_ header: UsualHeader) -> Int { Int(counts[header]) }
  }
}
