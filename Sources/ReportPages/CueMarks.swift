internal import WorkoutSession
internal import ZoneEngine

/// The evaluated moments of a session as marks: full shapes are cues, hollow circles with a letter are withheld ones.
struct CueMarks {
  /// What a row under a crowded curve holds.
  enum Row: Hashable {
    case cue(CueAction)
    case withheld
  }

  private let decisions: [Decision]
  private let units: UnitSystem

  /// The marks of decisions.
  init(_ decisions: [Decision], _ units: UnitSystem) { (self.decisions, self.units) = (decisions, units) }

  /// The rows that are needed, from the top.
  var rows: [Row] {
    CueAction.allCases.map(Row.cue).filter { times(in: $0) != [] } + (times(in: .withheld) == [] ? [] : [.withheld])
  }

  /// Half of what a mark is high, in pixels.
  static let reach = 8.0

  /// Where the marks on a curve stand: parts of the width, and pixels.
  func places(in plot: SessionPlot) -> [(share: Double, y: Double)] {
    decisions.map { (plot.times.share($0.time), Self.y(of: $0, in: plot)) }
  }

  private static func y(of decision: Decision, in plot: SessionPlot) -> Double {
    decision.evidence.heartRateBPM.map { plot.values.y(Double($0)) } ?? plot.values.height
  }

  /// Draws the marks on a curve; one without a heart rate stands at the bottom.
  func write(in plot: SessionPlot, to svg: inout Markup) {
    for decision in decisions {
      let x = plot.times.x(decision.time)
      let y = Self.y(of: decision, in: plot)
      switch decision.outcome {
      case .cue(let action):
        svg.element(.use, [.class: "mark", .href: "#" + Symbols.id(of: action), .x: x, .y: Length.number(y)]) {
          $0.element(.title, "\(QuantityText.clock(decision.time)) \(CueWording.message(action, decision, in: units))")
        }
      case .withheld(let reason):
        svg.element(.use, [.class: "hollow", .href: "#withheld", .x: x, .y: Length.number(y)]) {
          $0.element(.title, "\(QuantityText.clock(decision.time)) \(CueWording.message(reason))")
        }
        svg.element(.text, [.class: "letter", .x: x, .y: Length.number(y), .dy: "3.2"], reason.letter)
      }
    }
  }

  /// Draws the marks as strokes in rows.
  func writeRows(from top: Double, every height: Double, in plot: SessionPlot, to svg: inout Markup) {
    for (index, row) in rows.enumerated() {
      let y = top + Double(index) * height
      let middle = Length.number(y + height / 2)
      svg.empty(.line, [.class: "grid", .x1: "0", .x2: "100%", .y1: middle, .y2: middle])
      switch row {
      case .cue(let action):
        svg.empty(.use, [.href: "#" + Symbols.id(of: action), .x: "-14", .y: middle])
        plot.strokes(times(in: row), y: y + 3, height: height - 6, color: Symbols.cueColor, to: &svg)
      case .withheld:
        svg.empty(.use, [.class: "hollow", .href: "#withheld", .x: "-14", .y: middle])
        plot.strokes(times(in: row), y: y + 3, height: height - 6, color: .gray, to: &svg)
      }
    }
  }

  /// Writes what the shapes mean, with their numbers; ``writeReasons(to:)`` distinguishes hollow ones.
  func writeLegend(to list: inout Markup) {
    for row in rows {
      guard case .cue(let action) = row else { continue }
      list.element(.li) { item in
        item.element(.svg, [.width: "14", .height: "14", .viewBox: "-7 -7 14 14", .ariaHidden: "true"]) {
          $0.empty(.use, [.href: "#" + Symbols.id(of: action)])
        }
        item.text("\(times(in: row).count) \(action.words.lowercased())")
      }
    }
    let withheld = times(in: .withheld).count
    guard withheld > 0 else { return }
    list.element(.li) { item in
      item.element(.svg, [.width: "16", .height: "16", .viewBox: "-8 -8 16 16", .ariaHidden: "true"]) {
        $0.empty(.use, [.class: "hollow", .href: "#withheld"])
      }
      item.text("\(withheld) \(withheld == 1 ? "moment" : "moments") without a cue")
    }
  }

  /// Writes what the letters of hollow shapes mean, with their numbers.
  func writeReasons(to list: inout Markup) {
    for reason in WithholdingReason.allCases {
      let count = decisions.count { $0.outcome == .withheld(reason) }
      guard count > 0 else { continue }
      list.element(.li) { item in
        item.element(.svg, [.width: "16", .height: "16", .viewBox: "-8 -8 16 16", .class: "key", .ariaHidden: "true"]) {
          $0.empty(.use, [.class: "hollow", .href: "#withheld"])
          $0.element(.text, [.class: "letter", .y: "3.2"], reason.letter)
        }
        item.text("\(count) withheld: \(reason.words)")
      }
    }
  }

  private func times(in row: Row) -> [SessionTime] {
    decisions.filter { decision in
      switch (row, decision.outcome) {
      case (.cue(let wanted), .cue(let action)): action == wanted
      case (.withheld, .withheld): true
      case (.cue, .withheld), (.withheld, .cue): false
      }
    }.map(\.time)
  }
}

extension WithholdingReason {
  /// The letter that stands for the reason in a mark.
  var letter: String {
    switch self {
    case .paused: "P"
    case .noTarget: "N"
    case .signalLost: "L"
    case .noAltitude: "E"
    case .artefacts: "B"
    case .lowCoverage: "C"
    case .aboveCeiling: "A"
    case .warmUp: "W"
    case .grace: "G"
    case .minimumInterval: "I"
    case .returning: "R"
    case .notWorthACue: "O"
    case .inTarget: "T"
    case .silent: "S"
    case .unanswered: "U"
    case .drawn: "D"
    }
  }
}
