package import ZoneEngine

/// How much speed a heartbeat gives less in the second half of a session than in the first.
///
/// The halves are those of the active time, to the nanosecond. The efficiency of a half is its mean speed over its mean heart
/// rate; the decoupling is `(first − second) ÷ first`. Source: Friel J. (2009), The Triathlete's Training Bible, "aerobic
/// decoupling (Pa:HR)". It says little of sessions that are not steady.
///
/// Between two readings of the distance it grows evenly with the active time, and before the first or after the last of them no
/// time counts; a heart rate holds until the next one, for ``HeartRateWindow/longestHeld`` at most and not in a pause. So how
/// often a device reads changes nothing.
///
/// Where the middle is nobody knows before the end. So metres and beats are kept by ``slotCount`` slots of equal length, 4 s at
/// first, and each time when they are full of twice that: 6 KB at most. The one that the middle lies in is shared in
/// proportion; it is a 256th of the session at most.
package struct AerobicDecoupling: Sendable {
  private struct Slot {
    var meters: Float = 0
    /// Beats per minute times seconds.
    var beats: Float = 0
    /// Seconds that had a heart rate.
    var covered: Float = 0
  }

  /// The shortest session that has one.
  static let shortest = SessionTime.seconds(1_200)
  /// The most slots, an even number.
  static let slotCount = 512
  /// The latest time that is looked at, a century after the start.
  private static let latest = SessionTime.seconds(3_155_760_000)

  private var slots: [Slot] = []
  private var slotLength = SessionTime.seconds(4).nanoseconds
  private var lastMeters = 0.0
  /// The active times from which and until which the distance is known.
  private var known: (from: SessionTime, until: SessionTime)?
  /// Whether a device counted, after which places do not.
  private var isRecorded = false
  private var held: (beatsPerMinute: Double, from: SessionTime)?

  private var pausedAt: SessionTime?
  private var paused = SessionTime.zero
  /// The active time at the last pause or its end, before which nothing is placed any more.
  private var runSince = SessionTime.zero
  private var end = SessionTime.zero

  /// Creates the decoupling of a session that begins.
  package init() {}

  /// Takes an accepted heart rate of the active session.
  package mutating func admit(heartRate beatsPerMinute: Double, at time: SessionTime) {
    let active = active(at: time)
    endHeld(at: active)
    held = (beatsPerMinute, active)
  }

  /// Takes the distance so far after a reading that counted, at the time when it was measured; it is absent for a first place.
  ///
  /// What a device counts begins with the session, whatever its first reading is and however late it comes: 0 m after a minute are
  /// a minute in which it counted nothing, as 0.1 m are one in which it counted next to nothing. What is measured between places
  /// begins with the first of them.
  package mutating func admit(meters: Double?, of stream: SampleStream, at time: SessionTime) {
    let active = active(at: time)
    if stream == .distance {
      guard let meters else { return }
      if !isRecorded, lastMeters > 0 {
        // The two do not begin at the same zero.
        lastMeters = meters
      } else if !isRecorded {
        known = (.zero, .zero)
      }
      isRecorded = true
      grow(to: meters, at: active)
    } else if !isRecorded {
      grow(to: meters ?? lastMeters, at: active)
    }
  }

  private mutating func grow(to meters: Double, at active: SessionTime) {
    let (from, last) = known ?? (active, active)
    if meters > lastMeters {
      let more = meters - lastMeters
      share(from: min(last, active), until: active) { $0.meters += Float(more * $1) }
      lastMeters = meters
    }
    known = (from, max(last, active))
  }

  /// The clock of the session stands still, or runs, from a time on.
  package mutating func run(_ isRunning: Bool, at time: SessionTime) {
    guard isRunning == (pausedAt != nil) else { return }
    endHeld(at: active(at: time))
    runSince = active(at: time)
    if let pausedAt { paused = paused + (time - pausedAt) }
    pausedAt = isRunning ? nil : time
  }

  /// The session ended.
  package mutating func finish(at time: SessionTime) {
    end = active(at: time)
    endHeld(at: end)
  }

  /// The decoupling of a session that ended as a part of 1, to the millionth; `nil` for a session under 20 minutes, or without
  /// heart rates or distance in a half.
  package var value: Double? {
    guard end >= Self.shortest, let known else { return nil }
    let half = Double(end.nanoseconds) / 2
    let (from, until) = (Double(known.from.nanoseconds), Double(known.until.nanoseconds))
    var (first, second) = (Half(span: min(half, until) - from), Half(span: until - max(half, from)))
    for (index, slot) in slots.enumerated() {
      let part = min(max(half / Double(slotLength) - Double(index), 0), 1)
      first.add(slot, part)
      second.add(slot, 1 - part)
    }
    guard let before = first.efficiency, let after = second.efficiency else { return nil }
    // A sum with 0, so that a loss of nothing has no sign.
    return ((before - after) / before * 1e6).rounded() / 1e6 + 0
  }

  private struct Half {
    /// How long the distance is known, in nanoseconds.
    let span: Double
    var meters = 0.0
    var beats = 0.0
    var covered = 0.0

    mutating func add(_ slot: Slot, _ part: Double) {
      meters += Double(slot.meters) * part
      beats += Double(slot.beats) * part
      covered += Double(slot.covered) * part
    }

    /// Mean speed over mean heart rate.
    var efficiency: Double? {
      guard span > 0, meters > 0, covered > 0 else { return nil }
      return meters / span / (beats / covered)
    }
  }

  private func active(at time: SessionTime) -> SessionTime {
    let active = time - paused - (pausedAt.map { max(.zero, time - $0) } ?? .zero)
    return min(max(runSince, active), Self.latest)
  }

  private mutating func endHeld(at active: SessionTime) {
    guard let held else { return }
    self.held = nil
    let until = min(active, held.from + HeartRateWindow.longestHeld)
    guard until > held.from else { return }
    let seconds = (until - held.from).seconds
    share(from: held.from, until: until) { slot, part in
      slot.beats += Float(held.beatsPerMinute * seconds * part)
      slot.covered += Float(seconds * part)
    }
  }

  /// Gives each slot between two active times the part of it that lies in the slot; an instant is the nanosecond that begins there.
  private mutating func share(from: SessionTime, until: SessionTime, _ give: (inout Slot, Double) -> Void) {
    let end = max(until.nanoseconds, from.nanoseconds + 1)
    makeRoom(until: end)
    let span = Double(end - from.nanoseconds)
    var start = from.nanoseconds
    while start < end {
      let index = start / slotLength
      let next = min(end, (index + 1) * slotLength)
      give(&slots[Int(index)], Double(next - start) / span)
      start = next
    }
  }

  /// Makes slots until there is one for the nanosecond before an active time, and longer ones where they would be too many.
  private mutating func makeRoom(until end: Int64) {
    while end > Int64(Self.slotCount) * slotLength {
      if !slots.count.isMultiple(of: 2) { slots.append(Slot()) }
      for index in 0..<slots.count / 2 {
        let (slot, other) = (slots[2 * index], slots[2 * index + 1])
        slots[index] = Slot(
          meters: slot.meters + other.meters, beats: slot.beats + other.beats, covered: slot.covered + other.covered)
      }
      slots.removeLast(slots.count / 2)
      slotLength *= 2
    }
    let count = Int((end - 1) / slotLength) + 1
    guard count > slots.count else { return }
    if count > slots.capacity { slots.reserveCapacity(min(max(32, 2 * count), Self.slotCount)) }
    slots.append(contentsOf: repeatElement(Slot(), count: count - slots.count))
  }
}
