package import TextFormats
package import WorkoutSession
package import ZoneEngine

/// A session written down with what must come of it: who runs, what is asked for, what arrives, and what is expected.
///
/// The format is described in `scenarios/README.md`. Reading is strict: an unknown or a duplicate key, a newer version,
/// a name that differs from the file's, an impossible value and a scenario that expects nothing are errors with the
/// path of what is wrong.
package struct Scenario: Sendable {
  /// The version of the format.
  package static let version = 1
  /// The largest file that is read, in bytes.
  static let largestFile = 16 << 20

  /// The name, which is that of the file without `.json`.
  package let name: String
  /// What happens and how the expected values were worked out.
  package let description: String
  /// Where the situation comes from.
  package let source: String
  /// The day of the session, where the age has to follow from a day of birth.
  package let date: CivilDate?
  /// The runner, the zones, the target or plan, the strategy and the guardrails.
  package let request: CoachingRequest
  /// The settings that the request comes to.
  package let settings: CoachingSettings
  /// The active time after which the session ends by itself.
  package let durationLimit: SessionTime?
  /// What arrives, in the order in which it does.
  package let arrivals: [ScenarioArrival]

  let expectations: ScenarioExpectations

  /// Reads a scenario and the CSV files beside it that it names.
  package init(path: String) throws(ScenarioError) {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try POSIXFile(reading: path).readJSON(maximumBytes: Self.largestFile)
    } catch {
      throw ScenarioError(path: path, .file(error))
    }
    do throws(JSONError) {
      try self.init(json: bytes.span, name: Self.name(ofFile: path), folder: FileSystem.folder(of: path))
    } catch {
      throw ScenarioError(path: path, .content(error))
    }
  }

  /// Reads a scenario from its text. CSV files are looked for in `folder`.
  ///
  /// - Throws: `JSONError` when the text is no scenario, or not the one of that name.
  package init(json bytes: Span<UInt8>, name expectedName: String, folder: String) throws(JSONError) {
    let document = try JSONValue.parse(bytes)
    var reader = try JSONObjectReader(document)
    try reader.requireVersion(Self.version)
    name = try reader.required("name", .nonEmptyString)
    guard name == expectedName else {
      throw reader.error(
        .notAllowed(JSONError.quoted(name)), expected: "the name of the file, \"\(expectedName)\"", about: "name")
    }
    description = try reader.required("description", .nonEmptyString)
    source = try reader.required("source", .nonEmptyString)
    date = try reader.optional("date", .date)
    request = try CoachingRequest(members: &reader)
    try CoachingRequest.requireOneAge(in: reader)
    settings = try Self.settings(of: request, on: date, reader, plan: document["plan"])
    durationLimit = try reader.optional("durationLimitSeconds", .seconds(1, ScenarioInputReader.longestSeconds))
    let parts = try reader.required(
      "input", .array(of: .any, count: 1...ScenarioInputReader.largestPartCount))
    var input = ScenarioInputReader(folder: folder, zones: settings.zones)
    try input.read(parts, at: reader.path.appending(key: "input"))
    arrivals = input.queue.ordered()
    let bands = settings.zones.bands.map(\.description)
    expectations = try reader.required("expect", ScenarioExpectations.field(bands: bands))
    try reader.finish()
  }

  /// The name that a scenario in a file has to have.
  static func name(ofFile path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return file.hasSuffix(".json") ? String(file.dropLast(".json".count)) : file
  }

  /// What the request comes to; an error names the member to blame.
  private static func settings(
    of request: CoachingRequest, on date: CivilDate?, _ reader: JSONObjectReader, plan: JSONValue?
  ) throws(JSONError) -> CoachingSettings {
    let zones: HeartRateZones
    do throws(ZoneError) {
      zones = try request.zones(on: date)
    } catch {
      let key = reader.has("zoneModel") ? "zoneModel" : "profile"
      throw reader.error(.notAllowed("that \(error)"), expected: "zones that can be made", about: key)
    }
    let places = plan.map { PlanRequest.targetPlaces(in: $0, at: reader.path.appending(key: "plan")) } ?? []
    for (step, place) in zip(request.plan?.steps ?? [], places) {
      guard let target = step.target else { continue }
      do throws(ZoneError) {
        _ = try target.target(in: zones)
      } catch {
        throw JSONError(error, expected: "a target in the zones", at: place.position, path: place.path)
      }
    }
    do throws(ZoneError) {
      return try request.settings(on: date)
    } catch {
      let key = request.plan == nil && request.target != nil ? "target" : "profile"
      throw reader.error(error, expected: "a request that can be met", about: key)
    }
  }
}
