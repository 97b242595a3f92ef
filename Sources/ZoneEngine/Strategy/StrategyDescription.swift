/// A strategy as it is listed for people: what it does, where it comes from, what can be set.
public struct StrategyDescription: Hashable, Sendable {
  /// The name in a specification.
  public let kind: String
  /// What it does, in one sentence.
  public let summary: String
  /// Where it was published.
  public let source: String
  /// What can be set.
  public let parameters: [StrategyParameter]

  /// Every strategy that there is.
  public static let all: [StrategyDescription] = [
    StrategyDescription(
      kind: "none", summary: "Never judges; the session is only recorded.",
      source: "the control condition of the Wise study (RoCHI 2023, Table 2)", parameters: []),
    StrategyDescription(
      kind: "moment", summary: "Judges the newest accepted heart rate, not older than 15 s, at every interval.",
      source: "Wise (RoCHI 2023), strategy M; 2 min in its Table 2; median, jitter and silence are ours",
      parameters: [.every, .median, .jitter, .seed, .hold]),
    StrategyDescription(
      kind: "period",
      summary: "Judges the band held for most seconds of the window before, at every interval.",
      source:
        "Wise (RoCHI 2023), strategy PT; 1 min over 1 min and 2 min over 1 min in its Table 2; jitter and silence "
        + "are ours",
      parameters: [.everyMinute, .window, .jitter, .seed, .hold]),
    StrategyDescription(
      kind: "zone-change",
      summary:
        "Judges when the heart rate has left the target, or come back, for a dwell time; reminds more slowly, and "
        + "not while it is returning.",
      source: "ours, from what users of other coaches ask for: hysteresis, a cue on target, reminders of their own",
      parameters: [.dwell, .margin, .reminder, .returning, .grace, .median, .onTarget]),
    StrategyDescription(
      kind: "trend",
      summary: "Judges the heart rate expected at a horizon, from a robust line through the last seconds.",
      source: "ours; first-order response of Hunt, Fankhauser & Saengsuwan 2015, slope of Theil 1950 and Sen 1968",
      parameters: [.everyMinute, .trendWindow, .horizon, .timeConstant, .jitter, .seed, .hold]),
    StrategyDescription(
      kind: "adaptive",
      summary:
        "Learns how this runner's heart rate follows and what a cue changes; speaks when that buys time in the target.",
      source:
        "ours, experimental: of its rule (docs/adaptive-rule.md) it misses (a), 2.6 points behind in the worst cell instead of "
        + "1.0, and (d), 3.9 spurious cues and 2.9 reversals an hour instead of 0.0 and 0.9; response of Hunt 2015, filter of "
        + "Kalman 1960",
      parameters: [.look, .price, .slow, .loses, .steers, .follows, .cueBPM, .graded]),
  ]
}

/// A strategy under a name of its own: what another program does, as far as the general parts express it.
public struct StrategyPreset: Hashable, Sendable {
  /// The name in place of a specification.
  public let name: String
  /// What it stands for.
  public let specification: String
  /// What is imitated, and what is not.
  public let summary: String

  /// Every preset. Behaviour as read in the programs' sources and documents; no code of theirs.
  public static let all: [StrategyPreset] = [
    StrategyPreset(
      name: "runnerup-like", specification: "moment:every=30,median=20,hold=0",
      summary:
        "RunnerUp: average of 20 s against a strict band, checked every 30 s, silent in it; there a trimmed mean, "
        + "and a check in range restarts the 30 s"),
    StrategyPreset(
      name: "heartzones-like", specification: "zone-change:dwell=1,margin=0,reminder=7,returning=0,hold=0",
      summary: "Heart Zones for the watch: out of the zone for two readings, then every 7 s until back"),
    StrategyPreset(
      name: "qdomyos-like", specification: "moment:every=10,median=20,hold=0",
      summary:
        "qdomyos-zwift: average of 20 s against the zone every 10 s; there it changes the treadmill, not the runner"),
    StrategyPreset(
      name: "heart-beat2-like", specification: "zone-change:dwell=4,margin=0,reminder=0,returning=0",
      summary:
        "heart-beat2's tracker: five readings in a row on another side, cued once; there on Kalman-filtered rates"),
    StrategyPreset(
      name: "heart-beat2-rule-like", specification: "zone-change:dwell=30,margin=0,reminder=120,returning=0,hold=0",
      summary: "heart-beat2's rule as designed: out of the zone for 30 s, at most every 120 s"),
    StrategyPreset(
      name: "bangle-like", specification: "moment:every=5,hold=0",
      summary: "heartzone of BangleApps with its too-high branch mended: every 5 s out of the zone"),
    StrategyPreset(
      name: "suunto-like", specification: "zone-change:dwell=0,margin=0,reminder=0,returning=0,hold=0",
      summary:
        "suunto-ambit-intervals and the transitions of Track My Indoor Workout: once at every leaving of the band"),
  ]
}
