internal import Recordings

extension InputCheck {
  /// GPX and TCX; both decoders are given all bytes, since either may be asked.
  package static let xml = InputCheck(
    name: "xml", longestInput: 4_096, seeds: XMLSeeds.all,
    violation: { bytes in
      EmittedItems.violation({ GPXDecoder() }, bytes) ?? EmittedItems.violation({ TCXDecoder() }, bytes)
        ?? OpenedRecording(bytes).violation(byteCount: bytes.count)
    },
    isUsable: { bytes in OpenedRecording(bytes).record != nil })
}
