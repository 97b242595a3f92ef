/// From which people the runners of a course are drawn: what holds for them where a study states no number of its own.
package enum RunnerPopulation: String, CaseIterable, Hashable, Sendable {
  /// How the heart rate answers the speed follows from the oxygen that the speed costs and the person's maximal uptake.
  /// On the way to the target Weight control most of them run slower than people do, and answer more steeply.
  case wise
  /// The same people, but the heart rate answers the speed by a straight line whose slope is drawn as Hunt, Fankhauser &
  /// Saengsuwan measured it.
  ///
  /// Running, the line begins at the resting heart rate at no speed, as the oxygen cost does. Walking, it goes through the
  /// speed and the heart rate that the person would prefer in ``wise``, since no walking speed costs enough otherwise; a
  /// gain of runners stands for one of walkers there, which nobody measured.
  case hunt

  /// How much the steady heart rate rises with the speed, in bpm a m/s, log-normal among people; absent where it follows
  /// from the oxygen cost.
  ///
  /// Source: Hunt, Fankhauser & Saengsuwan 2015, 10.1186/s12938-015-0112-7: 24 healthy men on a treadmill at moderate and
  /// vigorous intensity, 24.2 ± 8.3. That it is log-normal is an assumption.
  package var gain: StudyParameter? {
    switch self {
    case .wise: nil
    case .hunt:
      StudyParameter(24.2, spread: 8.3, .source("Hunt 2015, 10.1186/s12938-015-0112-7, 24 men on a treadmill"))
    }
  }

  /// How far the heart rate at the preferred speed lies from the middle of the target, where it is another spread than
  /// that of ``wise``: with it as many seconds are in the target without feedback.
  func bias(_ gait: Gait) -> StudyParameter? {
    switch self {
    case .wise: nil
    case .hunt:
      StudyParameter(
        0, spread: gait == .walk ? 17.9 : 16.7,
        .assumption(
          "calibrated, so that without feedback \(gait == .walk ? 45 : 43) % are in the target Weight control"))
    }
  }
}
