/// What a session is judged by, and who it is of.
package struct SessionRequest: Hashable, Sendable {
  /// What it is judged by.
  package var coaching: CoachingRequest
  /// The person; absent when nobody said who it is.
  package var person: SessionPerson?
  /// How the strategy was drawn; absent where it was chosen.
  package var randomization: Randomization?

  /// Creates a request.
  package init(coaching: CoachingRequest, person: SessionPerson?) {
    self.coaching = coaching
    self.person = person
  }
}
