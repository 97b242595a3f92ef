internal import Recordings

extension InputCheck {
  /// Recordings packed by gzip, with FIT, XML or CSV inside.
  package static let gzip = InputCheck(
    name: "gzip", longestInput: 2_048, seeds: GzipSeeds.all,
    violation: { bytes in
      EmittedItems.violation({ GzipStream(FITDecoder(), limits: limits) }, bytes, unpackedRatio: unpackedRatio)
        ?? EmittedItems.violation({ GzipStream(GPXDecoder(), limits: limits) }, bytes, unpackedRatio: unpackedRatio)
        ?? OpenedRecording(bytes).violation(byteCount: unpackedRatio * bytes.count)
    },
    isUsable: { bytes in OpenedRecording(bytes).record != nil })

  /// Small, so that the limits themselves are reached.
  private static let limits = GzipLimits(freeBytes: 4_096, ratio: 200, totalBytes: 1 << 20)
  /// gzip gives 1,032 bytes for one at most.
  private static let unpackedRatio = 1_032
}
