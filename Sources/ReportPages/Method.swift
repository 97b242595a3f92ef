internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// How the numbers of a report came about, so that somebody can cite and repeat them.
enum Method {
  /// What is said of a session.
  static func write(of report: SessionReport, to page: inout Markup) {
    let (detail, manifest) = (report.detail, report.detail.manifest)
    var rows: [(name: String, text: String)] = [
      ("Session", detail.entry.sessionID),
      ("Start", "\(detail.entry.start)"),
      ("Samples", source(manifest)),
      ("Recorded by", "coach \(manifest.programVersion)"),
      ("Reported by", "coach \(Program.version)"),
      ("Zones", zones(detail.outcome.zones)),
      ("Strategy", "\(manifest.request.strategy.specification): \(strategy(manifest.request.strategy))"),
    ]
    if let drawn = manifest.randomization { rows.append(("Strategy chosen", RandomizationText.words(for: drawn))) }
    let guardrails = manifest.request.guardrails
    if guardrails != .off {
      rows.append(
        (
          "Guardrails",
          "warm-up \(CueWording.seconds(guardrails.warmUp)), grace \(CueWording.seconds(guardrails.grace)), at least "
            + "\(CueWording.seconds(guardrails.minimumInterval)) between cues"
        ))
    }
    if let coach = manifest.request.coach { rows.append(("Coach", "\(coach.rawValue), which \(coach.summary)")) }
    if let ceiling = manifest.request.ceiling {
      let words = "\(ceiling.beatsPerMinute) bpm, announced after \(CueWording.seconds(ceiling.after)) above it"
      rows.append(("Ceiling", words))
    }
    let changes = report.courses.changes.compactMap(change)
    if !changes.isEmpty { rows.append(("Changed in the session", changes.joined(separator: "; "))) }
    rows += definitions
    if !report.courses.decisions.isEmpty {
      rows.append(
        (
          "Decisions",
          "The session was judged again from its raw logs by the settings of its day, with the program version above. "
            + "A moment without a cue stands in the table with its reason."
        ))
    }
    rows.append(
      ("Repeat", "coach replay and coach history show SESSION --format json give the same numbers as records."))
    page.list(rows)
  }

  /// Where the samples came from.
  private static func source(_ manifest: SessionManifest) -> String {
    let file = manifest.source.map { source in
      "from \(source.file) (\(source.format))" + (source.device.map { ", \($0)" } ?? "")
    }
    let words = [manifest.originWords, file].compactMap(\.self)
    return words.isEmpty ? "of an unknown source" : words.joined(separator: ", ")
  }

  /// What was changed in a session and when; `nil` for another event.
  private static func change(_ event: EngineEvent) -> String? {
    switch event {
    case .targetChanged(let time, _, let target):
      "\(QuantityText.clock(time)) target \(target?.rangeTextWithUnit ?? "none")"
    case .strategyChanged(let time, _, let strategy):
      "\(QuantityText.clock(time)) strategy \(strategy.specification)"
    case .decision, .signalLost, .signalRestored, .signalSuspect, .quantityLost, .quantityRestored, .stepChanged,
      .trialPoint, .paused, .resumed:
      nil
    }
  }

  /// How zones came about, in a sentence.
  static func zones(_ zones: HeartRateZones) -> String {
    var text: String
    switch zones.model {
    case .percentOfMaximum: text = "Five zones at 50, 60, 70, 80, 90 and 100 % of the maximum heart rate"
    case .heartRateReserve(let resting):
      text =
        "Five zones at 50, 60, 70, 80, 90 and 100 % of the heart-rate reserve over a resting heart rate of \(resting) bpm"
    case .percentOfThreshold(let threshold, let scheme):
      text = "Zones of the lactate-threshold heart rate of \(threshold) bpm by \(scheme.rawValue)"
    case .threeZone(let first, let second): text = "Three zones by the thresholds \(first) and \(second) bpm"
    case .custom: text = "Zones with limits of one's own"
    }
    if let maximum = zones.maximum {
      let source =
        switch maximum.source {
        case .measured: "measured"
        case .estimated: "estimated"
        case .formula(let formula): "estimated by the formula \(formula.rawValue)"
        }
      text += "; maximum \(maximum.beatsPerMinute) bpm, \(source)"
    }
    return text + "."
  }

