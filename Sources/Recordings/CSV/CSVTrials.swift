/// Puts trials one after the other whose times since the start begin anew.
///
/// A trial that begins later than the one before ended keeps its times. Between two others lies the time between the last
/// two rows of the first.
struct CSVTrials: Sendable {
  private var current: [UInt8] = []
  private var offset: Int64 = 0
  private var newest = Int64.min
  private var step: Int64 = 0

  /// The time of a row with what was before its trial, and whether the trial begins anew with it.
  mutating func continued(_ time: Int64, _ trial: Span<UInt8>) -> (time: Int64, beginsAnew: Bool) {
    var beginsAnew = false
    let isSame = trial.count == current.count && trial.indices.allSatisfy { trial[$0] == current[$0] }
    if !isSame {
      current = trial.indices.map { trial[$0] }
      let (next, overflow) = time.addingReportingOverflow(offset)
      if newest != .min, overflow || next < newest {
        let begin = newest.addingReportingOverflow(step)
        let moved = begin.partialValue.subtractingReportingOverflow(time)
        if !begin.overflow, !moved.overflow {
          offset = moved.partialValue
          beginsAnew = true
        }
      }
    }
    let (result, overflow) = time.addingReportingOverflow(offset)
    guard !overflow else { return (time, false) }
    if newest != .min, result > newest, !result.subtractingReportingOverflow(newest).overflow { step = result - newest }
    newest = max(newest, result)
    return (result, beginsAnew)
  }
}
