/// How many insertions, deletions, replacements and swaps of neighbours turn one text into the other.
///
/// A swapped pair is not edited again (optimal string alignment).
///
/// Source: Damerau 1964, "A technique for computer detection and correction of spelling errors"; the four kinds of
/// single error found there in four fifths of misspelled words.
/// - Complexity: O(n·m) time and O(m) space.
func editDistance(_ first: String, _ second: String) -> Int {
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

/// The word that was probably meant, or nothing when none is near enough.
///
/// Near is one edit in up to four letters, two in up to eight and three beyond; or a beginning of at least two letters.
/// Of equally near words the first wins. A text of more than 64 letters is near to nothing.
func nearest(to text: String, among words: [String]) -> String? {
  let typed = text.lowercased()
  let length = typed.unicodeScalars.count
  guard (1...64).contains(length) else { return nil }
  let allowed = length <= 4 ? 1 : length <= 8 ? 2 : 3
  var best: (word: String, distance: Int)?
  for word in words {
    let distance = editDistance(typed, word)
    if distance <= allowed, distance < word.unicodeScalars.count, distance < best?.distance ?? .max {
      best = (word, distance)
    }
  }
  if let best { return best.word }
  return length >= 2 ? words.first { $0.hasPrefix(typed) } : nil
}
