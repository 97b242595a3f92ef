/// Names that are cut to little room and stay distinct.
enum DistinctLabels {
  /// What each name is called in at most `width` columns: itself where it has room, else its beginning and its end with an
  /// ellipsis between them; a number behind it where that is the same for several.
  static func short(_ names: some Sequence<String>, width: Int) -> [String: String] {
    var labels: [String: String] = [:]
    var taken: Set<String> = []
    var numbers: [String: Int] = [:]
    let long = Set(names).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.filter { name in
      guard StyledText(name).width <= width else { return true }
      labels[name] = name
      taken.insert(name)
      return false
    }
    for name in long {
      let cut = middleCut(name, width: width)
      var label = cut
      while !taken.insert(label).inserted {
        let number = numbers[cut, default: 1] + 1
        numbers[cut] = number
        let mark = "#\(number)"
        guard mark.count < width else { break }
        label = middleCut(name, width: width - mark.count) + mark
      }
      labels[name] = label
    }
    return labels
  }

  /// The beginning and the end of a text, in at most `width` columns.
  private static func middleCut(_ text: String, width: Int) -> String {
    let whole = StyledText(text)
    guard whole.width > width else { return whole.plain }
    guard width > 2 else { return whole.cut(to: width).plain }
    var head = (width - 1) / 2
    var beginning = ""
    for character in whole.plain {
      guard character.columns <= head else { break }
      beginning.append(character)
      head -= character.columns
    }
    var tail = width - 1 - StyledText(beginning).width
    var end: [Character] = []
    for character in whole.plain.reversed() {
      guard character.columns <= tail else { break }
      end.append(character)
      tail -= character.columns
    }
    return beginning + "…" + String(end.reversed())
  }
}
