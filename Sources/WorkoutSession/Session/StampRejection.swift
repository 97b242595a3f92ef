internal import ZoneEngine

/// What is still to be reported of the samples of a stream whose stamps had no place in the session.
enum StampRejection: Hashable {
  /// There were none.
  case none
  /// There were some; it is reported with the next sample that has a place.
  case unreported
  /// It is reported once the decisions have come to a time.
  case due(SessionTime)
  /// It was reported.
  case reported

  /// When it is to be reported; `nil` when that is not known, or nothing is.
  var due: SessionTime? { if case .due(let time) = self { time } else { nil } }
}
