package import ZoneEngine

/// A time of the active session in which one heart rate was held and one target was in force; the start belongs to it,
/// the end does not.
package struct HeldSpan: Hashable, Sendable {
  /// When it begins, in session time.
  package let start: SessionTime
  /// When it ends.
  package let end: SessionTime
  /// The active time at its start.
  package let activeStart: SessionTime
  /// The heart rate as displayed.
  package let displayedBPM: Int
  /// The target in force; absent when nothing was asked for.
  package let target: ResolvedTarget?

  /// Creates a span.
  package init(
    start: SessionTime, end: SessionTime, activeStart: SessionTime, displayedBPM: Int, target: ResolvedTarget?
  ) {
    self.start = start
    self.end = end
    self.activeStart = activeStart
    self.displayedBPM = displayedBPM
    self.target = target
  }
}

extension HeartRateTrack {
  /// Gives every time in which a heart rate was held to `body`, in order.
  ///
  /// An accepted heart rate holds until the next one, at most ``CoachingEngine/holdLimit``, and never across a pause or
  /// past the end: the definition of time in zone.
  ///
  /// - Parameter settings: whose targets count; its strategy is not asked.
  /// - Returns: the active time of the whole track.
  package func forEachHeldSpan(_ settings: CoachingSettings, _ body: (HeldSpan) -> Void) -> SessionTime {
    var walk = HeldWalk(settings)
    var next = 0
    for index in 0...turns.count {
      let last = index < turns.count ? turns[index].index : times.count
      while next < last {
        walk.heartRate(beatsPerMinute[next], at: times[next], body)
        next += 1
      }
      if index < turns.count { walk.perform(turns[index].turn, at: turns[index].time, body) }
    }
    walk.advance(to: end, body)
    return walk.engine.active
  }

  /// Follows what is held while an engine goes through a track.
  private struct HeldWalk {
    private(set) var engine: CoachingEngine
    private var events: [EngineEvent] = []
    private var held: (displayedBPM: Int, until: SessionTime)?
    private var pausedReading: (displayedBPM: Int, time: SessionTime)?
    private var target: ResolvedTarget?
    /// Up to where spans were given, in session time and in active time.
    private var cursor = SessionTime.zero
    private var active = SessionTime.zero

    init(_ settings: CoachingSettings) {
      engine = CoachingEngine(settings: settings)
      target = engine.target
    }

    mutating func heartRate(_ beatsPerMinute: Double, at time: SessionTime, _ body: (HeldSpan) -> Void) {
      advance(to: time, body)
      let verdict = engine.heartRate(beatsPerMinute, at: time, into: &events)
      events.removeAll(keepingCapacity: true)
      guard verdict == .accepted else { return }
      let displayed = HeartRateZones.displayed(beatsPerMinute)
      if engine.isPaused {
        pausedReading = (displayed, time)
      } else {
        held = (displayed, time + CoachingEngine.holdLimit)
      }
    }

    mutating func perform(_ turn: HeartRateTrack.Turn, at time: SessionTime, _ body: (HeldSpan) -> Void) {
      // Metres move no time on.
      if case .cover = turn { return turn.perform(on: &engine, at: time, into: &events) }
      advance(to: time, body)
      turn.perform(on: &engine, at: time, into: &events)
      events.removeAll(keepingCapacity: true)
      target = engine.target
      switch turn {
      case .pause: held = nil
      case .resume:
        if let reading = pausedReading, reading.time == engine.now {
          held = (reading.displayedBPM, reading.time + CoachingEngine.holdLimit)
        }
        pausedReading = nil
      case .lap, .advance, .cover, .target: break
      }
    }

    mutating func advance(to time: SessionTime, _ body: (HeldSpan) -> Void) {
      engine.advance(to: time, into: &events)
      for event in events {
        guard case .stepChanged(let at, _, _, let changed) = event else { continue }
        give(until: at, body)
        target = changed
      }
      events.removeAll(keepingCapacity: true)
      give(until: engine.now, body)
    }

    private mutating func give(until time: SessionTime, _ body: (HeldSpan) -> Void) {
      guard time > cursor else { return }
      if !engine.isPaused {
        if let held, held.until > cursor {
          body(
            HeldSpan(
              start: cursor, end: min(time, held.until), activeStart: active, displayedBPM: held.displayedBPM,
              target: target))
        }
        active += time - cursor
      }
      cursor = time
    }
  }
}
