import TextFormats
import WorkoutExports
import WorkoutSession
import ZoneEngine

/// `coach plan export`: a plan as a workout.
enum PlanExportCommand {
  /// Writes the plan.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    let text = parsed[Operands.plan]
    guard let format = parsed[ExportOptions.formatOfPlan] else {
      throw CommandFailure("plan export: expected --as fit for a workout, or --as json for a plan file", .usage)
    }
    let plan = try RequestOptions.plan(text, of: "plan export")
    let output = try ExportOutput(parsed, console, format: format.rawValue, isBinary: format.isBinary)
    guard format == .fit else {
      // What nobody could run is no plan file. Who runs it need not be known.
      let zones = try zones(of: plan, parsed, standingIn: true)
      if let (step, problem) = plan.firstProblem(where: { $0.problem(in: zones) }) {
        throw CommandFailure("\(text): step \(step): \(problem)", .unusableData)
      }
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("version", 1)
        plan.write(to: &writer)
      }
      writer.endLine()
      return try output.write { try $0(writer.bytes.span) }.1
    }
    let zones = try zones(of: plan, parsed, standingIn: false)
    let name = try name(of: text)
    do {
      let status = try output.write { sink in
        try FITWorkoutFile.write(plan, in: zones, name: name, to: sink)
      }.1
      for loss in FITWorkoutFile.losses(of: plan) { console.complain("\(text): \(loss)") }
      return status
    } catch let error as WorkoutFileError {
      throw CommandFailure("\(text): \(error)", .unusableData)
    }
  }

  /// The zones in which the targets of a plan are read. Where none needs any, no person is needed either: one zone of every heart
  /// rate stands for theirs.
  ///
  /// - Parameter standingIn: whether somebody stands in where nobody is named: which zones a model has is the same for all.
  private static func zones(
    of plan: PlanRequest, _ parsed: ParsedArguments, standingIn: Bool
  ) throws -> HeartRateZones {
    guard plan.steps.contains(where: { $0.target?.needsZones ?? false }) else {
      return try HeartRateZones(model: .custom(boundsBPM: [20, 250]), maximum: nil)
    }
    var request = try SessionRequestOptions(parsed).on(nil).coaching
    if standingIn, request.profile.birthDate == nil, request.profile.ageYears == nil {
      request.profile.maximumHeartRate = request.profile.maximumHeartRate ?? standIn
    }
    return try RequestOptions.zones(request, on: nil)
  }

  /// The maximum heart rate of who stands in.
  private static let standIn = 190

  /// What a watch calls the workout: the name of the file or of the ready plan.
  ///
  /// - Throws: `FileError` when it cannot be found out whether it is a file.
  private static func name(of text: String) throws(FileError) -> String {
    let isPath = try RequestOptions.isPath(text)
    guard isPath || ReadyPlan(rawValue: text) != nil else { return "coach" }
    let file = FileSystem.name(of: text)
    return file.split(separator: ".").first.map(String.init) ?? "coach"
  }
}

extension TargetRequest {
  /// What is wrong with it in some zones; `nil` where they have it.
  fileprivate func problem(in zones: HeartRateZones) -> ZoneError? {
    do throws(ZoneError) {
      _ = try target(in: zones)
      return nil
    } catch {
      return error
    }
  }
}
