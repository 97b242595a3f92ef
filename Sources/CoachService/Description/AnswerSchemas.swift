/// The schemas of what routes answer.
enum AnswerSchemas {
  private static func list(
    _ name: String, _ type: String, _ member: String, of item: AnswerSchema, may: [AnswerMember] = []
  ) -> AnswerSchema {
    .record(name, type, must: [.list(member, "in their order", of: item.reference)], may: may)
  }

  // MARK: - Sessions

  static let created = AnswerSchema.record(
    "Created", "created", must: [.text("sessionID", "the identity of the session")])

  private static func taken(_ name: String, part: String, may: [AnswerMember]) -> AnswerSchema {
    .record(
      name, "taken",
      must: [
        .whole("accepted", "how many were taken"),
        .list(
          "rejected", "the first 100 that could not be used",
          of: AnswerMember.object(must: [.whole(part, "its number, from 1"), .text("problem", "what is wrong")])),
      ], may: may + [.whole("moreRejected", "how many could not be used beside those in rejected")])
  }

  static let taken = taken(
    "Taken", part: "line",
    may: [
      .list("events", "the records that came of the lines", of: EventSchemas.event.reference),
      .whole("lastEvent", "the number of the last record of the session"),
      .whole("nextLine", "the first line to be sent again, in another request"),
    ])

