import ActivityRecognition
import ReportPages
import TextFormats
import WorkoutSession
import ZoneEngine

/// `coach motion recognize`: what was done in a recording.
enum MotionRecognizeCommand {
  /// Prints the spans of the recording, then how long each activity took.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    guard let path = parsed[MotionOptions.model] else {
      throw CommandFailure("motion recognize: expected --model FILE", .usage)
    }
    let page = try MotionPage(parsed)
    let model = try ModelOutput.read(path)
    let recording = parsed[Operands.motionRecording]
    let corpus = try MotionInput.recording(recording, console)
    if model.usesRotationRate, !corpus.hasRotationRate {
      throw CommandFailure(
        "\(recording): no turning rates (gyroscope), with which the model was trained: expected them, or another model",
        .unusableData)
    }
    let recognizer = ActivityRecognizer(model)
    var (people, spansOf): ([String], [String: [ActivitySpan]]) = ([], [:])
    for recording in corpus.recordings {
      let person = recording.statedPerson
      if spansOf[person] == nil { people.append(person) }
      spansOf[person, default: []] += recognizer.spans(recording).map { $0.later(by: recording.trialStartSeconds) }
    }
    let parts = people.map { person in
      // Trials whose rows alternate are one after another in time.
      let spans = (spansOf[person] ?? []).enumerated().sorted {
        ($0.element.fromSeconds, $0.offset) < ($1.element.fromSeconds, $1.offset)
      }.map(\.element)
      return RecognisedPerson(
        name: people.count > 1 ? person : nil, spans: spans, totals: ActivityTotals(spans, labels: model.labels))
    }
    guard parts.contains(where: { !$0.spans.isEmpty }) else {
      throw CommandFailure(
        "\(recording): too short: expected at least \(Double(model.shape.points) / 100) s without a gap", .unusableData)
    }
    if let page {
      guard let part = parts.first, parts.count == 1 else {
        throw CommandFailure("\(recording): of \(parts.count) people: expected one for a page", .unusableData)
      }
      let view = ActivityPage(
        source: FileSystem.name(of: recording), model: FileSystem.name(of: path), spans: part.spans,
        totals: part.totals.seconds)
      try page.write(view.bytes, of: "\(part.spans.count) spans", console)
      return 0
    }
    try print(parts, parsed, console)
    return 0
  }

  /// What a person did, by whose name it stands where there are several.
  private struct RecognisedPerson {
    let name: String?
    let spans: [ActivitySpan]
    let totals: ActivityTotals
  }

  private static func print(_ parts: [RecognisedPerson], _ parsed: ParsedArguments, _ console: Console) throws {
    let format = parsed[OutputOptions.format]
    guard format != .text else {
      let facts = TerminalFacts(descriptor: 1, color: parsed[OutputOptions.color])
      let blocks = parts.map { part in
        let heading = part.name.map { [StyledText($0.visible)] } ?? []
        return [heading, ActivityView(part.spans, part.totals, width: facts.width).lines].joinedBlocks
      }
      return try console.print(blocks.joinedBlocks, facts)
    }
    var list = RecordList("activities", format)
    for part in parts {
      for span in part.spans { list.append { MotionRecords.write(span, of: part.name, to: &$0) } }
      list.append { MotionRecords.write(part.totals, of: part.name, to: &$0) }
    }
    try list.print(to: console)
  }
}

/// How long each activity took.
struct ActivityTotals {
  /// The activities and their seconds, in the order of the model's labels, unknown last.
  let seconds: [(activity: String, seconds: Double)]

  /// Adds up spans between the hundredths of a second that are written of them, so that who adds those up has the same.
  init(_ spans: [ActivitySpan], labels: [String]) {
    var sums: [String: Double] = [:]
    for span in spans {
      sums[span.activity, default: 0] +=
        MotionRecords.hundredths(span.untilSeconds) - MotionRecords.hundredths(span.fromSeconds)
    }
    seconds = (labels + [MotionModel.unknownLabel]).compactMap { label in sums[label].map { (label, $0) } }
  }
}

extension ActivitySpan {
  /// The same later by some seconds.
  fileprivate func later(by seconds: Double) -> ActivitySpan {
    ActivitySpan(
      fromSeconds: fromSeconds + seconds, untilSeconds: untilSeconds + seconds, activity: activity,
      probability: probability)
  }
}

