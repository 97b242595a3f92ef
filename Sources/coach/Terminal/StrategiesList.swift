import WorkoutSession
import ZoneEngine

/// The strategies that there are, for people.
struct StrategiesList: Sendable {
  /// The strategies in the order of the list.
  let strategies: [StrategyDescription]

  /// A list of these strategies.
  init(_ strategies: [StrategyDescription] = StrategyDescription.all) { self.strategies = strategies }

  /// The lines, each in at most `width` columns unless a word is wider.
  func lines(width: Int) -> [StyledText] {
    let blocks =
      strategies.map { block(of: $0, width: width) } + CoachPreset.allCases.map { block(of: $0, width: width) }
      + StrategyPreset.all.map { block(of: $0, width: width) }
    return blocks.reduce(into: []) { lines, block in
      if !lines.isEmpty { lines.append(.empty) }
      lines += block
    }
  }

  private func block(of preset: CoachPreset, width: Int) -> [StyledText] {
    let guardrails = preset.guardrails
    var options = "--strategy \(preset.specification)"
    if guardrails.warmUp > .zero { options += " --warm-up \(QuantityText.wholeSeconds(guardrails.warmUp))" }
    if guardrails.grace > .zero { options += " --grace \(QuantityText.wholeSeconds(guardrails.grace))" }
    return [StyledText("--coach \(preset.rawValue)", .bold).cut(to: width)]
      + wrapped("It \(preset.summary).", width: width, indent: 2, hanging: 2).map { StyledText($0).cut(to: width) }
      + wrapped("The same as " + options, width: width, indent: 2, hanging: 4).map {
        StyledText($0, .dim).cut(to: width)
      }
  }

  private func block(of preset: StrategyPreset, width: Int) -> [StyledText] {
    [StyledText(preset.name, .bold).cut(to: width)]
      + wrapped(preset.summary + ".", width: width, indent: 2, hanging: 2).map { StyledText($0).cut(to: width) }
      + wrapped("The same as " + preset.specification, width: width, indent: 2, hanging: 4).map {
        StyledText($0, .dim).cut(to: width)
      }
  }

  private func block(of strategy: StrategyDescription, width: Int) -> [StyledText] {
    func paragraph(_ text: String, hanging: Int, _ style: Style) -> [StyledText] {
      wrapped(text, width: width, indent: 2, hanging: hanging).map { StyledText($0, style).cut(to: width) }
    }
    let values = strategy.parameters.map { "\($0.key)=\(Self.text($0.defaultValue))" }.joined(separator: ",")
    let name = StyledText(strategy.kind, .bold) + StyledText(values.isEmpty ? "" : ":" + values)
    let parameters = strategy.parameters.flatMap { parameter in
      paragraph(
        "\(parameter.key): \(parameter.meaning) (\(Self.text(parameter.range.lowerBound)) to "
          + "\(Self.text(parameter.range.upperBound))\(parameter.unit.isEmpty ? "" : " ")\(parameter.unit))",
        hanging: 4, .plain)
    }
    return [name.cut(to: width)] + paragraph(strategy.summary, hanging: 2, .plain) + parameters
      + paragraph("Source: " + strategy.source, hanging: 4, .dim)
  }

  private static func text(_ value: Double) -> String {
    QuantityText.number(value, decimals: value == value.rounded() ? 0 : 2)
  }
}
