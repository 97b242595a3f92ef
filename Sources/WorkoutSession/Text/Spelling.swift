/// Finds the word somebody may have meant.
package enum Spelling {
  /// The candidate closest to `word`: at most a third of its letters, and at most two, wrong, missing, surplus or
  /// swapped with their neighbour; upper and lower case do not count. `nil` when none is so close; the first of equals.
  ///
  /// - Complexity: O(m · n) for each candidate of about the same length.
  package static func closest(to word: String, among candidates: [String]) -> String? {
    let letters = Array(word.lowercased().utf8)
    guard letters.count <= 64 else { return nil }
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
      let other = Array(candidate.lowercased().utf8)
      let limit = min(2, max(letters.count, other.count) / 3)
      guard abs(other.count - letters.count) <= limit else { continue }
      let distance = distance(letters, other)
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.candidate
  }

  /// The number of letters to change, insert, delete or swap with their neighbour to get from one word to the other.
  static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let change = left[row] == right[column] ? 0 : 1
        var cost = min(previous[column] + change, previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, beforePrevious[column - 1] + 1)
        }
        current.append(cost)
      }
      beforePrevious = previous
      previous = current
    }
    return previous[right.count]
  }
}
