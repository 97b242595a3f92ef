private import CWideVectors

/// How many numbers are worked on at once. What comes out has the same bytes whichever it is.
package enum VectorWidth: Int, CaseIterable, Comparable {
  /// What every processor can, by the loops in Swift.
  case four = 4
  /// With AVX2.
  case eight = 8
  /// With AVX-512.
  case sixteen = 16

  /// The widest that the processor can.
  package static let widest = VectorWidth(rawValue: Int(coach_vector_width())) ?? .four

  package static func < (left: VectorWidth, right: VectorWidth) -> Bool { left.rawValue < right.rawValue }
}
