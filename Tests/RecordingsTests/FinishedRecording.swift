@testable import Recordings
import TestSupport
@testable import WorkoutTestSupport

extension DecodedRecording {
  /// What items come to, put in order.
  init(finishing items: [DecodedItem]) {
    self.init()
    for item in items { admit(item) }
    finish()
  }

  /// What a FIT file, or several in a row, come to, put in order.
  init(finishing fit: [UInt8]) { self.init(finishing: FITReading(fit).items) }

  /// The pauses of all activities: from which second to which, since the first point.
  var pausedSeconds: [[Double]] {
    let first = activities.first?.points.first?.time ?? 0
    return activities.flatMap(\.pauses).map { [Double($0.from &- first) / 1e9, Double($0.until &- first) / 1e9] }
  }
}
