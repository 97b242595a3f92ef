internal import SessionStore
internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// The tables of the page of a session.
struct SessionTables {
  let report: SessionReport

  private var outcome: SessionOutcome { report.detail.outcome }
  private var zones: HeartRateZones { outcome.zones }

  // MARK: - Zones

  /// Minutes and shares of each zone, with bars.
  func writeZones(to page: inout Markup) {
    let summary = outcome.summary
    let longest = (summary.inBand.map(\.duration) + [summary.noData]).max() ?? .zero
    let possible = zones.possibleBands
    func row(_ name: String, _ range: String, _ duration: SessionTime, fill: String, isAim: Bool, to body: inout Markup)
    {
      body.element(.tr) { row in
        row.element(.th, [.scope: "row"]) { cell in
          if isAim {
            cell.element(.span, [.class: "aim"], "▸ \(name) (target)")
          } else {
            cell.text(name)
          }
        }
        row.element(.td, range)
        row.element(.td, [.class: "bar"]) { cell in
          cell.element(.svg, [.height: "16", .ariaHidden: "true"]) { svg in
            guard duration > .zero else { return }
            let share = Length.percent(duration.seconds / longest.seconds)
            svg.empty(.rect, [.width: share, .height: "16", .fill: fill])
            svg.empty(.rect, [.class: "outline", .width: share, .height: "16"])
          }
        }
        row.element(.td, QuantityText.clockRounded(duration))
        row.element(.td, summary.active > .zero ? QuantityText.percent(duration.seconds / summary.active.seconds) : "–")
      }
    }
    page.element(.table, [.class: "zones numbers"]) { table in
      Self.head(["Zone", "bpm", "", "Time", "Share"], to: &table)
      table.element(.tbody) { body in
        for (band, duration) in summary.inBand where possible.contains(band) {
          let isAim =
            if case .zone(let number)? = outcome.targets.only?.target { band == .zone(number) } else { false }
          row(
            zones.title(of: band), zones.range(of: band), duration, fill: BandPattern.fill(band), isAim: isAim,
            to: &body)
        }
        row("no usable heart rate", "", summary.noData, fill: Symbols.noData, isAim: false, to: &body)
      }
    }
  }

  // MARK: - Kilometres or miles

  /// Time, pace or speed, and heart rate of each kilometre or mile, all of them in sight.
  func writeSplits(to page: inout Markup) {
    let measure = report.detail.manifest.request.activity.speedMeasure
    let units = report.units
    let splits = report.detail.splits(in: units)
    let shares = splits.shares(measure)
    page.element(.table, [.class: "splits numbers"]) { table in
      Self.head(
        [units.splitUnit, "Time", measure == .pace ? "Pace" : "Speed", "bpm", shares.title], to: &table)
      table.element(.tbody) { body in
        for (index, split) in splits.enumerated() {
          body.element(.tr) { row in
            row.element(.th, [.scope: "row"], split.name(number: index + 1, units))
            row.element(.td, QuantityText.clockRounded(split.active))
            row.element(
              .td, split.paceSecondsPerKilometer.flatMap { measure.text(secondsPerKilometer: $0, units) } ?? "–")
            row.element(.td, split.meanHeartRate.map { QuantityText.number($0, decimals: 0) } ?? "–")
            row.element(.td, [.class: "bar"]) { cell in
              cell.element(.svg, [.height: "12", .ariaHidden: "true"]) { svg in
                guard shares.values[index] > 0 else { return }
                svg.empty(
                  .rect, [.width: Length.percent(shares.values[index]), .height: "12", .fill: "var(--gray)"])
              }
            }
          }
        }
      }
    }
  }

  // MARK: - Laps

  /// Time, distance, pace or speed, and heart rate of each lap and of each step of a plan.
  func writeLaps(to page: inout Markup) {
    let measure = report.detail.manifest.request.activity.speedMeasure
    let units = report.units
    let laps = report.courses.lapResults
    let hasMeters = laps.contains { $0.meters != nil }
    let hasNames = laps.contains { $0.name != nil }
    let titles =
      ["Lap"] + (hasNames ? ["Name"] : []) + ["Began at", "Time"]
      + (hasMeters ? ["Distance", measure == .pace ? "Pace" : "Speed"] : []) + ["bpm", "Highest"]
    page.scrollingArea("The laps") { area in
      area.element(.table, [.class: hasNames ? "numbers named" : "numbers"]) { table in
        Self.head(titles, to: &table)
        table.element(.tbody) { body in
          for (index, lap) in laps.enumerated() {
            body.element(.tr) { row in
              row.element(.th, [.scope: "row"], "\(index + 1)")
              if hasNames { row.element(.td) { $0.name(lap.name ?? "") } }
              row.element(.td, QuantityText.clock(lap.start))
              row.element(.td, QuantityText.clockRounded(lap.active))
              if hasMeters {
                row.element(.td, lap.meters.map { units.distance(meters: $0) } ?? "–")
                row.element(
                  .td, lap.paceSecondsPerKilometer.flatMap { measure.text(secondsPerKilometer: $0, units) } ?? "–")
              }
              for beats in [lap.heartRates.mean, lap.heartRates.maximum] {
                row.element(.td, beats.map { QuantityText.number($0, decimals: 0) } ?? "–")
              }
            }
          }
        }
      }
    }
  }

