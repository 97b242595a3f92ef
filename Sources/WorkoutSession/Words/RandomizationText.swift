/// How people are informed of a session whose strategy was drawn, after its end.
package enum RandomizationText {
  /// A part of a sentence, such as “drawn as arm 'A' of the study 'pilot' (probability 0.667, draw 3)”.
  package static func words(for drawn: Randomization) -> String {
    let arm = drawn.drawnArm
    let probability = QuantityText.number(arm.probability, decimals: 3)
    let heard = drawn.loop == .open ? "; imported, so that nobody heard its cues" : ""
    return "drawn as arm '\(arm.name)' of the study '\(drawn.design.study)' "
      + "(probability \(probability), draw \(drawn.position)\(heard))"
  }
}
