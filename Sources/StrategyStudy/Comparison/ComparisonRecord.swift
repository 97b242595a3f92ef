package import TextFormats
internal import WorkoutSession
internal import ZoneEngine

extension Comparison {
  /// What many intervals at once mean.
  package static let multiplicity =
    "each interval misses its true value in 5 of 100 comparisons, so that of 20 one is expected to; pHolm is adjusted for "
    + "all contrasts at once"

  /// Writes the record of the comparison as one line, with how many were left out because no person was measured in them.
  package func write(simulatedLeftOut: Int = 0, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "comparison")
      writer.member("loop", "open")
      writer.member("recordings", recordings)
      writer.member("hours", active.seconds / 3_600)
      writer.array("persons") { writer in
        for index in people.indices {
          writer.object { writer in
            writer.member("person", people[index].name)
            writer.member("recordings", recordingsPerPerson[index])
            writer.member("checkMinusMidway", checkMinusMidwayPerPerson[index])
          }
        }
      }
      writer.array("strategies") { writer in for row in rows { write(row, to: &writer) } }
      writer.array("contrasts") { writer in for contrast in contrasts { write(contrast, to: &writer) } }
      if let checkMinusMidway {
        writer.object("checkMinusMidway") { Self.write(checkMinusMidway, as: "mean", to: &$0) }
      }
      if let randomized { writer.object("randomized") { randomized.writeMembers(to: &$0) } }
      OriginRecords.write(origins, to: &writer)
      writer.member("simulatedLeftOut", simulatedLeftOut > 0 ? simulatedLeftOut : nil)
      writer.object("intervals") { writer in
        writer.member("method", PeopleInterval.method)
        writer.member("unit", "person")
        writer.member("fewestPersons", PeopleInterval.fewestPeople)
        writer.member("count", intervalCount)
        writer.member("multiplicity", Self.multiplicity)
      }
      writer.array("refused") { writer in for metric in Self.refused { writer.value(metric) } }
      writer.member("why", Self.why)
    }
    writer.endLine()
  }

  private func write(_ row: Row, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("strategy", row.strategy.specification)
      writer.member("programSHA256", row.strategy.programHash)
      Self.writeMembers(of: row.overall, to: &writer)
      writer.array("persons") { writer in
        for (person, tally) in zip(people, row.perPerson) {
          writer.object { writer in
            writer.member("person", person.name)
            Self.writeMembers(of: tally, to: &writer)
          }
        }
      }
    }
  }

  private static func writeMembers(of tally: StrategyTally, to writer: inout JSONWriter) {
    func value(_ metric: ComparisonMetric) -> Double? { metric.value(of: tally) }
    writer.member("hours", tally.active.seconds / 3_600)
    writer.member("cues", tally.cues)
    writer.member("cuesPerHour", value(.cuesPerHour))
    writer.member("directionalCuesPerHour", value(.directionalCuesPerHour))
    writer.member("spuriousShare", value(.spuriousShare))
    writer.member("returningShare", value(.returningShare))
    writer.member("reversalsPerHour", value(.reversalsPerHour))
    writer.member("excursions", tally.excursions)
    writer.member("excursionsCuedShare", value(.excursionsCuedShare))
    if let median = value(.latencyMedian), let p90 = value(.latencyP90) {
      writer.object("latencySeconds") { writer in
        writer.member("median", median)
        writer.member("p90", p90)
      }
    }
    writer.object("withheld") { writer in
      for reason in WithholdingReason.allCases { writer.member(JSONKey(reason.rawValue), tally.withheld[reason]) }
    }
  }

  private func write(_ contrast: Contrast, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("a", rows[contrast.a].strategy.specification)
      writer.member("b", rows[contrast.b].strategy.specification)
      writer.member("metric", contrast.metric.rawValue)
      Self.write(contrast.difference, as: "meanDifference", to: &writer)
      writer.member("p", contrast.difference.probability)
      writer.member("pHolm", contrast.adjustedProbability)
    }
  }

  private static func write(_ mean: PersonMean, as key: JSONKey, to writer: inout JSONWriter) {
    writer.member(key, mean.mean)
    if let confidence = mean.confidence {
      writer.array("confidence95") { writer in
        writer.value(confidence.lower)
        writer.value(confidence.upper)
      }
      writer.member("method", PeopleInterval.method)
    }
    writer.member("n", mean.count)
  }
}