  // MARK: - Decisions

  /// Every evaluated moment with its evidence.
  func writeDecisions(to page: inout Markup) {
    page.scrollingArea("Every evaluated moment", isTall: true) { box in
      box.element(.table, [.class: "numbers named"]) { table in
        Self.head(["Time", "Cue", "bpm", "Band", "Target"], words: "Reason and evidence", to: &table)
        table.element(.tbody) { body in
          for decision in report.courses.decisions {
            body.newline()
            body.element(.tr) { row in
              row.element(.th, [.scope: "row"], QuantityText.clock(decision.time))
              row.element(
                .td, decision.action.map { "\($0.symbol) \($0.words(decision.grade).lowercased())" } ?? "○ withheld")
              row.element(.td, value(decision))
              row.element(.td, decision.band.map(label) ?? "–")
              row.element(.td, decision.target.map { $0.range(in: report.units) } ?? "–")
              row.element(.td, [.class: "words"], words(decision))
            }
          }
        }
      }
    }
  }

  /// The heart rate, or the newest value of another quantity that was judged.
  private func value(_ decision: Decision) -> String {
    if let (band, measured) = decision.measured {
      return measured.value.map { band.read(in: report.units).text($0) } ?? "–"
    }
    return decision.evidence.heartRateBPM.map { "\($0)" } ?? "–"
  }

  private func label(_ band: JudgedBand) -> String {
    switch band {
    case .band(let band): zones.shortLabel(of: band)
    case .side(.under): "below"
    case .side(.inside): "inside"
    case .side(.over): "above"
    }
  }

  private func words(_ decision: Decision) -> String {
    let evidence = decision.evidence
    var parts: [String] = []
    switch decision.outcome {
    case .cue where evidence.ceiling != nil:
      let ceiling = evidence.ceiling.map { "\($0.beatsPerMinute) bpm for \(CueWording.measured($0.above))" } ?? ""
      parts.append("above the ceiling of \(ceiling)")
    case .cue(let action):
      switch action {
      case .speedUp: parts.append("below the target")
      case .hold: parts.append("in the target")
      case .slowDown: parts.append("above the target")
      }
    case .withheld(let reason):
      let message = CueWording.message(reason, decision)
      parts.append(message.dropped(prefix: "No cue: ", suffix: "."))
    }
    if !evidence.held.isEmpty {
      let held = evidence.held.map { "\(label($0.band)) \(CueWording.measured($0.duration))" }
      parts.append("held " + held.joined(separator: ", "))
    }
    if let covered = evidence.covered, let window = evidence.window {
      parts.append(
        "\(CueWording.measured(covered)) of \(CueWording.seconds(window)) with a \(decision.target?.quantity?.name ?? "heart rate")"
      )
    }
    if let age = evidence.heartRateAge, age > .zero { parts.append("reading \(CueWording.measured(age)) old") }
    return parts.joined(separator: "; ")
  }

  // MARK: - Signal

  /// How well each stream was sampled.
  func writeQuality(to page: inout Markup) {
    page.scrollingArea("How each stream was sampled") { box in
      box.element(.table, [.class: "numbers"]) { table in
        Self.head(["Stream", "Rows", "Expected", "Rate", "Jitter", "Gaps", "Longest", "Odd rows"], to: &table)
        table.element(.tbody) { body in
          for quality in report.quality {
            body.element(.tr) { row in
              row.element(.th, [.scope: "row"], quality.stream.title)
              row.element(.td, "\(quality.rows)")
              row.element(.td, quality.expectedRows.map { "\($0)" } ?? "–")
              row.element(.td, quality.rateHz.map { Length.number($0) + " Hz" } ?? "–")
              row.element(.td, quality.intervals.standardDeviationSeconds.map { Length.number($0) + " s" } ?? "–")
              row.element(.td, "\(quality.gapCount)")
              row.element(.td, quality.gapCount > 0 ? QuantityText.seconds(quality.longestGap) : "–")
              let odd = [
                quality.duplicates, quality.outOfOrder, quality.unreadableRows, quality.unplacedRows, quality.tornLines,
              ]
              row.element(.td, "\(odd.reduce(0, +))")
            }
          }
        }
      }
    }
  }

  /// The head of a table; `words` is the title of a last column with sentences. A column of bars has no title.
  static func head(_ titles: [String], words: String? = nil, to table: inout Markup) {
    table.element(.thead) { head in
      head.element(.tr) { row in
        for title in titles {
          if title.isEmpty { row.element(.td, "") } else { row.element(.th, [.scope: "col"], title) }
        }
        if let words { row.element(.th, [.scope: "col", .class: "words"], words) }
      }
    }
  }
}

extension Decision {
  /// The cue that was given; `nil` when it was withheld.
  fileprivate var action: CueAction? { if case .cue(let action) = outcome { action } else { nil } }
}

extension String {
  /// The text without what may stand before and after it.
  fileprivate func dropped(prefix: String, suffix: String) -> String {
    let tail = hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
    return tail.hasSuffix(suffix) ? String(tail.dropLast(suffix.count)) : tail
  }
}
