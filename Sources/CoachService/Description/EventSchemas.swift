/// The schemas of the records of a session, as they stand in `decisions.jsonl` and come from a replay.
enum EventSchemas {
  /// The ends of the names of members that say a quantity other than the heart rate, with its unit.
  private static let quantities = [
    ("PaceSecondsPerKilometer", "pace, seconds a kilometre"),
    ("GradeAdjustedPaceSecondsPerKilometer", "pace by grade, seconds a kilometre"),
    ("SpeedMetersPerSecond", "speed, metres a second"), ("CadencePerMinute", "cadence, steps or strokes a minute"),
    ("Alpha1", "DFA alpha 1 of the intervals between beats, without a unit"),
  ]

  /// The limits of a target.
  static let limits: [AnswerMember] =
    [
      .whole("targetLowerBPM", "lower limit of the target, beats a minute"),
      .whole("targetUpperBPM", "upper limit of the target, beats a minute"),
      .text("quantity", "what the target limits, where that is not the heart rate"),
    ]
    + quantities.flatMap { name, words -> [AnswerMember] in
      [
        .number("targetLower\(name)", "lower limit of the target: " + words),
        .number("targetUpper\(name)", "upper limit of the target: " + words),
      ]
    }

  private static let measured = quantities.map { name, words in
    AnswerMember.number(name.prefix(1).lowercased() + name.dropFirst(), "measured: " + words)
  }

  private static let evidence = AnswerMember.object(
    "evidence",
    may: [
      .number("heartRateAgeSeconds", "age of the newest accepted heart rate, seconds"),
      .number("windowSeconds", "length of the window, seconds"),
      .number("coveredSeconds", "how much of the window has readings, seconds"),
      .number("sideSeconds", "how long it was on this side of the target, seconds"),
      .number("slopeBPMPerSecond", "slope of the heart rate, beats a minute each second"),
      .number("judgedBPM", "the heart rate that was judged, beats a minute"),
      .number("expectedBPM", "the heart rate that is expected, beats a minute"),
      .number("ageSeconds", "age of the newest value of the quantity, seconds"),
      .number("slopePerMinutePerSecond", "slope of the cadence, a minute each second"),
      .number("slopeMetersPerSecondPerSecond", "slope of the speed, metres a second each second"),
      .number("slopeAlpha1PerSecond", "slope of alpha 1, each second"),
      .number("gradePercent", "grade of the ground, percent"),
      .number("measuredOverSeconds", "length of the window of beats, seconds"),
      .number("artefactPercent", "share of beats that are artefacts, percent"),
      .number("ceilingBPM", "the ceiling, beats a minute"),
      .number("aboveCeilingSeconds", "how long it was above the ceiling, seconds"),
      .map("secondsInBand", "seconds of the window in each band, by its name"),
    ] + quantities.map { name, words in .number("judged" + name, "the value that was judged: " + words) })

  private static let at = AnswerMember.number("atSeconds", "seconds since the start of the session")
  private static let message = AnswerMember.text("message", "the words for the runner, in metric units")
  private static let reason = AnswerMember.text("reason", "why, in a word")

  private static let judged: [AnswerMember] =
    [
      .text("band", "the band that was judged: a zone, or under, in and over a range"),
      .whole("heartRateBPM", "the newest accepted heart rate, beats a minute"),
      .text("arm", "the arm of a study that was drawn"),
      .number("armProbability", "the probability with which it was drawn"),
    ] + measured + limits

  private static let outcome = AnswerMember.object(must: [
    .number("seconds", "how long after the point, seconds"),
    .number("secondsInTarget", "of these in the target, seconds"),
    .number("coveredSeconds", "of these with readings, seconds"),
  ])

