package import ActivityRecognition

/// How long somebody sat, stood, walked and ran, in nanoseconds.
package struct ActivityMinutes: Hashable, Sendable {
  /// Those that are counted, in the order of records and tables.
  package static let kinds: [ActivityKind] = [.sitting, .standing, .walking, .running]

  private var nanoseconds: [Int64]

  /// None of anything.
  package init() { nanoseconds = Array(repeating: 0, count: Self.kinds.count) }

  /// The nanoseconds of ``kinds``; `nil` for another number of them.
  package init?(nanoseconds: [Int64]) {
    guard nanoseconds.count == Self.kinds.count else { return nil }
    self.nanoseconds = nanoseconds
  }

  /// The nanoseconds of an activity; 0 of one that is not counted.
  package subscript(kind: ActivityKind) -> Int64 {
    get { Self.kinds.firstIndex(of: kind).map { nanoseconds[$0] } ?? 0 }
    set { if let place = Self.kinds.firstIndex(of: kind) { nanoseconds[place] = newValue } }
  }

  /// Both together.
  package static func + (left: ActivityMinutes, right: ActivityMinutes) -> ActivityMinutes {
    var sum = left
    for kind in kinds { sum[kind] += right[kind] }
    return sum
  }

  /// The minutes of an activity, to the hundredth.
  package func minutes(_ kind: ActivityKind) -> Double { (Double(self[kind]) / 6e8).rounded() / 100 }
}