  /// What the numbers mean, whatever the session.
  static let definitions: [(name: String, text: String)] = [
    (
      "Time in zone",
      "An accepted reading holds until the next one, at most 15 s, and never across a pause. Every active second falls in "
        + "exactly one band, or in none (no usable heart rate); together they are the active time."
    ),
    (
      "Accepted readings",
      "30 to 230 bpm, and not further from the last one than 5 bpm and 5 bpm a second; the third of three that agree "
        + "is a new level."
    ),
    (
      "In target",
      "Time in the target ÷ time with a heart rate, and ÷ active time; time without a target is in neither."
    ),
    (
      "Curves",
      "Of each of \(Course.columns) equal spans the first, lowest, highest and last reading are drawn (M4, Jugel et al. 2014), "
        + "so that no extreme is lost. Pauses and gaps are not bridged."
    ),
    (
      "Distance",
      "What the device counted; else between positions with an accuracy of 20 m or better, on the WGS 84 ellipsoid."
    ),
    (
      "Training load",
      "Edwards (1993): minutes in each fifth of 50–100 % of the maximum times 1 to 5. Banister (1991) where the resting "
        + "heart rate and the sex are known."
    ),
  ]

  /// When a strategy judges and on what evidence, as the rest of a sentence.
  static func strategy(_ strategy: FeedbackStrategy) -> String {
    switch strategy {
    case .none: "nothing is judged."
    case .moment(let moment):
      (moment.median > .zero
        ? "the median heart rate of the last \(CueWording.seconds(moment.median)) is judged"
        : "the newest accepted heart rate, not older than 15 s, is judged")
        + when(moment.schedule, saysHold: moment.saysHold) + " (moment: Wise, RoCHI 2023)."
    case .period(let period):
      "the band held for most of the last \(CueWording.seconds(period.window)) is judged"
        + when(period.schedule, saysHold: period.saysHold)
        + "; it is withheld when less than half of them has a heart rate (period of time: Wise, RoCHI 2023)."
    case .trend(let trend):
      "the heart rate expected in \(CueWording.seconds(trend.horizon)), from a robust line through the last "
        + "\(CueWording.seconds(trend.window)) continued with a time constant of "
        + "\(CueWording.seconds(trend.timeConstant)), is judged" + when(trend.schedule, saysHold: trend.saysHold) + "."
    case .adaptive(let adaptive):
      "what is expected of this runner is looked at every \(CueWording.seconds(adaptive.schedule.every)), and a cue comes when "
        + "it buys \(QuantityText.number(adaptive.priceSeconds, decimals: 0)) s or more in the target (adaptive, experimental)."
    case .asked(let asked):
      "a program (\(asked.specification), SHA-256 \(asked.programHash.prefix(12))…) is asked"
        + when(asked.schedule, saysHold: true) + "."
    case .zoneChange(let change):
      "a cue comes when the heart rate has been beyond an edge of the target by more than \(change.marginBPM) bpm"
        + (change.saysHold ? ", or back in it," : "") + " for \(CueWording.seconds(change.dwell))"
        + (change.reminder > .zero ? ", and every \(CueWording.seconds(change.reminder)) again while it stays out" : "")
        + (change.returningBPMPerSecond > 0 ? ", unless it is already returning" : "") + "."
    }
  }

  private static func when(_ schedule: CheckSchedule, saysHold: Bool) -> String {
    " every \(CueWording.seconds(schedule.every)) of active time"
      + (schedule.isForeseeable ? "" : ", moved at random by up to \(CueWording.seconds(schedule.jitter))")
      + (saysHold ? "" : ", and in the target nothing is said")
  }
}
