/// How long something takes as people write it: `90s`, `10m`, `1h30m`.
package enum DurationText {
  private static let units: [(letter: Character, seconds: Int)] = [("h", 3_600), ("m", 60), ("s", 1)]
  /// With more, a session time would not hold it.
  private static let mostDigits = 6

  /// The seconds of whole numbers of at most six digits, each followed by `h`, `m` or `s`, every letter at most once and in
  /// that order; `nil` for anything else, and for nothing.
  package static func seconds(_ text: String) -> Int? {
    var units = Self.units[...]
    var total = 0
    var digits = ""
    for character in text {
      if character.isASCII, character.isWholeNumber {
        digits.append(character)
        continue
      }
      guard digits.count <= mostDigits, let number = Int(digits),
        let index = units.firstIndex(where: { $0.letter == character })
      else { return nil }
      total += number * units[index].seconds
      units = units[(index + 1)...]
      digits = ""
    }
    return digits.isEmpty && !text.isEmpty ? total : nil
  }
}
