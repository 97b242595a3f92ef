internal import TextFormats
internal import ZoneEngine

/// Samples whose stamps lie some way ahead of the session, after a silence or in error: the next ones show which.
///
/// A stamp near them shows a silence, and they are taken as if nothing had been held. One on the course before shows that there
/// was none. Where another device sent until then, a device cannot speak for itself before its third stamp, because
/// its clock may have been set.
struct StampDoubts: Sendable {
  /// A sample, whose stamp it is, and its time in the session.
  struct Item: Sendable {
    let sample: HeldSample
    let origin: StampOrigin
    let time: SessionTime
  }

  /// What follows from a sample.
  enum Verdict: Hashable {
    /// It is held with the others.
    case wait
    /// All that are held are believed, this one too.
    case believe
    /// It shows nothing and is taken as it is.
    case goOn
    /// Those that are held are errors; it is taken as it is.
    case reject
  }

  private var items: [Item] = []
  /// The newest time of the session when the first was held.
  private var latest = SessionTime.zero

  /// Whether nothing is held.
  var isEmpty: Bool { items.isEmpty }

  /// Takes the next sample.
  ///
  /// - Parameters:
  ///   - latest: the newest time of the session.
  ///   - othersAreCurrent: whether another device than that of an origin is on the course.
  mutating func take(
    _ item: Item, latest: SessionTime, _ othersAreCurrent: (StampOrigin) -> Bool
  ) -> Verdict {
    guard let first = items.first, let last = items.last else {
      self.latest = latest
      items = [item]
      return .wait
    }
    guard item.time < first.time - TimeCourse.longestReturn else {
      // One that is far beyond them is another error, or a longer silence.
      guard item.time <= last.time + TimeCourse.longestStep else { return .goOn }
      items.append(item)
      let isOther = !item.origin.isOfSameDevice(as: first.origin)
      let isSure = isOther || !othersAreCurrent(first.origin) || items.count >= TimeCourse.newCourseCount
      return isSure ? .believe : .wait
    }
    let isSame = items.contains { $0.origin == item.origin }
    let isOfDevice = items.contains { $0.origin.isOfSameDevice(as: item.origin) }
    // Streams of a device may be a little apart in how they arrive.
    let margin = isSame || !isOfDevice ? SessionTime.zero : SessionPipeline.skewAllowance
    return item.time > self.latest + margin ? .reject : .goOn
  }

  /// Whether the session went on without them, to a time.
  func isContradicted(by latest: SessionTime) -> Bool { latest > self.latest + SessionPipeline.skewAllowance }

  /// All that are held, which are no more.
  mutating func takeAll() -> [HeldSample] {
    defer { items.removeAll() }
    return items.map(\.sample)
  }
}
