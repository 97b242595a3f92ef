/// Finds points whose times are damaged by their places in the file: one or two in a row that are more than an hour from the
/// point before them, to which the next one comes back, and from every other point too.
///
/// So neither how many there are nor where each lies makes a difference, as long as they are few beside all others. Times that only
/// go on, such as those of segments in any order, are not damaged: none of them comes back.
struct StrayPoints: Sendable {
  /// How far from all others a damaged time lies, in nanoseconds.
  private static let farthest: Int64 = 3_600_000_000_000

  /// The places of the points, in order.
  let places: [Int]
  /// The earliest of their times; `nil` without any.
  let first: Int64?

  /// Looks at points in the order of the file.
  ///
  /// - Complexity: O(n), O(n log n) where a point may be damaged.
  init(_ points: [RecordedPoint]) {
    let candidates = Self.candidates(points)
    guard !candidates.isEmpty, candidates.count <= points.count / (StrayTimes.clearMajority + 1) else {
      (places, first) = ([], nil)
      return
    }
    var next = candidates[...]
    let others = points.indices.compactMap { index in
      guard next.first == index else { return points[index].time }
      next.removeFirst()
      return nil
    }.sorted()
    places = candidates.filter { place in
      let time = points[place].time
      let later = others.partitioningIndex { $0 >= time }
      return (later == others.count || Self.isFar(time, others[later]))
        && (later == 0 || Self.isFar(others[later - 1], time))
    }
    first = places.map { points[$0].time }.min()
  }

  /// The places of points that leave the course of the times and are followed by one that comes back to it.
  private static func candidates(_ points: [RecordedPoint]) -> [Int] {
    guard var last = points.first?.time else { return [] }
    var candidates: [Int] = []
    var index = 1
    while index < points.count {
      let time = points[index].time
      if isFar(last, time),
        let back = (index + 1..<min(points.count, index + StrayTimes.fewest)).first(where: {
          !isFar(last, points[$0].time)
        })
      {
        candidates += index..<back
        index = back
      } else {
        last = time
        index += 1
      }
    }
    return candidates
  }

  /// Whether two times lie more than an hour apart.
  @inline(__always)
  static func isFar(_ one: Int64, _ other: Int64) -> Bool {
    let (distance, overflow) = other.subtractingReportingOverflow(one)
    return overflow || distance.magnitude > farthest.magnitude
  }
}

extension DecodedRecording.Activity {
  /// Leaves out points whose times are damaged. A pause that one of them began or ended lies between the points beside it, and a lap
  /// reaches to the points that are left of it.
  ///
  /// - Precondition: the points are in the order of the file.
  mutating func removeStrayPlaces() {
    let strays = StrayPoints(points)
    guard let first = strays.first else { return }
    replacePauses(strays.places)
    let damaged = Set(strays.places.map { points[$0].time })
    segmentStarts = segmentStarts.map { start in start - strays.places.partitioningIndex { $0 >= start } }
    var next = strays.places[...]
    var place = -1
    points.removeAll { _ in
      place += 1
      guard next.first == place else { return false }
      next.removeFirst()
      return true
    }
    replaceLaps(damaged)
    note(strays: strays.places.count, first: first)
  }

  /// Lets pauses begin with the point before a damaged one, and end with the one behind it.
  private mutating func replacePauses(_ places: [Int]) {
    guard !pauses.isEmpty else { return }
    let damaged = Set(places)
    var neighbours: [Int64: (before: Int64, next: Int64)] = [:]
    for place in places {
      // At most two are beside each other, and neither the first point of all nor the last is one.
      let before = damaged.contains(place - 1) ? place - 2 : place - 1
      let next = damaged.contains(place + 1) ? place + 2 : place + 1
      neighbours[points[place].time] = (points[before].time, points[next].time)
    }
    pauses = pauses.compactMap { pause in
      let from = neighbours[pause.from]?.before ?? pause.from
      let until = neighbours[pause.until]?.next ?? pause.until
      return from < until ? DecodedRecording.Pause(from: from, until: until) : nil
    }
  }

  /// Lets laps that begin or end at a damaged time begin or end with a point between the laps beside them.
  private mutating func replaceLaps(_ damaged: Set<Int64>) {
    for (index, span) in timed.enumerated() where damaged.contains(span.from) || damaged.contains(span.until) {
      let earlier = timed[..<index].last { $0.isWhole == span.isWhole }?.until
      let later = timed[(index + 1)...].first { $0.isWhole == span.isWhole && !damaged.contains($0.from) }?.from
      let own = points.map(\.time).filter { time in
        earlier.map { time > $0 } ?? true && later.map { time < $0 } ?? true
      }
      let from = damaged.contains(span.from) ? own.min() : span.from
      let until = damaged.contains(span.until) ? own.max() : span.until
      guard let from, let until, from <= until else { continue }
      timed[index] = TimedSpan(from: from, until: until, timer: span.timer, isWhole: span.isWhole, step: span.step)
    }
  }
}
