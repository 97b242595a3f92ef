package import WorkoutSession
package import ZoneEngine

/// A decision point of a trial with whose it is, as a row of a table.
package struct TrialRow: Hashable, Sendable {
  /// The SHA-256 of the protocol.
  package let protocolHash: String
  /// Whose session it was: what distinguishes people, each of whom is one however many sessions they have.
  package let participant: String
  /// The session.
  package let session: String
  /// What kind of session it was.
  package let setting: TrialSetting
  /// The number of the point in the session, from 1.
  package let number: Int
  /// When it was, in seconds of the session.
  package let atSeconds: Double
  /// Whether a cue was available.
  package let isAvailable: Bool
  /// The cue that was available, else why none was.
  package let word: String
  /// The probability of the cue; 0 where none was available.
  package let probability: Double
  /// Whether it was given.
  package let isGiven: Bool
  /// Seconds since the last cue; absent before the first.
  package let secondsSinceCue: Double?
  /// Seconds off the target since the point before.
  package let secondsOffTarget: Double
  /// How far the heart rate was off the target, in bpm; absent where it is not known.
  package let beatsOffTarget: Int?
  /// Seconds in the target, and covered, by the seconds after the point.
  package let outcomes: [Int: Outcome]

  /// What came after a point.
  package struct Outcome: Hashable, Sendable {
    package let secondsInTarget, coveredSeconds: Double
  }

  /// A row of a point.
  package init(
    _ point: TrialPoint, protocolHash: String, participant: String, session: String, setting: TrialSetting
  ) {
    self.protocolHash = protocolHash
    self.participant = participant
    self.session = session
    self.setting = setting
    number = point.number
    atSeconds = point.time.seconds
    isAvailable = point.cue != nil
    word = point.cue?.rawValue ?? point.reason?.rawValue ?? ""
    probability = point.probability
    isGiven = point.isGiven
    secondsSinceCue = point.sinceCue?.seconds
    secondsOffTarget = point.offTarget.seconds
    beatsOffTarget = point.beatsOff
    outcomes = Dictionary(
      uniqueKeysWithValues: point.outcomes.map {
        ($0.seconds, Outcome(secondsInTarget: $0.inTarget.seconds, coveredSeconds: $0.covered.seconds))
      })
  }

  /// Whether the cue had the probability that a protocol gives it, up to what a table of another program rounds; so too where none
  /// was available.
  package func isDrawn(by trial: TrialProtocol) -> Bool {
    guard isAvailable else { return true }
    let stated = trial.probability.value(
      secondsSinceCue: secondsSinceCue ?? atSeconds, secondsOffTarget: secondsOffTarget)
    return (probability - stated).magnitude <= 1e-6
  }

  /// The value of a covariate; absent where it is not known.
  func value(of covariate: TrialProtocol.Covariate) -> Double? {
    switch covariate {
    case .secondsSinceCue: secondsSinceCue ?? atSeconds
    case .secondsOffTarget: secondsOffTarget
    case .beatsOffTarget: beatsOffTarget.map { Double($0.magnitude) }
    case .point: Double(number)
    }
  }
}

extension TrialRow {
  /// A row that a table says.
  init(
    protocolHash: String, participant: String, session: String, setting: TrialSetting, number: Int, atSeconds: Double,
    isAvailable: Bool, word: String, probability: Double, isGiven: Bool, secondsSinceCue: Double?,
    secondsOffTarget: Double, beatsOffTarget: Int?, outcomes: [Int: Outcome]
  ) {
    self.protocolHash = protocolHash
    self.participant = participant
    self.session = session
    self.setting = setting
    self.number = number
    self.atSeconds = atSeconds
    self.isAvailable = isAvailable
    self.word = word
    self.probability = probability
    self.isGiven = isGiven
    self.secondsSinceCue = secondsSinceCue
    self.secondsOffTarget = secondsOffTarget
    self.beatsOffTarget = beatsOffTarget
    self.outcomes = outcomes
  }
}
