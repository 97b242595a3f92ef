/// What a runner is advised to do.
public enum CueAction: String, CaseIterable, Hashable, Sendable, Codable {
  /// Under the target: go faster.
  case speedUp
  /// In the target: keep going.
  case hold
  /// Over the target: ease off.
  case slowDown

  /// The colour of the blob on the screen: yellow, blue, red. Source: Wise (RoCHI 2023).
  public var indicator: String {
    switch self {
    case .speedUp: return "yellow"
    case .hold: return "blue"
    case .slowDown: return "red"
    }
  }

  /// The pattern of vibration, each action its own. Source: Wise (RoCHI 2023) asks for three; the patterns are ours.
  public var haptic: String {
    switch self {
    case .speedUp: return "twoShort"
    case .hold: return "oneShort"
    case .slowDown: return "oneLong"
    }
  }

  /// Why the cue was given.
  public var reason: String {
    switch self {
    case .speedUp: return "belowTarget"
    case .hold: return "inTarget"
    case .slowDown: return "aboveTarget"
    }
  }

  /// The action that leads from a side of the target into it.
  public init(side: TargetSide) {
    switch side {
    case .under: self = .speedUp
    case .inside: self = .hold
    case .over: self = .slowDown
    }
  }
}

/// How much of what a cue says is needed; where nobody says how much, there is none.
public enum CueGrade: String, CaseIterable, Hashable, Sendable, Codable {
  /// A little.
  case little
  /// Much.
  case much
}

/// Why an evaluated moment gave no cue. They are checked in this order: the first that applies is reported.
public enum WithholdingReason: String, CaseIterable, Hashable, Sendable, Codable {
  /// The session is paused.
  case paused
  /// Nothing is asked for at this moment.
  case noTarget
  /// The newest accepted heart rate, or value of another quantity that is asked for, is older than 15 s, or there is none.
  case signalLost
  /// A grade-adjusted pace is asked for, and nobody knows the altitude.
  case noAltitude
  /// α1 is asked for, and too many beats had to be corrected, or they do not fit the heart rate.
  case artefacts
  /// Less than half of the window is covered by accepted heart rates.
  case lowCoverage
  /// The heart rate is above the ceiling, and the strategy would say anything but to slow down.
  case aboveCeiling
  /// The warm-up silence has not passed.
  case warmUp
  /// A step, a target or the time after a pause has just begun.
  case grace
  /// The last cue was too short a time ago.
  case minimumInterval
  /// The heart rate is on its way into the target already.
  case returning
  /// A cue would not bring the time in the target that it has to, though the heart rate is not expected in it.
  case notWorthACue
  /// It is in the target, and the strategy is silent there.
  case inTarget
  /// The program that was asked says nothing.
  case silent
  /// The program that was asked did not answer.
  case unanswered
  /// A trial drew that it is not given.
  case drawn
}

/// What a judgement is about: a band of the zones, or a side of a range of one's own.
public enum JudgedBand: Hashable, Sendable, CustomStringConvertible {
  /// A band of the zone model.
  case band(Band)
  /// A side of a target that is a range of beats per minute, or no heart rate.
  case side(TargetSide)

  /// As in records: `zone3`, `below`, `under`.
  public var description: String {
    switch self {
    case .band(let band): return band.description
    case .side(let side): return side.rawValue
    }
  }
}

/// What an evaluated moment was judged on.
public struct Evidence: Hashable, Sendable {
  /// The newest accepted heart rate, as displayed; absent when there is none.
  public let heartRateBPM: Int?
  /// How old the newest accepted heart rate was.
  public let heartRateAge: SessionTime?
  /// The length of the window; absent when an instant was judged.
  public let window: SessionTime?
  /// The part of the window that is covered by accepted heart rates.
  public let covered: SessionTime?
  /// How long each band was held in the window, slowest first; only bands that were held.
  public let held: [Held]
  /// How long the heart rate had been on its side of the target, in active time; absent where that does not count.
  public let sideHeld: SessionTime?
  /// How fast the heart rate moves, in beats per minute each second; absent where that does not count.
  public let slopeBPMPerSecond: Double?
  /// The heart rate that was judged where it is not the newest: a median, or what is expected; as displayed.
  public let judgedBPM: Int?
  /// The heart rate that is expected in 60 s without a word, as displayed; absent where nothing is expected.
  public internal(set) var expectedBPM: Int?
  /// How much of what a cue of this moment says is needed; absent where nobody says so.
  public internal(set) var grade: CueGrade?
  /// The ceiling that speaks; absent when it is the strategy.
  public let ceiling: Ceiling?
  /// What was judged when it was no heart rate.
  public var measured: MeasuredEvidence? {
    if case .measured(let evidence) = rare { evidence } else { nil }
  }
  /// Whether a program that was asked wants another action than the one that leads into the target.
  public internal(set) var isAskedOtherwise = false

  /// What few moments have, in a place of its own: evidence of heart rates is copied often, and stays small.
  private indirect enum Rare: Hashable, Sendable {
    case measured(MeasuredEvidence)
  }
  private let rare: Rare?

  init(
    heartRateBPM: Int?, heartRateAge: SessionTime?, window: SessionTime?, covered: SessionTime?, held: [Held],
    sideHeld: SessionTime? = nil, slopeBPMPerSecond: Double? = nil, judgedBPM: Int? = nil,
    ceiling: Ceiling? = nil, measured: MeasuredEvidence? = nil
  ) {
    self.heartRateBPM = heartRateBPM
    self.heartRateAge = heartRateAge
    self.window = window
    self.covered = covered
    self.held = held
    self.sideHeld = sideHeld
    self.slopeBPMPerSecond = slopeBPMPerSecond
    self.judgedBPM = judgedBPM
    self.ceiling = ceiling
    rare = measured.map(Rare.measured)
  }

  /// A ceiling, and for how long the heart rate has been above it.
  public struct Ceiling: Hashable, Sendable {
    /// The ceiling in beats per minute.
    public let beatsPerMinute: Int
    /// For how long, in active time.
    public let above: SessionTime
  }

  /// How long a band was held.
  public struct Held: Hashable, Sendable {
    /// The band.
    public let band: JudgedBand
    /// For how long.
    public let duration: SessionTime
  }
}

/// What came of one evaluated moment: a cue, or the reason why there was none, with the evidence.
public struct Decision: Hashable, Sendable {
  /// Whether a cue was given.
  public enum Outcome: Hashable, Sendable {
    /// A cue.
    case cue(CueAction)
    /// No cue, and why.
    case withheld(WithholdingReason)
  }

  /// The moment.
  public let time: SessionTime
  /// What came of it.
  public let outcome: Outcome
  /// The band that was judged; absent when there was nothing to judge.
  public let band: JudgedBand?
  /// The target in force; absent when nothing was asked for.
  public let target: ResolvedTarget?
  /// What it was judged on.
  public let evidence: Evidence

  /// How much of what the cue says is needed; absent without a cue, and where nobody says so.
  public var grade: CueGrade? {
    if case .cue = outcome { evidence.grade } else { nil }
  }

  /// Why it came to that, as in records: `aboveTarget`, `aboveCeiling`, `warmUp`.
  public var reason: String {
    switch outcome {
    case .cue(let action):
      if evidence.isAskedOtherwise { return "asked" }
      return evidence.ceiling == nil ? action.reason : "aboveCeiling"
    case .withheld(let reason): return reason.rawValue
    }
  }
}
