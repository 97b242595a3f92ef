/// How much may come out of a gzip file, so that a small one cannot keep a machine busy for hours.
public struct GzipLimits: Hashable, Sendable {
  /// The unpacked bytes that are allowed whatever the packed size is.
  public let freeBytes: Int
  /// How many unpacked bytes a packed byte allows beyond that.
  public let ratio: Int
  /// The unpacked bytes that are allowed in all.
  public let totalBytes: Int

  /// 16 MiB freely, then 200 bytes for one, and 4 GiB in all. Recordings in XML come to 10 to 60 for one.
  public static let standard = GzipLimits(freeBytes: 16 << 20, ratio: 200, totalBytes: 4 << 30)

  /// Of an entry of a zip archive: as for gzip, but exports of health data reach several gigabytes.
  static let ofArchive = GzipLimits(freeBytes: 64 << 20, ratio: 400, totalBytes: 16 << 30)

  /// Creates limits.
  ///
  /// - Precondition: none is negative, and the ratio is at most 2,000, which is more than gzip can reach.
  public init(freeBytes: Int, ratio: Int, totalBytes: Int) {
    precondition(freeBytes >= 0 && totalBytes >= 0 && (0...2000).contains(ratio), "a limit is not negative")
    self.freeBytes = freeBytes
    self.ratio = ratio
    self.totalBytes = totalBytes
  }

  func maximumBytes(packed: Int) -> Int { min(totalBytes, max(freeBytes, packed * ratio)) }
}
