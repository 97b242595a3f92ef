package import WorkoutSession
package import ZoneEngine

/// Something that reaches a session in a scenario: a sample or a command.
package struct ScenarioArrival: Hashable, Sendable {
  /// What arrives.
  package enum Content: Hashable, Sendable {
    /// A reading of a sensor.
    case sample(Sample)
    /// A command of the runner.
    case command(SessionCommand)
  }

  /// What arrives.
  package let content: Content
  /// The time that it carries. Samples that arrive late carry an earlier one than what arrived before them.
  package let time: SessionTime
}

/// Puts what the parts of a scenario's input hold into the order in which it arrives.
///
/// By time, then all commands but stop before the samples of their instant and stop after them, then by stream, then as
/// it stands in the file. What is delivered late keeps the order of the file and comes after everything else up to the
/// time of its delivery.
struct ScenarioQueue: Sendable {
  /// The most arrivals that a scenario may have.
  static let largestCount = 1_000_000

  private struct Entry {
    let delivered: SessionTime
    /// 0 for commands, then the streams, then stop, then what is delivered late.
    let rank: Int
    let order: Int
    let arrival: ScenarioArrival
  }

  private static let rankOfStop = 1 + SampleStream.allCases.count
  private static let rankOfLate = rankOfStop + 1

  private var entries: [Entry] = []

  /// How many arrivals there are.
  var count: Int { entries.count }

  mutating func add(_ sample: Sample, deliveredAfter: SessionTime?) {
    append(
      .sample(sample), at: sample.time, delivered: deliveredAfter ?? sample.time,
      rank: deliveredAfter == nil ? 1 + sample.reading.stream.rawValue : Self.rankOfLate)
  }

  mutating func add(_ command: SessionCommand, at time: SessionTime) {
    append(.command(command), at: time, delivered: time, rank: command == .stop ? Self.rankOfStop : 0)
  }

  private mutating func append(
    _ content: ScenarioArrival.Content, at time: SessionTime, delivered: SessionTime, rank: Int
  ) {
    entries.append(
      Entry(
        delivered: delivered, rank: rank, order: entries.count, arrival: ScenarioArrival(content: content, time: time)))
  }

  /// Everything in the order in which it arrives.
  func ordered() -> [ScenarioArrival] {
    entries.sorted { ($0.delivered, $0.rank, $0.order) < ($1.delivered, $1.rank, $1.order) }.map(\.arrival)
  }
}
