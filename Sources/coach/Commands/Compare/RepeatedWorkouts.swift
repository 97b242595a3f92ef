import StrategyStudy

/// What is said of workouts that stand in several files.
enum RepeatedWorkouts {
  /// How many workouts of a file that stand in another one too are named one by one.
  private static let largestNamed = 5

  /// Says which recordings hold the same workout; many of one file in one line.
  static func lines(_ repeated: [(left: ComparedSource, kept: ComparedSource)]) -> [String] {
    let counts = Dictionary(repeated.map { ($0.left.path, 1) }, uniquingKeysWith: +)
    var summed: Set<String> = []
    return repeated.compactMap { left, kept in
      let words = "\(left.name): the same workout as \(kept.name)"
      guard let count = counts[left.path], count > largestNamed else { return words + ": counted once" }
      guard summed.insert(left.path).inserted else { return nil }
      return "\(words), and \(count - 1) more of the file the same as others: each counted once"
    }
  }
}
