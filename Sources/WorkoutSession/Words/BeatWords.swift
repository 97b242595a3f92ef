package import ZoneEngine

/// The beats of a recording in sentences.
extension BeatReport {
  /// All intervals, then α1 of the windows, then what it suggests and how much that is worth.
  package var sentences: [String] { [spreadSentence] + [alpha1Sentence].compactMap(\.self) + thresholdSentences }

  /// `2,412 intervals, 1.2 % of the beats corrected; RMSSD 12.3 ms, SDNN 40.1 ms.`
  private var spreadSentence: String {
    let spread = [("RMSSD", whole.rmssdMilliseconds), ("SDNN", whole.sdnnMilliseconds)].compactMap { name, value in
      value.map { "\(name) \(QuantityText.number($0, decimals: 1)) ms" }
    }
    let corrected = QuantityText.number(whole.artefactPercent, decimals: 1)
    let head = "\(whole.count) intervals between beats, \(corrected) % of the beats corrected"
    return head + (spread.isEmpty ? "" : "; " + spread.joined(separator: ", ")) + "."
  }

  private var alpha1Sentence: String? {
    let values = points.compactMap(\.variability.alpha1)
    guard let smallest = values.min(), let largest = values.max(), let median = whole.alpha1 else { return nil }
    let numbers = [median, smallest, largest].map { QuantityText.signed($0, decimals: 2) }
    let count = values.count == 1 ? "1 window" : "\(values.count) windows"
    return "DFA-α1 \(numbers[0]) in the middle, \(numbers[1]) to \(numbers[2]), in \(count) of two minutes."
  }

  /// What the recording suggests; why not, where only too many artefacts keep it from that.
  private var thresholdSentences: [String] {
    let found = BeatThreshold.Level.allCases.map(threshold)
    if found.contains(.failure(.artefacts)) {
      let reason =
        whole.artefactShare > BeatVariability.largestArtefactShare
        ? "more than 3 % of the beats had to be corrected" : "they vary more than beats of a heart do"
      return ["Nothing is suggested of thresholds: \(reason)."]
    }
    return found.compactMap { try? $0.get().sentence }
  }
}

extension BeatThreshold {
  /// `A suggestion, which nothing takes by itself: …`.
  package var sentence: String {
    "A suggestion, which nothing takes by itself: α1 falls to \(QuantityText.number(level.alpha1, decimals: 2)) at "
      + "\(QuantityText.number(beatsPerMinute, decimals: 0)) bpm, near the \(level.rawValue) threshold. Weak support: "
      + "\(windows) windows, r² \(QuantityText.number(determination, decimals: 2)); it needs a steady rise of the effort, and "
      + "straps differ."
  }
}
