import Foundation
import TextFormats
import WorkoutSession
import ZoneEngine

/// A run of a few minutes that several senders measure, each by a clock of its own, which may be wrong, be set in the middle or
/// have a stamp that is off; what some of them send waits for a connection for a while.
struct SenderClocks {
  /// What arrives: a line, or nothing but time.
  struct Arrival {
    let seconds: Double
    let feed: Int
    let line: String?
  }

  /// A sender.
  struct Sender {
    let feed: Int
    let source: String?
    let stream: String
    /// How far its clock is ahead at first.
    var ahead = 0.0
    /// When it is set, and by how much.
    var set: (second: Int, by: Double)?
    /// How long a line takes.
    var delay = 0.1
    /// The seconds whose samples wait for the end of them.
    var queue: Range<Int>?
    /// The seconds of which one stamp is off, and by how much.
    var lone: [Int: Double] = [:]
    /// The first second.
    var first = 0
  }

  /// What of it a rig has to be made for.
  let clock: SessionClock
  let seconds: Int
  var senders: [Sender]

  /// The heart rate at a time: under, in and over zone 2 in four minutes, slowly enough for every filter.
  static func beatsPerMinute(_ second: Int) -> Int { 128 + Int((32 * sin(Double(second) / 240 * 2 * .pi)).rounded()) }

  /// The lines of all senders and the turns of the machine's clock, in the order of their arrival.
  var arrivals: [Arrival] {
    var result: [Arrival] = []
    for sender in senders {
      for second in sender.first..<seconds {
        var ahead = sender.ahead + (sender.lone[second] ?? 0)
        if let set = sender.set, second >= set.second { ahead += set.by }
        var arrival = Double(second) + sender.delay
        if let queue = sender.queue, queue.contains(second) {
          arrival = Double(queue.upperBound) + Double(second - queue.lowerBound) / 200
        }
        let value =
          sender.stream == "steps" ? #""count":3"# : #""beatsPerMinute":\#(Self.beatsPerMinute(second))"#
        let source = sender.source.map { #","source":"\#($0)""# } ?? ""
        let time = WallClockTime.morning(Double(second) + ahead)
        let line = #"{"type":"\#(sender.stream)","time":"\#(time)",\#(value)\#(source)}"#
        result.append(Arrival(seconds: arrival, feed: sender.feed, line: line))
      }
    }
    if clock != .samples {
      for second in 0..<seconds { result.append(Arrival(seconds: Double(second) + 0.5, feed: 0, line: nil)) }
    }
    return result.enumerated().sorted { left, right in
      (left.element.seconds, left.offset) < (right.element.seconds, right.offset)
    }.map(\.element)
  }

  /// Which cues a runner gets, and when, by the true time.
  func cues(_ request: CoachingRequest) throws -> (cues: [(seconds: Double, action: CueAction)], rig: LiveRig) {
    var rig = try LiveRig(request, clock: clock)
    var cues: [(seconds: Double, action: CueAction)] = []
    for arrival in arrivals {
      let known = rig.events.count
      if let line = arrival.line { try rig.take(line, from: arrival.feed, arrival: arrival.seconds) }
      if clock != .samples { rig.tick(arrival.seconds) }
      for case .engine(.decision(let decision)) in rig.events[known...] {
        guard case .cue(let action) = decision.outcome else { continue }
        cues.append((arrival.seconds, action))
      }
    }
    rig.end(.endOfInput, Double(seconds))
    return (cues, rig)
  }

  /// The same run by clocks that are right.
  var right: SenderClocks {
    var right = self
    for index in right.senders.indices {
      (right.senders[index].ahead, right.senders[index].set, right.senders[index].lone) = (0, nil, [:])
    }
    return right
  }
}
