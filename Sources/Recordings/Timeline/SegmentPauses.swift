extension DecodedRecording.Activity {
  /// The pauses between the segments of an activity by their times, in whatever order they came; `nil` without several segments.
  ///
  /// Points at times that are not of the recording count for no segment.
  /// - Precondition: the points are in the order of the file.
  /// - Complexity: O(n log n).
  var pausesBetweenSegments: [DecodedRecording.Pause]? {
    guard segmentStarts.count > 1 else { return nil }
    var strays = StrayTimes()
    for time in points.map(\.time).sorted() { strays.admit(time) }
    let kept = strays.kept() ?? Int64.min ... .max
    var segments: [ClosedRange<Int64>] = []
    for (number, start) in segmentStarts.enumerated() {
      let end = number + 1 < segmentStarts.count ? segmentStarts[number + 1] : points.count
      let times = points[start..<end].map(\.time).filter(kept.contains)
      if let first = times.min(), let last = times.max() { segments.append(first...last) }
    }
    var pauses: [DecodedRecording.Pause] = []
    var end: Int64?
    for segment in segments.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let end, segment.lowerBound > end {
        pauses.append(DecodedRecording.Pause(from: end, until: segment.lowerBound))
      }
      end = max(end ?? segment.upperBound, segment.upperBound)
    }
    return pauses
  }
}
