/// Names that have too little room, shortened so that each can still be distinguished and found again.
enum DistinctLabels {
  /// What each name is called in at most `width` columns: itself where it has room, else its beginning and its end with an
  /// ellipsis between them; where that is the same for several, what distinguishes them with a little of the rest. A number
  /// stands behind a name only where there is no room for that either.
  static func short(_ names: some Sequence<String>, width: Int) -> [String: String] {
    var labels: [String: String] = [:]
    let long = Set(names).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.filter { name in
      guard StyledText(name).width <= width else { return true }
      labels[name] = name
      return false
    }
    var taken = Set(labels.values)
    let alike = Dictionary(grouping: long) { middleCut($0, width: width) }
    for (cut, names) in alike where names.count == 1 && taken.insert(cut).inserted { labels[names[0]] = cut }
    var numbers: [String: Int] = [:]
    for name in long where labels[name] == nil {
      let cut = middleCut(name, width: width)
      let group = alike[cut] ?? [name]
      let around = aroundDifference(group, width: width)
      if around.allSatisfy({ StyledText($0).width <= width }), Set(around).count == group.count,
        taken.isDisjoint(with: around)
      {
        for (name, label) in zip(group, around) { labels[name] = label }
        taken.formUnion(around)
        continue
      }
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

  /// Of each text what differs among them, whole numbers at least, with as much around it and of both ends as there is room
  /// for in `width` columns; wider where what differs has no room.
  private static func aroundDifference(_ names: [String], width: Int) -> [String] {
    let texts = names.map { Array(StyledText($0).plain) }
    guard let first = texts.first, texts.count > 1 else { return names }
    let shortest = texts.map(\.count).min() ?? 0
    let begins = (0..<shortest).prefix { place in texts.allSatisfy { $0[place] == first[place] } }.count
    let ends = (0..<shortest - begins).prefix { place in
      texts.allSatisfy { $0[$0.count - 1 - place] == first[first.count - 1 - place] }
    }.count
    return texts.map { text in
      var (from, until) = (begins, text.count - ends)
      func isOfNumber(_ place: Int) -> Bool { text[place].isNumber || text[place] == "." }
      while from > 0, isOfNumber(from - 1) { from -= 1 }
      while until < text.count, isOfNumber(until) { until += 1 }
      return shown(text, from..<until, width: width)
    }
  }

  /// A part of a text, with as much around it and of both ends as there is room for.
  private static func shown(_ text: [Character], _ part: Range<Int>, width: Int) -> String {
    var sums = [0]
    for character in text { sums.append(sums[sums.count - 1] + character.columns) }
    /// What is left out between two places is an ellipsis, and one character is none.
    func isGap(_ from: Int, _ until: Int) -> Bool { until - from > 1 }
    var (head, from, tail) = (0, part.lowerBound, text.count)
    func columns(_ head: Int, _ from: Int, _ tail: Int) -> Int {
      let gaps = [(head, from), (part.upperBound, tail)].filter { isGap($0.0, $0.1) }
      return sums[text.count] - gaps.reduce(0) { $0 + sums[$1.1] - sums[$1.0] - 1 }
    }
    var hasRoom = true
    while hasRoom {
      hasRoom = false
      // What stands before it says what it is; then the end, then the beginning.
      if from > head, columns(head, from - 1, tail) <= width { (from, hasRoom) = (from - 1, true) }
      if tail > part.upperBound, columns(head, from, tail - 1) <= width { (tail, hasRoom) = (tail - 1, true) }
      if head < from, columns(head + 1, from, tail) <= width { (head, hasRoom) = (head + 1, true) }
    }
    func between(_ from: Int, _ until: Int) -> String { isGap(from, until) ? "…" : String(text[from..<until]) }
    return String(text[..<head]) + between(head, from) + String(text[from..<part.upperBound])
      + between(part.upperBound, tail) + String(text[tail...])
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
