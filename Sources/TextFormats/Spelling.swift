/// Finds the word somebody may have meant.
package enum Spelling {
  /// The candidate that was probably meant; `nil` when none is near enough.
  ///
  /// Near is one edit in up to four letters, two in up to eight and three beyond; or a beginning of at least two letters.
  /// Upper and lower case do not count. Of equally near candidates the first wins. A text of more than 64 letters is near
  /// to nothing.
  package static func closest(to word: String, among candidates: [String]) -> String? {
    let typed = word.lowercased()
    let length = typed.unicodeScalars.count
    guard (1...64).contains(length) else { return nil }
    let allowed = length <= 4 ? 1 : length <= 8 ? 2 : 3
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
      let distance = distance(typed, candidate.lowercased())
      if distance <= allowed, distance < candidate.unicodeScalars.count, distance < best?.distance ?? .max {
        best = (candidate, distance)
      }
    }
    if let best { return best.candidate }
    return length >= 2 ? candidates.first { $0.lowercased().hasPrefix(typed) } : nil
  }

  /// How many insertions, deletions, replacements and swaps of neighbours turn one text into the other. A swapped pair is
  /// not edited again (optimal string alignment).
  ///
  /// Source: Damerau 1964, "A technique for computer detection and correction of spelling errors"; the four kinds of
  /// single error found there in four fifths of misspelled words.
  /// - Complexity: O(n·m) time and O(m) space.
  package static func distance(_ first: String, _ second: String) -> Int {
    let a = Array(first.unicodeScalars)
    let b = Array(second.unicodeScalars)
    guard !a.isEmpty else { return b.count }
    guard !b.isEmpty else { return a.count }
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i] + [Int](repeating: 0, count: b.count)
      for j in 1...b.count {
        let replacement = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        row[j] = min(replacement, last[j] + 1, row[j - 1] + 1)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          row[j] = min(row[j], beforeLast[j - 2] + 1)
        }
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
