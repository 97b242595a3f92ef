internal import TestSupport

/// Small zip archives, of entries that are stored as they are.
enum ZipSeeds {
  static let all = [
    archive("export", "apple_health_export/export.xml", AppleHealthSeeds.all[0].bytes),
    archive("one-recording", "run.csv", CSVSeeds.all[0].bytes),
    archive("fit", "run.fit", FITSeeds.all[0].bytes),
    archive("descriptor", "run.gpx", XMLSeeds.all[0].bytes) { $0.hasDescriptor = true },
    archive("wide", "run.csv", CSVSeeds.all[1].bytes) { $0.isWide = true },
  ]

  private static func archive(
    _ name: String, _ entry: String, _ bytes: [UInt8], _ change: (inout ZipBuilder.Style) -> Void = { _ in }
  ) -> InputCheck.Seed {
    var style = ZipBuilder.Style()
    change(&style)
    var builder = ZipBuilder()
    builder.add(entry, bytes, style)
    return InputCheck.Seed(name, builder.archive())
  }
}
