internal import TextFormats

/// The media types that a client takes, as its header `Accept` says (RFC 9110, 12.5.1).
struct AcceptedTypes: Sendable {
  private struct Range {
    let type: Substring
    let subtype: Substring
    /// How much it is wanted, from 0, which is not at all, to 1.
    let quality: Double

    /// How closely it says a type; `nil` where it does not say it.
    func closeness(to other: String) -> Int? {
      let parts = other.split(separator: "/", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      if type == "*" { return subtype == "*" ? 0 : nil }
      guard type == parts[0] else { return nil }
      return subtype == "*" ? 1 : subtype == parts[1] ? 2 : nil
    }
  }

  private let ranges: [Range]

  /// Reads the header; a request without one, or with an empty one, takes everything. What is no media type is passed over.
  init(_ head: HTTPHead) {
    ranges = head.values(of: "Accept").flatMap { $0.split(separator: ",") }.compactMap(Self.range)
  }

  private static func range(_ text: Substring) -> Range? {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { part in
      String(part).trimmingSpaces.lowercased()
    }
    // What Java sends by itself has a lone star for everything.
    let name = parts[0] == "*" ? "*/*" : parts[0]
    let sides = name.split(separator: "/", omittingEmptySubsequences: false)
    guard sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty else { return nil }
    var quality = 1.0
    for part in parts.dropFirst() where part.hasPrefix("q=") {
      quality = Double(part.dropFirst(2)).flatMap { (0...1).contains($0) ? $0 : nil } ?? 1
    }
    return Range(type: sides[0], subtype: sides[1], quality: quality)
  }

  /// The one of some types that is wanted most: by its quality, then by its place in the header; `nil` when none is wanted. Of several
  /// ranges that say a type the closest one decides.
  func choice(of types: [String]) -> String? {
    guard !ranges.isEmpty else { return types.first }
    var best: (type: String, quality: Double, place: Int)?
    for type in types {
      var said: (closeness: Int, place: Int)?
      for (place, range) in ranges.enumerated() {
        guard let closeness = range.closeness(to: type) else { continue }
        if let known = said, known.closeness >= closeness { continue }
        said = (closeness, place)
      }
      guard let place = said?.place, ranges[place].quality > 0 else { continue }
      let quality = ranges[place].quality
      if let known = best, (known.quality, -known.place) >= (quality, -place) { continue }
      best = (type, quality, place)
    }
    return best?.type
  }

  /// The one of some types that is wanted most.
  ///
  /// - Throws: `ServiceProblem` when none is wanted.
  func required(of types: [String]) throws(ServiceProblem) -> String {
    guard let type = choice(of: types) else {
      throw ServiceProblem(.notAcceptable, "Accept: expected " + types.joined(separator: " or "))
    }
    return type
  }
}

extension ServiceCall {
  /// The one of some media types that the sender wants most.
  ///
  /// - Throws: `ServiceProblem` when none is.
  func accepted(_ types: [String]) throws(ServiceProblem) -> String {
    try AcceptedTypes(request.head).required(of: types)
  }
}
