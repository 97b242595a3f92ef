/// What every page that coach made begins with, by which a file that is there is known for one.
package enum PageMark {
  /// How many bytes at the beginning of a file are enough to recognise it.
  package static let lookedAtBytes = 4 << 10

  private static let beginning = "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\""
  private static let generator = "<meta name=\"generator\" content=\"coach "
  private static let title = "<title>"

  /// Whether a file that begins like this is a page that coach made, of whatever version. Every version named itself as the
  /// generator, before the title: what stands in the body of somebody else's page decides nothing.
  ///
  /// - Parameter bytes: the first ``lookedAtBytes`` of the file, or all where it has fewer.
  package static func begins(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes.prefix(lookedAtBytes), as: UTF8.self)
    guard text.hasPrefix(beginning), let title = text.firstRange(of: title) else { return false }
    return text[..<title.lowerBound].contains(generator)
  }
}
