internal import ActivityRecognition
internal import WorkoutSession

extension ServiceSessions {
  /// The models that are known here, and that of the database with which a session began that goes on here.
  ///
  /// - Parameter recorded: with what it recognised before; absent where it has not begun.
  /// - Throws: `ServiceProblem` where no instance has it and the database neither: it goes on when one has. What the database throws.
  func models(for order: SessionOrder, recorded: RecognitionFacts?) async throws -> [SharedModel] {
    let known = settings.models
    guard let fleet, let name = order.model,
      !known.contains(where: { $0.name == name && (recorded.map(\.sha256) ?? $0.hash) == $0.hash })
    else { return known }
    guard let model = try await fleet.model(named: name, hash: recorded?.sha256) else {
      throw ServiceProblem.modelMissing
    }
    return [model] + known
  }

  /// The model with which a session recognised that is over; `nil` where it is neither here nor in the database.
  ///
  /// - Throws: what the database throws.
  func model(of recorded: RecognitionFacts) async throws -> SharedModel? {
    if let known = settings.models.first(where: { $0.hash == recorded.sha256 }) { return known }
    return try await fleet?.model(named: recorded.model, hash: recorded.sha256)
  }
}

extension ServiceProblem {
  /// The model with which a session began is at no instance that was asked, and in no database.
  static let modelMissing = ServiceProblem.unavailable(
    "the model with which the session began is not at this instance: expected one that was started with it",
    retryAfterSeconds: 30)
}

extension ServiceProblem {
  /// That the service has no model of a name.
  static func missingModel(among models: [SharedModel]) -> ServiceProblem {
    let names = models.map(\.name).sorted().joined(separator: ", ")
    return ServiceProblem(
      .notFound,
      "no model of this name: expected "
        + (names.isEmpty ? "a service that was started with --recognize" : "one of \(names)"))
  }
}
