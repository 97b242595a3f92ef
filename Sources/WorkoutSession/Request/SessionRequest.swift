/// What a session is judged by, and who it is of.
package struct SessionRequest: Hashable, Sendable {
  /// What it is judged by.
  package var coaching: CoachingRequest
  /// The person; absent when nobody said who it is.
  package var person: SessionPerson?
  /// How the strategy was drawn; absent where it was chosen.
  package var randomization: Randomization?
  /// Whether somebody said what the person does: the label `other` is that of a session of which nobody did, too.
  package var isActivitySaid = false

  /// Whether it is known what the person does.
  package var statesActivity: Bool { isActivitySaid || coaching.activity != .unlabelled }

  /// Creates a request.
  package init(coaching: CoachingRequest, person: SessionPerson?) {
    self.coaching = coaching
    self.person = person
  }
}