  /// What was said to a command.
  static let acknowledgement = AnswerSchema.record(
    "Acknowledgement", "acknowledgement",
    must: [
      AnswerMember(
        "id", #"{"type":["string","null"],"description":"the identity of the command; null where it had none"}"#),
      .flag("accepted", "whether it is carried out"),
    ],
    may: [
      reason, .flag("repeated", "whether it was answered before, and is carried out once"),
    ])

  private static let all: [AnswerSchema] = [
    acknowledgement,
    .record(
      "Cue", "cue",
      must: [
        at, .text("action", "speedUp, hold or slowDown"), .text("indicator", "the colour: yellow, blue or red"),
        .text("haptic", "the pattern of a vibration"), reason, evidence, message,
      ],
      may: [.text("grade", "how far it is off the target")] + judged),
    .record("Withheld", "withheld", must: [at, reason, evidence, message], may: judged),
    .record("Started", "started", must: [at]),
    .record("Paused", "paused", must: [at]),
    .record("Resumed", "resumed", must: [at]),
    .record("Ended", "ended", must: [at, reason]),
    .record("Lap", "lap", must: [at, .whole("lap", "the number of the lap that begins")]),
    .record(
      "SignalLost", "signalLost", must: [at], may: [.text("quantity", "what is lost, where that is not the heart rate")]
    ),
    .record(
      "SignalRestored", "signalRestored", must: [at],
      may: [
        .whole("heartRateBPM", "the heart rate, beats a minute"),
        .text("quantity", "what is back, where that is not the heart rate"),
      ] + measured),
    .record(
      "SignalSuspect", "signalSuspect",
      must: [
        at, .text("suspicion", "what the heart rate may be instead"),
        .number("sinceSeconds", "since when, seconds since the start of the session"),
      ]),
    .record(
      "StepChanged", "stepChanged", must: [at, .whole("step", "the number of the step that begins")],
      may: [
        .text("name", "what it is called"), .number("durationSeconds", "its length, seconds"),
        .number("distanceMeters", "its length, metres"), .text("activity", "walking or running"),
        .flag("planFinished", "whether no step follows"),
      ] + limits),
    .record(
      "TargetChanged", "targetChanged",
      must: [at, .text("from", "the target before"), .text("to", "the target from now on")], may: limits),
    .record(
      "StrategyChanged", "strategyChanged",
      must: [at, .text("from", "the strategy before"), .text("to", "the strategy from now on")]),
    .record(
      "SourceChanged", "sourceChanged",
      must: [at, .text("stream", "whose source it is")],
      may: [.text("from", "the source before"), .text("to", "the source from now on"), reason]),
    .record(
      "Activity", "activity", must: [at, .number("fromSeconds", "since when, seconds since the start of the session")],
      may: [.text("activity", "what is done"), .number("probability", "how sure the model is, 0 to 1")]),
    .record(
      "ActivityDiffers", "activityDiffers",
      must: [at, .text("asked", "walking or running"), message], may: [.text("activity", "what is done")]),
    .record(
      "Countdown", "countdown", must: [at, .number("remainingSeconds", "how long the step lasts still, seconds")]),
    .record("Rejected", "rejected", must: [at, .text("stream", "what was not believed"), reason]),
    .record(
      "DecisionPoint", "decisionPoint",
      must: [
        at, .whole("point", "its number"),
        .number("pointAtSeconds", "when it was, seconds since the start of the session"),
        .flag("available", "whether a cue was available"), .whole("action", "1 where the cue was given, else 0"),
        .list("outcomes", "what followed", of: outcome),
      ],
      may: [
        .text("cue", "the cue that was available"), reason,
        .number("probability", "the probability with which it was given"),
        .number("secondsSinceCue", "seconds since the cue before"),
        .number("secondsOffTarget", "seconds that were not in the target, those without a heart rate among them"),
        .number("beatsOffTarget", "how far it was off the target, beats a minute"),
      ]),
  ]

  /// Any record of a session but its summary.
  static let event = AnswerSchema(
    "Event",
    text:
      #"{"anyOf":[\#(all.map(\.reference).joined(separator: ","))],"description":"by its type; newer versions may have more types"}"#
  )

  private static let zone = AnswerMember.object(
    must: [
      .whole("number", "from 1"), .text("name", "what it is called"),
      .whole("lowerBPM", "the lowest heart rate in it, beats a minute"),
      .whole("upperBPM", "the highest heart rate in it, beats a minute"),
    ], may: [.text("color", "its colour"), .text("label", "its number as it is shown, where that is another one")])

  /// The zones of somebody, as members.
  static let zones: (must: [AnswerMember], may: [AnswerMember]) = (
    [.text("zoneModel", "by what they are made"), .list("zones", "the zones, the lowest first", of: zone)],
    [
      .whole("maximumHeartRate", "beats a minute"),
      .text("maximumHeartRateSource", "measured, or the formula that it comes from"),
    ]
  )

  private static let totals: (must: [AnswerMember], may: [AnswerMember]) = (
    [
      .number("activeSeconds", "time in which the session was not paused, seconds"),
      .number("elapsedSeconds", "time from the start to the end, seconds"),
      .map("secondsInBand", "active seconds in each band: below, zone1 and so on, aboveMaximum, noData"),
      .object(
        "cues",
        must: [
          .whole("speedUp", "how many"), .whole("hold", "how many"), .whole("slowDown", "how many"),
          .whole("withheld", "how many checks gave no cue"),
        ], may: [.map("withheldByReason", "how many by their reasons", of: #"{"type":"integer"}"#)]),
      .object(
        "samples",
        must: [
          .whole("accepted", "heart rates that count"), .whole("rejected", "heart rates that are no plausible ones"),
          .whole("late", "samples that came too late"), .whole("duplicate", "samples that came before"),
        ],
        may: [
          .whole("implausibleTime", "samples with a time that was not believed"),
          .whole("standby", "heart rates of another source than that which counts"),
          .whole("badLines", "lines that could not be read"),
          .whole("rejectedLocations", "positions that do not count"),
        ]),
    ],
    [
      .text("strategy", "when it spoke"), .number("secondsInTarget", "seconds in the target"),
      .number("compliance", "seconds in the target by covered seconds, 0 to 1"),
      .number("complianceOfActive", "seconds in the target by active seconds, 0 to 1"),
      .object(
        "heartRate",
        must: [.number("minimum", "beats a minute")],
        may: [
          .number("mean", "of the readings, beats a minute"), .number("timeWeightedMean", "by time, beats a minute"),
          .number("maximum", "beats a minute"),
        ]),
      .number("distanceMeters", "metres"), .number("averagePaceSecondsPerKilometer", "seconds a kilometre"),
      .whole("steps", "how many"), .number("cadenceStepsPerMinute", "steps a minute"),
      .number("energyKilocalories", "kilocalories"),
      .object(
        "trainingLoad",
        may: [.number("edwards", "points"), .number("banister", "points"), .number("lucia", "points")]),
    ]
  )

  private static let ofSession: [AnswerMember] = [
    .text("sessionID", "its identity"), .time("startTime", "when it began"),
    .text("state", "live, complete or recovered"),
  ]
  private static let origin = AnswerMember.text("origin", "live, imported or simulated")

  /// The totals of a session.
  static let summary = AnswerSchema.record(
    "Summary", "summary", must: ofSession + totals.must, may: totals.may + [origin])

  /// The last line of a replay.
  private static let replayed = AnswerSchema.record(
    "ReplaySummary", "summary", must: totals.must,
    may: totals.may + [.text("sessionID", "its identity"), .time("startTime", "when it began")])

  /// A line of a replay.
  static let replayLine = AnswerSchema(
    "ReplayLine", text: #"{"anyOf":[\#(event.reference),\#(replayed.reference)]}"#)

  /// The totals of a session with what the history has beside them.
  static let detail: AnswerSchema = .record(
    "SessionDetail", "summary",
    must: ofSession + totals.must + zones.must + [
      .whole("utcOffsetSeconds", "what local time was ahead of UTC, seconds")
    ],
    may: totals.may + zones.may + [
      origin, .text("activity", "what was done"), .text("person", "whose it is"), .text("target", "what was asked for"),
      .text("programVersion", "the version of coach that recorded it"),
      .object(
        "source",
        may: [
          .text("file", "the file of an import"), .text("format", "its format"), .text("device", "what recorded it"),
          .number("energyKilocalories", "what the file itself says, kilocalories"),
          .text("subSport", "what the file says of the sport"), .texts("inputs", "how the samples came"),
        ]),
      .map("randomization", "how a study drew the strategy; see docs/formats.md", of: "true"),
      .list(
        "targets", "the targets in their order",
        of: AnswerMember.object(
          must: [.number("fromSeconds", "since when, seconds since the start of the session")], may: limits)),
      .list(
        "splits", "the parts of a kilometre each",
        of: AnswerMember.object(
          must: [.number("distanceMeters", "metres"), .number("activeSeconds", "seconds")],
          may: [
            .number("paceSecondsPerKilometer", "seconds a kilometre"), .number("averageHeartRateBPM", "beats a minute"),
          ])),
      .list(
        "laps", "the laps, or the steps of a plan",
        of: AnswerMember.object(
          must: [.number("atSeconds", "seconds since the start of the session"), .number("activeSeconds", "seconds")],
          may: [
            .text("name", "what it is called"), .number("distanceMeters", "metres"),
            .number("paceSecondsPerKilometer", "seconds a kilometre"), .number("averageHeartRateBPM", "beats a minute"),
            .number("maximumHeartRateBPM", "beats a minute"),
          ])),
      .number("decoupling", "what the heart rate drifts against the speed, a share"),
      .number("heartRateRecoveryBPM", "what the heart rate falls in the minute after, beats a minute"),
      verdict, beats, .text("note", "what somebody wrote"), .texts("tags", "tags"),
    ])

  private static let verdict: AnswerMember = .object(
    "verdict",
    must: [
      .whole("judged", "how many steps were judged"), .whole("inTarget", "how many were in their target"),
      .text("of", "efforts or steps"),
      .list(
        "steps", "the steps that were judged",
        of: AnswerMember.object(
          must: [
            .whole("number", "from 1"), .number("atSeconds", "seconds since the start of the session"),
            .number("activeSeconds", "seconds"), .number("coveredSeconds", "of these with readings, seconds"),
            .number("inTargetSeconds", "of these in the target, seconds"), .text("result", "how it was"),
          ],
          may: [
            .text("name", "what it is called"), .text("quantity", "what was limited, where that is not the heart rate"),
            .number("secondsToTarget", "how long it took to the target, seconds"),
            .number("lateSeconds", "by how much it was late, seconds"),
          ])),
    ])

  private static let beats: AnswerMember = .object(
    "beats",
    must: [
      .whole("count", "how many intervals"), .number("meanMilliseconds", "milliseconds"),
      .whole("artefacts", "how many are artefacts"), .number("artefactPercent", "percent"),
    ],
    may: [
      .number("rmssdMilliseconds", "milliseconds"), .number("sdnnMilliseconds", "milliseconds"),
      .object(
        "alpha1",
        must: [
          .number("windowSeconds", "seconds"), .number("everySeconds", "seconds"), .whole("windows", "how many"),
          .number("median", "without a unit"), .number("minimum", "without a unit"),
          .number("maximum", "without a unit"), .number("last", "without a unit"),
        ]),
      .list(
        "suggestedThresholds", "heart rates at which alpha 1 passes a level",
        of: AnswerMember.object(
          must: threshold)),
    ])

  /// A heart rate at which alpha 1 passes a level.
  static let threshold: [AnswerMember] = [
    .number("alpha1", "the level, without a unit"), .text("threshold", "which threshold it is held for"),
    .whole("beatsPerMinute", "beats a minute"), .whole("windows", "how many windows it is of"),
    .number("determination", "how much of the spread the line explains, 0 to 1"), .text("support", "how sure it is"),
  ]

  /// All that have a name.
  static let named = all + [event, summary, replayed, replayLine, detail]
}
