/// How a session keeps what its motion sensors measured.
package enum MotionLogFormat: String, CaseIterable, Hashable, Sendable {
  /// As text, `motion.csv`.
  case csv
  /// In a tenth of the bytes, `motion.bin`, from which the same text can be made.
  case binary
}
