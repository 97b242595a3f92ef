import HeartRateStrap

/// The straps in the room, for people.
struct StrapsList: Sendable {
  private let straps: [StrapDevice]

  /// A list of straps, in their order.
  init(_ straps: [StrapDevice]) { self.straps = straps }

  /// The lines, each in at most `width` columns unless a word is wider.
  func lines(width: Int) -> [StyledText] {
    guard !straps.isEmpty else {
      let words =
        "No heart-rate strap is here: wet the electrodes, put it on, and let no other program or watch hold it."
      return wrapped(words, width: width, indent: 0, hanging: 0).map { StyledText($0).cut(to: width) }
    }
    let columns = [
      TextTable.Column(title: "name"), TextTable.Column(title: "address"),
      TextTable.Column(title: "signal", isNumber: true, rank: 2), TextTable.Column(title: "state", rank: 1),
      TextTable.Column(title: "battery", isNumber: true, rank: 3),
    ]
    let rows = straps.map { strap in
      [
        TextTable.Cell.text(strap.name ?? "(no name)"), .text(strap.address),
        .text(strap.signalDBm.map { "\($0) dBm" }), .text(Self.state(strap)),
        .text(strap.batteryPercent.map { "\($0) %" }),
      ]
    }
    return TextTable(columns, rows).lines(width: width)
  }

  private static func state(_ strap: StrapDevice) -> String? {
    let words = [
      strap.isConnected ? "connected" : nil, strap.isPaired ? "paired" : strap.isTrusted ? "trusted" : nil,
    ].compactMap(\.self)
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}