  private static let takenMessage = taken("TakenMessage", part: "entry", may: [])
  /// What an app is answered.
  static let message = AnswerSchema(
    "MessageAnswer",
    text: #"{"anyOf":[\#(takenMessage.reference),{"type":"array","maxItems":0,"description":"for OwnTracks"}]}"#)

  private static let session = AnswerSchema.record(
    "Session", "session",
    must: [
      .text("sessionID", "its identity"), .time("startTime", "when it began"),
      .text("state", "live, complete or recovered"),
    ],
    may: [
      .text("activity", "what was done"), .number("activeSeconds", "time in which it was not paused, seconds"),
      .number("elapsedSeconds", "time from the start to the end, seconds"),
      .number("compliance", "seconds in the target by covered seconds, 0 to 1"),
      .number("averageHeartRateBPM", "beats a minute"), .number("distanceMeters", "metres"),
      .whole("steps", "how many"), .whole("utcOffsetSeconds", "what local time was ahead of UTC, seconds"),
      .number("energyKilocalories", "kilocalories"), .text("person", "whose it is"), .text("strategy", "when it spoke"),
      .text("target", "what was asked for"), .text("origin", "live, imported or simulated"),
    ])

  static let sessions = list(
    "Sessions", "sessions", "sessions", of: session,
    may: [.text("next", "the cursor of the page that follows; absent on the last")])

  static let notes = AnswerSchema.record(
    "Notes", "notes", must: [.text("sessionID", "of which session"), .texts("tags", "the tags")],
    may: [.text("note", "what somebody wrote")])

  static let series = AnswerSchema.record(
    "Series", "series",
    must: [
      .text("sessionID", "of which session"), .whole("everySeconds", "how far rows are apart, seconds"),
      .texts("columns", "what stands in the rows, with its unit in the name"),
      .list(
        "rows", "the values in the order of the columns; null where one is not known",
        of: #"{"type":"array","items":{"type":["number","string","boolean","null"]}}"#),
    ])

  /// A workout with all that was recorded, as `coach export --as json`.
  static let workout = AnswerSchema.record(
    "Workout", "workout",
    must: [
      .list(
        "inputs", "samples and commands, as the lines of a live stream",
        of: #"{"type":"object","additionalProperties":true}"#)
    ],
    may: [
      .map("manifest", "what was asked for, as manifest.json; see docs/formats.md", of: "true"),
      AnswerMember("summary", EventSchemas.summary.reference),
      .list("decisions", "the records of the session", of: EventSchemas.event.reference),
      .number("privacyRadiusMeters", "how far around its ends positions are left out, metres"),
      .list(
        "labels", "what stretches were labelled as",
        of: AnswerMember.object(
          must: [.number("atSeconds", "seconds since the start of the session"), .text("label", "the label")],
          may: [.time("time", "when it begins")])),
    ])

  static let imported = AnswerSchema.record(
    "Imported", "imported",
    must: [.text("file", "upload"), .text("status", "added, duplicate, replaced, assigned or refused")],
    may: [
      .text("sessionID", "the session that holds it"), .text("reason", "why it was not added"),
      .text("replaces", "the session whose place it took"), .texts("notices", "what is odd about it"),
    ])

  // MARK: - People

  private static let datedMembers: (must: [AnswerMember], may: [AnswerMember]) = (
    [
      .number("value", "kilograms, or beats a minute"), .text("origin", "measured or estimated"),
    ], [.day("date", "since when it holds"), .text("method", "how it was found")]
  )

  private static let quantities = [
    ("weightKilograms", "kilograms"), ("restingHeartRateBPM", "beats a minute"),
    ("maximumHeartRateBPM", "beats a minute"), ("thresholdHeartRateBPM", "beats a minute"),
  ]

  static let person: AnswerSchema = .record(
    "Person", "profile",
    must: [
      .text("name", "what they are called"), .day("day", "the day of ageYears and inForce"),
      .object(
        "inForce",
        may: quantities.map { name, _ in
          .object(
            name, must: datedMembers.must,
            may: datedMembers.may + [.flag("isLater", "whether it was measured after the day")])
        }),
    ],
    may: [
      .text("id", "their identity, which stays"), .day("birthDate", "when they were born"),
      .text("sex", "female or male"), .whole("ageYears", "years"),
      .object("study", may: [.text("name", "what it is called"), .whole("minimumAge", "years")]),
      .text("formula", "by what the maximum is estimated"),
      .object(
        "zoneModel", must: [.text("kind", "by what zones are made")],
        may: [
          .text("scheme", "of percentOfThreshold"), .list("thresholdsBPM", "beats a minute", of: number),
          .list("boundsBPM", "beats a minute", of: number),
        ]),
      .map("weeklyGoal", "how much a week, by what is counted"), .text("units", "metric or imperial"),
      .text("language", "en or de"), .texts("fields", "the numbers that they want to see"),
      .object(
        "learned",
        may: [
          .whole("sessions", "of how many"), .day("date", "until when"), .whole("slowPercent", "percent"),
          .whole("losesPercent", "percent"), .whole("steersPercent", "percent"), .whole("followsPercent", "percent"),
          .number("cueBPM", "what a cue does, beats a minute"),
        ]),
      .whole("sessions", "how many they have"),
    ]
      + quantities.map { name, unit in
        .list(name, unit, of: AnswerMember.object(must: datedMembers.must, may: datedMembers.may))
      })

  private static let number = #"{"type":"number"}"#

  static let people = list("People", "people", "people", of: person)

  // MARK: - Guidance

  static let zones = AnswerSchema.record(
    "Zones", "zones", must: EventSchemas.zones.must, may: EventSchemas.zones.may)

  private static let parameter = AnswerMember.object(must: [
    .text("key", "its name"), .text("unit", "its unit; empty where it has none"),
    .number("default", "what holds where nothing is said"), .number("minimum", "at least"),
    .number("maximum", "at most"), .text("meaning", "what it does"),
  ])
  private static let summaryOfOne = AnswerMember.text("summary", "what it does")

  private static let strategy = AnswerSchema.record(
    "Strategy", "strategy",
    must: [
      .text("kind", "its name"), summaryOfOne, .text("source", "where it comes from"),
      .list("parameters", "what can be chosen", of: parameter),
    ])
  private static let coach = AnswerSchema.record(
    "CoachPreset", "coachPreset",
    must: [
      .text("name", "its name"), .text("specification", "its strategy"), summaryOfOne,
      .object(
        "guardrails",
        may: [
          .number("warmUpSeconds", "seconds"), .number("minimumIntervalSeconds", "seconds"),
          .number("graceSeconds", "seconds"),
        ]),
    ])
  private static let preset = AnswerSchema.record(
    "StrategyPreset", "strategyPreset",
    must: [.text("name", "its name"), .text("specification", "the strategy"), summaryOfOne])

  static let strategies = AnswerSchema.record(
    "Strategies", "strategies",
    must: [
      .list("strategies", "all kinds", of: strategy.reference),
      .list("coaches", "with guardrails", of: coach.reference),
      .list("presets", "like other programs", of: preset.reference),
    ])

  private static let plan = AnswerSchema.record(
    "Plan", "plan",
    must: [
      .text("name", "its name"), summaryOfOne, .text("text", "as it can be typed"),
      .list(
        "steps", "in their order",
        of: AnswerMember.object(may: [
          .text("name", "what it is called"), .number("durationSeconds", "seconds"),
          .number("distanceMeters", "metres"), .text("target", "what is asked for"),
          .text("activity", "walking or running"), .whole("repetition", "from 1"), .whole("repetitions", "of how many"),
        ])),
    ])
  static let plans = list("Plans", "plans", "plans", of: plan)

  // MARK: - Records and fitness

  private static let record = AnswerSchema.record(
    "BestEffort", "record",
    must: [.text("sessionID", "in which session"), .text("activity", "what was done")],
    may: [
      .number("atSeconds", "where it begins, seconds since the start of the session"),
      .time("startTime", "when the session began"),
      .number("distanceMeters", "the distance, metres"), .number("seconds", "the best time over it, seconds"),
      .number("durationSeconds", "the time, seconds"), .number("meters", "the best distance in it, metres"),
      .number("averageHeartRateBPM", "the highest average in it, beats a minute"), .text("person", "whose it is"),
    ])
  static let records = list("Records", "records", "records", of: record)

  private static let load = AnswerMember.number("load", "training load, points")
  private static let method = AnswerMember.text("loadMethod", "how the load is counted")
  private static let sessionCount = AnswerMember.whole("sessions", "how many")

  private static let day = AnswerSchema.record(
    "FitnessDay", "fitness",
    must: [
      .day("date", "the day"), sessionCount, method, load, .number("fitness", "points"), .number("fatigue", "points"),
      .number("form", "fitness without fatigue, points"),
    ])
  private static let week = AnswerSchema.record(
    "FitnessWeek", "intensity",
    must: [
      .text("week", "its number, as 2026-W48"), .day("from", "its Monday"), sessionCount,
      .number("activeSeconds", "seconds"), method,
    ],
    may: [
      load, .number("distanceMeters", "metres"), .number("lowSeconds", "seconds of low intensity"),
      .number("moderateSeconds", "seconds of moderate intensity"), .number("highSeconds", "seconds of high intensity"),
      .number("polarizationIndex", "without a unit"),
      .whole("sessionsWithoutIntensity", "how many have no intensity"),
    ])
  private static let streak = AnswerSchema.record(
    "Streak", "streak",
    must: [
      .text("quantity", "what is counted"), .number("thisWeek", "how much this week"),
      .whole("weeks", "how many weeks in a row"), .whole("longestWeeks", "the most there ever were"),
    ], may: [.number("goal", "how much a week")])
  private static let suggestion = AnswerSchema.record(
    "Suggestion", "suggestion",
    must: [
      .text("quantity", "what is suggested"), .whole("beatsPerMinute", "beats a minute"),
      .text("support", "how sure it is"),
      .object(
        "evidence", must: [.text("sessionID", "in which session")],
        may: [
          .time("startTime", "when the session began"),
          .number("atSeconds", "where it begins, seconds since the start of the session"),
          .number("durationSeconds", "seconds"), .number("averageHeartRateBPM", "beats a minute"),
          .whole("sessionsNear", "how many other sessions come near"),
        ]),
    ], may: EventSchemas.threshold.filter { !["beatsPerMinute", "support"].contains($0.name) })

  static let fitness = AnswerSchema.record(
    "FitnessReport", "fitnessReport",
    must: [
      method, .whole("sessionsWithoutLoad", "how many have no load"), .list("days", "each day", of: day.reference),
      .list("weeks", "each week", of: week.reference),
      .list("suggestions", "heart rates that a profile may be given", of: suggestion.reference),
    ], may: [AnswerMember("streak", streak.reference)])

  // MARK: - Secrets

  private static let times: [AnswerMember] = [
    .time("createdAt", "when it was made"), .time("expiresAt", "when it ends"),
  ]
  private static let tokenMembers: (must: [AnswerMember], may: [AnswerMember]) = (
    [.text("tokenID", "its identity"), .texts("scopes", "send, watch, manage")] + times,
    [
      .text("person", "whose things it sees; absent for everybody's"),
      .text("session", "the only session that it sees"),
      .text("group", "the only group that it sees"),
    ]
  )
  static let token = AnswerSchema.record("Token", "token", must: tokenMembers.must, may: tokenMembers.may)
  static let newToken = AnswerSchema.record(
    "NewToken", "token", must: [.text("token", "the secret, which is shown once")] + tokenMembers.must,
    may: tokenMembers.may)
  static let tokens = list("Tokens", "tokens", "tokens", of: token)

  private static let keyMembers: [AnswerMember] =
    [.text("keyID", "its identity"), .text("person", "whose sessions it writes")] + times
  static let key = AnswerSchema.record("Key", "key", must: keyMembers)
  static let newKey = AnswerSchema.record(
    "NewKey", "key",
    must: [.text("key", "the secret, which is shown once"), .text("url", "what to type into an app")] + keyMembers,
    may: [.text("warning", "why no session can be begun with it yet")])
  static let keys = list("Keys", "keys", "keys", of: key)

  // MARK: - Groups

  private static let memberMembers: [AnswerMember] = [
    .text("person", "who it is"), .texts("shares", "what those see who watch: heartRate, position"),
  ]
  private static let groupMembers: [AnswerMember] = [
    .text("groupID", "its identity"), .text("name", "what it is called"),
  ]
  static let group = AnswerSchema.record(
    "Group", "group",
    must: groupMembers + [.list("members", "who has joined", of: AnswerMember.object(must: memberMembers))])
  static let groups = list("Groups", "groups", "groups", of: group)

  private static let age = AnswerMember.number("ageSeconds", "how old it is, seconds")
  private static let tile = AnswerMember.object(
    must: memberMembers + [.text("state", "live, paused or noRun")],
    may: [
      .text("need", "what word they need: none, or that of a cue or a signal"),
      .number("activeSeconds", "time in which the run was not paused, seconds"), .text("signal", "live, lost or none"),
      .number("compliance", "seconds in the target by covered seconds, 0 to 1"),
      .whole("heartRateBPM", "beats a minute"), .number("heartRateAgeSeconds", "how old it is, seconds"),
      .text("band", "in which band it is"), .text("zoneLabel", "the number of the zone, as it is shown"),
      .text("zoneName", "what the zone is called"),
      .object(
        "cue", must: [.text("action", "speedUp, hold or slowDown"), age], may: [.text("message", "its words")]),
      .object(
        "position", must: [.number("latitude", "degrees"), .number("longitude", "degrees"), age]),
    ] + EventSchemas.limits)
  static let board = AnswerSchema.record(
    "Board", "board",
    must: [.whole("number", "the number of this state of the board, for after")] + groupMembers + [
      .list("members", "who needs a word first", of: tile)
    ])

  // MARK: - The service

  static let alive = AnswerSchema.record("Alive", "alive")
  static let ready = AnswerSchema.record("Ready", "ready")
  static let description = AnswerSchema(
    "Description",
    text:
      #"{"type":"object","required":["openapi","info","paths"],"additionalProperties":true,"description":"OpenAPI 3.1"}"#
  )

  /// All schemas, for the components of the description.
  static let all: [AnswerSchema] =
    EventSchemas.named + [
      created, taken, takenMessage, message, session, sessions, notes, series, workout, imported, person, people, zones,
      strategy, coach, preset, strategies, plan, plans, record, records, day, week, streak, suggestion, fitness, token,
      newToken, tokens, key, newKey, keys, group, groups, board, alive, ready, description,
    ]
}
