package import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// The strategies as records, for the verb and for the route.
package enum StrategyRecords {
  /// Writes all of them as one document.
  package static func writeDocument(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "strategies")
      writer.array("strategies") { for strategy in StrategyDescription.all { write(strategy, to: &$0) } }
      writer.array("coaches") { for preset in CoachPreset.allCases { write(preset, to: &$0) } }
      writer.array("presets") { for preset in StrategyPreset.all { write(preset, to: &$0) } }
    }
    writer.endLine()
  }

  /// Writes each as a line.
  package static func writeLines(to writer: inout JSONWriter) {
    for strategy in StrategyDescription.all {
      write(strategy, to: &writer)
      writer.endLine()
    }
    for preset in CoachPreset.allCases {
      write(preset, to: &writer)
      writer.endLine()
    }
    for preset in StrategyPreset.all {
      write(preset, to: &writer)
      writer.endLine()
    }
  }

  private static func write(_ preset: CoachPreset, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "coachPreset")
      writer.member("name", preset.rawValue)
      writer.member("specification", preset.specification)
      writer.object("guardrails") { preset.guardrails.write(to: &$0) }
      writer.member("summary", preset.summary)
    }
  }

  private static func write(_ preset: StrategyPreset, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "strategyPreset")
      writer.member("name", preset.name)
      writer.member("specification", preset.specification)
      writer.member("summary", preset.summary)
    }
  }

  private static func write(_ strategy: StrategyDescription, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "strategy")
      writer.member("kind", strategy.kind)
      writer.member("summary", strategy.summary)
      writer.member("source", strategy.source)
      writer.array("parameters") { writer in
        for parameter in strategy.parameters {
          writer.object { writer in
            writer.member("key", parameter.key)
            writer.member("unit", parameter.unit)
            writer.member("default", parameter.defaultValue)
            writer.member("minimum", parameter.range.lowerBound)
            writer.member("maximum", parameter.range.upperBound)
            writer.member("meaning", parameter.meaning)
          }
        }
      }
    }
  }
}
