extension RandomAccessCollection {
  /// The place of the first element that satisfies a condition, which from one place on all do; the end when none does.
  ///
  /// - Complexity: O(log n)
  func partitioningIndex(_ condition: (Element) -> Bool) -> Index {
    var (start, left) = (startIndex, count)
    while left > 0 {
      let half = left / 2
      let middle = index(start, offsetBy: half)
      if condition(self[middle]) {
        left = half
      } else {
        start = index(after: middle)
        left -= half + 1
      }
    }
    return start
  }
}
