internal import ActivityRecognition
internal import TextFormats
internal import WorkoutSession

/// By which of the models of the service a file that is sent is recognised, as its query says.
struct UploadedRecognition: Sendable {
  /// The parameters of the query, each the name of an option of the verbs.
  static let names = ["recognize", "auto-pause"]

  private let model: SharedModel
  /// Whether the session pauses while somebody stands still; absent for as usual.
  private let pausesWhenStill: Bool?

  /// Reads a query; `nil` where nothing is to be recognised.
  ///
  /// - Parameter models: those that the service has.
  /// - Throws: `ServiceProblem` with the parameter that is wrong.
  init?(_ call: ServiceCall, _ models: [SharedModel]) throws(ServiceProblem) {
    switch call.parameter("auto-pause") {
    case nil: pausesWhenStill = nil
    case "true"?: pausesWhenStill = true
    case "false"?: pausesWhenStill = false
    case _?: throw .parameter("auto-pause", expected: "true or false")
    }
    guard let name = call.parameter("recognize") else {
      guard pausesWhenStill == nil else { throw .parameter("auto-pause", expected: "recognize beside it") }
      return nil
    }
    guard let model = models.first(where: { $0.name == name }) else {
      var problem = ServiceProblem.missingModel(among: models)
      problem.parameter = "recognize"
      throw problem
    }
    guard model.activities.hasStillAndMoving || pausesWhenStill != true else {
      throw .parameter("auto-pause", "the model cannot say that somebody stands still: expected false")
    }
    self.model = model
  }

  /// The options of the verb that do it.
  var options: [String] {
    ["--recognize=\(ProgramComplaint.model)"]
      + (pausesWhenStill.map { [$0 ? "--auto-pause" : "--no-auto-pause"] } ?? [])
  }

  /// What the verb is given beside its file, and beside a plan.
  ///
  /// - Throws: `FileError` when the file of the model cannot be made.
  func beside(plan: [UInt8]?, _ files: ModelFiles) throws(FileError) -> ProgramRunner.Beside {
    ProgramRunner.Beside(
      files: [.bytes(plan ?? []), .shared(try files.file(of: model))],
      environment: ["\(SharedModel.nameVariable)=\(model.name)"])
  }
}
