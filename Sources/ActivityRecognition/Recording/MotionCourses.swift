extension MotionTrack {
  /// How many rows of a stretch have to lie where there are some already before its clock counts as another: as for heart rates and
  /// the stamps of a live session, the third counts.
  private static let neededRows = 3

  /// Where times begin anew: the first place of each course of times, of which there is mostly one.
  ///
  /// A time more than ``MotionRecording/longestGapSeconds`` before the one in front of it may be late, and fill what was left open, or
  /// be of a clock that was set or began again. Of the latter are rows that lie as close among those before them as these do to each
  /// other, from the third on; what is there a second time as a whole is not counted.
  ///
  /// - Parameter step: the usual time from one row to the next.
  /// - Complexity: O(*n*) where no time is that far back, else O(*n* log² *n*).
  func courseBeginnings(step: Int64) -> [Int] {
    let far = Int64(MotionRecording.longestGapSeconds * 1e9)
    let leaps = times.indices.dropFirst().filter { times[$0 - 1] - times[$0] > far }
    guard !leaps.isEmpty else { return [0] }
    var beginnings = [0]
    var known = KnownRows(self)
    for (begin, end) in zip([0] + leaps, leaps + [times.count]) {
      if begin > 0 {
        var count = 0
        for row in begin..<end where known.isAmong(row, within: step + step / 2) {
          count += 1
          if count == Self.neededRows { break }
        }
        if count == Self.neededRows { beginnings.append(begin) }
      }
      known.insert(begin..<end)
    }
    return beginnings
  }

  /// The rows at some places, in their order.
  func part(_ places: Range<Int>) -> MotionTrack {
    guard places.count < times.count else { return self }
    return MotionTrack(
      times: Array(times[places]), samples: Array(samples[places]), labels: Array(labels[places]),
      lines: Array(lines[places]))
  }

  /// Rows in order of time, into which others are put: runs, each of which is more than twice as long as the one behind it.
  private struct KnownRows {
    let track: MotionTrack
    var runs: [[UInt32]] = []

    init(_ track: MotionTrack) { self.track = track }

    private func isBefore(_ left: UInt32, _ right: UInt32) -> Bool {
      (track.times[Int(left)], left) < (track.times[Int(right)], right)
    }

    mutating func insert(_ places: Range<Int>) {
      runs.append(places.map { UInt32($0) }.sorted(by: isBefore))
      while runs.count > 1, let last = runs.last, runs[runs.count - 2].count <= 2 * last.count {
        runs.removeLast()
        runs[runs.count - 1] = merged(runs[runs.count - 1], last)
      }
    }

    private func merged(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
      var merged: [UInt32] = []
      merged.reserveCapacity(left.count + right.count)
      var (first, second) = (0, 0)
      while first < left.count || second < right.count {
        if second == right.count || first < left.count && isBefore(left[first], right[second]) {
          merged.append(left[first])
          first += 1
        } else {
          merged.append(right[second])
          second += 1
        }
      }
      return merged
    }

    /// Whether a row lies between two known ones that are at most so far from each other, and is none of them.
    func isAmong(_ row: Int, within span: Int64) -> Bool {
      let time = track.times[row]
      var (before, after): (Int64?, Int64?)
      for run in runs {
        // The first row that is later.
        var (low, high) = (0, run.count)
        while low < high {
          let middle = (low + high) / 2
          if track.times[Int(run[middle])] <= time { low = middle + 1 } else { high = middle }
        }
        if low < run.count { after = min(after ?? .max, track.times[Int(run[low])]) }
        guard low > 0 else { continue }
        before = max(before ?? .min, track.times[Int(run[low - 1])])
        var place = low - 1
        while place >= 0, low - place <= Self.mostAtOneTime, track.times[Int(run[place])] == time {
          if isSame(Int(run[place]), row) { return false }
          place -= 1
        }
      }
      guard let before else { return false }
      return before == time || after.map { $0 - before <= span } ?? false
    }

    /// How many rows of one time are looked at.
    private static let mostAtOneTime = 8

    private func isSame(_ row: Int, _ other: Int) -> Bool {
      let (one, two) = (track.samples[row], track.samples[other])
      return one[0] == two[0] && one[1] == two[1] && one[2] == two[2]
    }
  }
}
