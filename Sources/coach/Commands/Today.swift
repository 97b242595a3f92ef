import TextFormats

extension CivilDate {
  /// Today, by the clock of this machine.
  ///
  /// - Throws: `CommandFailure` when that shows a day after the year 2200.
  static func today() throws -> CivilDate {
    guard let today = LocalClock.ofThisMachine().today else {
      throw CommandFailure("the clock of this machine: expected a day from 1678 to 2200", .unavailable)
    }
    return today
  }
}
