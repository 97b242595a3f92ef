/// How somebody wants to read and hear what the coach has to say. It changes no record.
package struct Preferences: Hashable, Sendable {
  /// The units of distances, paces and heights; absent where nothing is said.
  package var units: UnitSystem?
  /// The language of what is spoken; absent where nothing is said.
  package var language: SpokenLanguage?
  /// What is shown large on the screen of a running session, in its order; absent where nothing is said.
  package var fields: [LiveField]?

  /// Nothing is said.
  package init() {}
}

/// A language of what is spoken.
package enum SpokenLanguage: String, CaseIterable, Hashable, Sendable {
  /// English.
  case english = "en"
  /// German.
  case german = "de"
}
