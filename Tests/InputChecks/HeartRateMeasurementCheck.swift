internal import HeartRateStrap

extension InputCheck {
  /// What a heart-rate strap sends, the Bluetooth characteristic 0x2A37: read, and written again from what was read.
  package static let heartRateMeasurement = InputCheck(
    name: "heart-rate-measurement", longestInput: 64, seeds: HeartRateMeasurementSeeds.all,
    violation: { bytes in
      do throws(HeartRateMeasurement.Problem) {
        return violation(of: try HeartRateMeasurement(bytes), bytes)
      } catch {
        if isWhole(bytes) { return "a whole measurement is refused: \(error)" }
        return ErrorLine.fault(of: error.description)
      }
    },
    isUsable: { bytes in (try? HeartRateMeasurement(bytes)) != nil })

  private static func violation(of measurement: HeartRateMeasurement, _ bytes: [UInt8]) -> String? {
    guard isWhole(bytes) else { return "bytes that are no measurement are read" }
    let flags = bytes[0]
    let beats = measurement.beatsPerMinute
    var written = [flags] + (flags & 1 == 0 ? [UInt8(truncatingIfNeeded: beats)] : word(beats))
    if let energy = measurement.energyKilojoules { written += word(energy) }
    for interval in measurement.rrIntervals { written += word(interval) }
    guard written == bytes else { return "written again it is \(written)" }
    let contact: HeartRateMeasurement.Contact = flags & 4 == 0 ? .notSupported : flags & 2 == 0 ? .lost : .detected
    guard measurement.contact == contact else { return "its contact is \(measurement.contact)" }
    let usable = contact == .lost || beats == 0 ? nil : beats
    return measurement.usableBeatsPerMinute == usable ? nil : "of \(beats) bpm it uses another heart rate"
  }

  /// Whether there are as many bytes as the flags announce.
  ///
  /// Source: Bluetooth SIG, GATT Specification Supplement, Heart Rate Measurement: bits 0, 3 and 4 of the flags.
  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    guard let flags = bytes.first, flags >> 5 == 0 else { return false }
    let rest = bytes.count - (flags & 1 == 0 ? 2 : 3) - (flags & 8 == 0 ? 0 : 2)
    return flags & 16 == 0 ? rest == 0 : rest >= 0 && rest.isMultiple(of: 2)
  }

  private static func word(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
}

/// Measurements of every form.
enum HeartRateMeasurementSeeds {
  static let all = [
    InputCheck.Seed("narrow", [0x00, 0x48]),
    InputCheck.Seed("wide", [0x01, 0x2C, 0x01]),
    InputCheck.Seed("contact-lost", [0x04, 0x48]),
    InputCheck.Seed("energy", [0x0E, 0x48, 0xFF, 0xFF]),
    InputCheck.Seed("interval", [0x10, 0x00, 0x00, 0x04]),
    InputCheck.Seed("everything", [0x1F, 0x96, 0x00, 0x34, 0x12, 0x99, 0x01, 0x9A, 0x01, 0x9B, 0x01]),
  ]
}