extension MotionRecords {
  /// Writes a span, of a person where there are several.
  static func write(_ span: ActivitySpan, of person: String? = nil, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", version)
      writer.member("type", "activity")
      if let person { writer.member("person", person) }
      writer.member("fromSeconds", hundredths(span.fromSeconds))
      writer.member("untilSeconds", hundredths(span.untilSeconds))
      writer.member("activity", span.activity)
      writer.member("probability", rounded(span.probability))
    }
  }

  /// Writes totals, of a person where there are several.
  static func write(_ totals: ActivityTotals, of person: String? = nil, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", version)
      writer.member("type", "activityTotals")
      if let person { writer.member("person", person) }
      writer.object("seconds") { writer in
        for (activity, seconds) in totals.seconds { writer.member(JSONKey(activity), hundredths(seconds)) }
      }
    }
  }

  static func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}

/// What was recognised, on a terminal: a time line of bars for each activity, then the spans.
struct ActivityView {
  /// What activities are drawn with, so that they differ without colours too.
  private static let fills = ["█", "▒", "▓", "░"]
  private static let inks: [Ink] = [.green, .blue, .yellow, .magenta, .cyan, .orange, .red, .white]
  private let spans: [ActivitySpan]
  private let totals: ActivityTotals
  private let width: Int

  /// The view in so many columns.
  init(_ spans: [ActivitySpan], _ totals: ActivityTotals, width: Int) {
    self.spans = spans
    self.totals = totals
    self.width = width
  }

  /// The lines.
  var lines: [StyledText] { [bars, timeLine, list].joinedBlocks }

  private func fill(_ activity: String) -> String {
    guard activity != MotionModel.unknownLabel,
      let place = totals.seconds.firstIndex(where: { $0.activity == activity })
    else { return "·" }
    return Self.fills[place % Self.fills.count]
  }

  private func ink(_ activity: String) -> Ink {
    guard let place = totals.seconds.firstIndex(where: { $0.activity == activity }),
      activity != MotionModel.unknownLabel
    else { return .gray }
    return Self.inks[place % Self.inks.count]
  }

  private static func clock(_ seconds: Double) -> String {
    SessionTime(seconds: seconds).map(QuantityText.clockRounded) ?? ""
  }

  /// How long each activity took, as bars.
  private var bars: [StyledText] {
    let longest = max(0.01, totals.seconds.map(\.seconds).max() ?? 0)
    let columns = [
      TextTable.Column(title: "activity", isLabel: true), TextTable.Column(title: "time", isNumber: true),
      TextTable.Column(title: "", isBar: true),
    ]
    return TextTable(
      columns,
      totals.seconds.map { activity, seconds in
        [
          .text("\(fill(activity)) \(activity)"), .text(Self.clock(seconds)),
          .bar(max(0.001, seconds / longest), .ink(ink(activity))),
        ]
      }
    ).lines(width: width)
  }

  /// What was recognised over time: of each piece what most of it was.
  private var timeLine: [StyledText] {
    guard let end = spans.last?.untilSeconds, end > 0 else { return [] }
    let columns = max(10, width - 4)
    var line = StyledText.spaces(2)
    for column in 0..<columns {
      let (from, until) = (end * Double(column) / Double(columns), end * Double(column + 1) / Double(columns))
      let most = spans.max { overlap($0, from, until) < overlap($1, from, until) }
      guard let most, overlap(most, from, until) > 0 else {
        line += StyledText(" ")
        continue
      }
      line += StyledText(fill(most.activity), .ink(ink(most.activity)))
    }
    let right = Self.clock(end)
    return [line, StyledText("  0:00:00").padded(to: 2 + columns - right.count) + StyledText(right, .dim)]
  }

  private func overlap(_ span: ActivitySpan, _ from: Double, _ until: Double) -> Double {
    max(0, min(span.untilSeconds, until) - max(span.fromSeconds, from))
  }

  private var list: [StyledText] {
    let columns = [
      TextTable.Column(title: "from", isNumber: true), TextTable.Column(title: "until", isNumber: true),
      TextTable.Column(title: "activity", isLabel: true), TextTable.Column(title: "probability", isNumber: true),
    ]
    return TextTable(
      columns,
      spans.map { span in
        [
          .text(QuantityText.number(span.fromSeconds, decimals: 2)),
          .text(QuantityText.number(span.untilSeconds, decimals: 2)), .text(span.activity, .ink(ink(span.activity))),
          .text(QuantityText.number(span.probability, decimals: 2)),
        ]
      }
    ).lines(width: width)
  }
}
