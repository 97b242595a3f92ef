package import ZoneEngine

/// The metres of the activities of a recording, each of which counts from its own beginning, added up.
///
/// Activities may overlap, so each has its own count. Two that go on at the same time and come to the same are one way that two
/// devices counted, and have one count together.
package struct JoinedDistance {
  /// An activity: the time that it spans, and what it counts to; `nil` where it counts nothing.
  package struct Part: Sendable {
    let from: Int64
    let until: Int64
    let meters: Double?

    /// An activity from its first point to its last.
    package init(from: Int64, until: Int64, meters: Double?) {
      (self.from, self.until, self.meters) = (from, until, meters)
    }
  }

  /// How much of the longer of two activities, and of the larger of their counts, has to be in both that they are one way.
  private static let sameShare = 0.9
  /// How many activities before one are looked at for the same way.
  private static let mostCompared = 64

  /// The number of the count of each activity.
  private let owners: [Int]
  private var counts: [CumulativeCount]
  private var current = 0
  /// What all counts but the current one come to.
  private var others = 0.0

  /// Creates a value of nothing yet; `nil` where activities overlap and have one count together.
  ///
  /// - Parameters:
  ///   - parts: the activities in order of their starts.
  ///   - areWoven: whether some of them overlap.
  package init?(_ parts: [Part], areWoven: Bool) {
    var (owners, firsts): ([Int], [Part]) = ([], [])
    for part in parts {
      let near = firsts.indices.suffix(Self.mostCompared)
      if let same = near.first(where: { Self.areSameWay(firsts[$0], part) }) {
        owners.append(same)
      } else {
        owners.append(firsts.count)
        firsts.append(part)
      }
    }
    guard !areWoven || firsts.count(where: { $0.meters != nil }) > 1 else { return nil }
    self.owners = owners
    let count = CumulativeCount(from: 0, fastestPerSecond: DistanceTotal.fastestOnWheels)
    counts = Array(repeating: count, count: firsts.count)
  }

  /// Metres since the start of the recording.
  package var meters: Double { others + counts[current].total }

  /// Takes the next count of an activity.
  ///
  /// - Precondition: there is an activity of this number, from 0.
  package mutating func admit(_ meters: Double, at time: SessionTime, of activity: Int) {
    let owner = owners[activity]
    if owner != current {
      others = self.meters - counts[owner].total
      current = owner
    }
    counts[owner].admit(meters, at: time)
  }

  private static func areSameWay(_ one: Part, _ other: Part) -> Bool {
    guard let left = one.meters, let right = other.meters else { return false }
    let together = seconds(from: max(one.from, other.from), until: min(one.until, other.until))
    let longer = max(seconds(from: one.from, until: one.until), seconds(from: other.from, until: other.until))
    return longer > 0 && together >= sameShare * longer && min(left, right) >= sameShare * max(left, right)
  }

  private static func seconds(from: Int64, until: Int64) -> Double {
    (SessionTime(nanoseconds: until) - SessionTime(nanoseconds: from)).seconds
  }
}

extension JoinedDistance.Part {
  /// An activity of a recording, each of which has a point.
  init(_ activity: DecodedRecording.Activity) {
    let last = activity.points.last { $0.distance >= 0 && $0.distance.isFinite }
    self.init(
      from: activity.points.first?.time ?? 0, until: activity.points.last?.time ?? 0, meters: last?.distance)
  }
}
