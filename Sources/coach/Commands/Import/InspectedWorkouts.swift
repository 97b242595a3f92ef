import Recordings
import TextFormats

/// The recordings that a command has reported so far, to notice one workout that is there twice.
///
/// Recordings are not kept: an earlier one that may be a twin is read again, out of its archive where it was in one. What
/// they hold of each second is kept as long as there is room for it.
struct InspectedWorkouts {
  private struct Inspected {
    let path: String
    /// Where it can be opened again; of what cannot, such as a pipe, the trace is kept from the start.
    let place: RecordingPlace?
    /// When it began and ended.
    let span: ClosedRange<Int64>?
    let samples: Int
    /// What it holds of each second, made when it is needed.
    var trace: WorkoutTrace?
  }

  /// How much memory traces that are kept may take, in bytes.
  private static let room = 256 << 20
  /// How many samples may be read again for each that was read.
  private static let mostReadAgain = 8

  /// How many recordings were not compared with all that they may be the same as, since that takes too long.
  private(set) var uncompared = 0
  /// Why recordings could not be read again, and so were not compared.
  private(set) var problems: [FileError] = []
  private var inspected: [Inspected] = []
  private var reopened = ReopenedRecordings()
  private var freeBytes = room
  private var freeSamples = 0

  /// Takes the next recording; an earlier one that holds the same workout, with its number from 1.
  mutating func twin(of recording: Recording) -> (number: Int, path: String)? {
    var next = Inspected(
      path: recording.path, place: recording.place, span: WorkoutTrace.span(of: recording.facts),
      samples: recording.facts.sampleCount)
    freeSamples += Self.mostReadAgain * next.samples
    defer { inspected.append(next) }
    guard let span = next.span else { return nil }
    var own = next.place == nil ? trace(made: { try WorkoutTrace(of: recording) }) : nil
    for index in inspected.indices {
      guard let other = inspected[index].span, WorkoutTrace.overlaps(span, other) else { continue }
      if own == nil { own = trace(made: { try WorkoutTrace(of: recording) }) }
      guard let own else { break }
      guard inspected[index].trace != nil || inspected[index].samples <= freeSamples else {
        uncompared += 1
        break
      }
      if let trace = trace(of: index), own.isSameWorkout(as: trace) {
        return (index + 1, inspected[index].path)
      }
    }
    next.trace = own.flatMap { keep($0) }
    return nil
  }

  /// The trace of an earlier recording.
  private mutating func trace(of index: Int) -> WorkoutTrace? {
    if let trace = inspected[index].trace { return trace }
    freeSamples -= inspected[index].samples
    guard let place = inspected[index].place else { return nil }
    var reopened = reopened
    defer { self.reopened = reopened }
    guard let trace = trace(made: { try WorkoutTrace(of: reopened.recording(at: place)) }) else { return nil }
    inspected[index].trace = keep(trace)
    return trace
  }

  /// A trace; `nil` where there is none, such as of several people, and where the file cannot be read again, which
  /// is a problem.
  private mutating func trace(made: () throws -> WorkoutTrace?) -> WorkoutTrace? {
    do {
      return try made()
    } catch let error as FileError {
      problems.append(error)
      return nil
    } catch {
      return nil
    }
  }

  /// A trace, when there is room for it.
  private mutating func keep(_ trace: WorkoutTrace) -> WorkoutTrace? {
    guard trace.byteCount <= freeBytes else { return nil }
    freeBytes -= trace.byteCount
    return trace
  }
}
