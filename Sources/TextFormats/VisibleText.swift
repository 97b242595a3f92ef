extension String {
  /// The text as people may see it: one line, in which everything is shown that is there.
  ///
  /// What would steer a terminal, turn the direction of what follows, break the line or not be seen stands there by its
  /// number, as in `\u{202e}`; a byte of a file's name that is no UTF-8 as `\xff`. Joiners stay where a script or an emoji
  /// needs them. All text that reaches a terminal, a voice or the desktop goes through this once; records escape it as JSON
  /// does.
  package var visible: String {
    guard !isPrintableASCII else { return self }
    let scalars = Array(unicodeScalars)
    guard scalars.contains(where: \.isHidden) else { return self }
    var result = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      let before = index > 0 ? scalars[index - 1] : nil
      let after = index + 1 < scalars.count ? scalars[index + 1] : nil
      if !scalar.isHidden || scalar.isNeeded(between: before, and: after) {
        result.append(scalar)
      } else {
        result.append(contentsOf: scalar.number.unicodeScalars)
      }
    }
    return String(result)
  }

  /// The text that is shown as `text`, where scalars are shown by their numbers; `nil` when none is, or a number is none.
  package init?(visible text: String) {
    var scalars = String.UnicodeScalarView()
    var rest = text[...]
    var isShown = false
    while let start = rest.firstRange(of: "\\u{") {
      guard let end = rest[start.upperBound...].firstIndex(of: "}"),
        let scalar = UInt32(rest[start.upperBound..<end], radix: 16).flatMap(Unicode.Scalar.init)
      else { return nil }
      scalars.append(contentsOf: rest[..<start.lowerBound].unicodeScalars)
      scalars.append(scalar)
      rest = rest[rest.index(after: end)...]
      isShown = true
    }
    guard isShown else { return nil }
    scalars.append(contentsOf: rest.unicodeScalars)
    self.init(scalars)
  }

  /// Whether every character takes one byte and one column, as those of most texts do.
  package var isPrintableASCII: Bool {
    let bytes = utf8
    let span = bytes.span
    var isPrintable = true
    for index in span.indices {
      let byte = span[index]
      isPrintable = isPrintable && byte >= 0x20 && byte < 0x7F
    }
    return isPrintable
  }
}

extension Unicode.Scalar {
  /// Whether nothing is to be seen of it, or something else than it is: controls of ASCII and ISO 6429, controls of the
  /// direction, separators of lines and paragraphs, characters without a width, and those that nobody has assigned.
  package var isHidden: Bool {
    if isASCII { return value < 0x20 || value == 0x7F }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return true
    default: return properties.isDefaultIgnorableCodePoint
    }
  }

  /// `\u{202e}`, or `\xff` for a byte that is no UTF-8.
  var number: String {
    if let rawByte { return "\\x" + String(rawByte, radix: 16) }
    return "\\u{" + String(value, radix: 16) + "}"
  }

  /// Whether it is hidden and still changes, rightly, how its neighbours look: the form of an emoji, the joint of two emoji,
  /// and joiners in scripts whose letters join.
  fileprivate func isNeeded(between before: Unicode.Scalar?, and after: Unicode.Scalar?) -> Bool {
    guard let before else { return false }
    switch value {
    case 0xFE0E, 0xFE0F: return before.properties.isEmoji
    case 0x200C, 0x200D:
      // A virama asks for one of the two.
      if before.properties.canonicalCombiningClass == .virama { return true }
      guard let after else { return false }
      if value == 0x200D, before.isPartOfEmoji, after.isPartOfEmoji { return true }
      return before.isOfArabicScript && after.isOfArabicScript
    default: return false
    }
  }

  private var isPartOfEmoji: Bool { value == 0xFE0F || !isASCII && properties.isEmoji }

  private var isOfArabicScript: Bool {
    (0x0620...0x08FF).contains(value) && (properties.isAlphabetic || properties.generalCategory == .nonspacingMark)
  }
}
