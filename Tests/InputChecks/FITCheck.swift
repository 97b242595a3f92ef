internal import Recordings
internal import TestSupport

extension InputCheck {
  /// FIT, one file or several in a row.
  package static let fit = InputCheck(
    name: "fit", longestInput: 4_096, seeds: FITSeeds.all,
    violation: { bytes in
      EmittedItems.violation({ FITDecoder() }, bytes) ?? OpenedRecording(bytes).violation(byteCount: bytes.count)
    },
    isUsable: { bytes in OpenedRecording(bytes).record != nil })
}
