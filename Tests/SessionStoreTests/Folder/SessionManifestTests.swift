import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

private func problem(_ text: String) -> String? {
  do throws(JSONError) {
    _ = try SessionManifest(json: text.utf8.span)
    return nil
  } catch {
    return "\(error.path): \(error.explanation)"
  }
}

private func manifest(_ request: CoachingRequest, durationLimit: SessionTime? = nil) -> SessionManifest {
  SessionManifest(
    sessionID: "20261120T070000Z-running-00000001", start: .morning(0.25), utcOffsetSeconds: -12_600, request: request,
    streams: [.heartRate, .motion], durationLimit: durationLimit)
}

@Suite("Session manifest")
struct SessionManifestTests {
  @Test("What is written is read back, for every kind of request", arguments: try CoachingRequest.examples())
  func roundTrip(request: CoachingRequest) throws {
    let written = manifest(request, durationLimit: at(1_800.5))
    let bytes = try written.json()
    let read = try SessionManifest(json: bytes.span)
    #expect(read.request == written.request)
    #expect(read.sessionID == written.sessionID)
    #expect(read.start == written.start)
    #expect(read.utcOffsetSeconds == -12_600)
    #expect(read.streams == [.heartRate, .motion])
    #expect(read.durationLimit == at(1_800.5))
    #expect(read.programVersion == Program.version)
    #expect(try read.json() == bytes)
    #expect(try read.settings() == written.settings())
  }

  @Test("A birth date becomes the age on the day at the place of the session")
  func birthDate() throws {
    var request = try CoachingRequest.runner()
    request.profile.ageYears = nil
    request.profile.birthDate = CivilDate(year: 1990, month: 11, day: 20)
    #expect(manifest(request).request.profile.ageYears == 36)
    let evening = SessionManifest(
      sessionID: "x", start: .morning(), utcOffsetSeconds: -8 * 3_600, request: request, streams: [],
      durationLimit: nil)
    #expect(evening.request.profile.ageYears == 35)
    #expect(try evening.settings().zones.maximum?.beatsPerMinute == 185)
  }

  @Test("A newer version is refused with both numbers")
  func newerVersion() throws {
    let text = String(decoding: try manifest(.runner()).json(), as: UTF8.self)
    #expect(problem(text) == nil)
    #expect(
      problem(text.replacing(#""version": 1,"#, with: #""version": 2,"#))
        == "version: expected version 1, the newest that is known, found 2")
  }

  @Test("An unknown key is refused with its path, and a likely one is proposed")
  func unknownKeys() throws {
    let text = String(decoding: try manifest(.runner()).json(), as: UTF8.self)
    #expect(
      problem(text.replacing(#""ageYears""#, with: #""ageYear""#))
        == #"profile.ageYear: unknown key, expected one of "ageYears", "birthDate", "sex", "weightKilograms", "#
        + #""restingHeartRate", "maximumHeartRate", "maximumHeartRateOrigin", "thresholdHeartRate"; "#
        + #"did you mean "ageYears"?"#)
    #expect(
      problem(text.replacing(#""activity""#, with: #""activities""#))?.hasPrefix("activities: unknown key") == true)
    #expect(
      problem(text.replacing(#""every""#, with: #""each""#))?.hasPrefix("strategy.each: unknown key, expected one of")
        == true)
    #expect(
      problem(text.replacing(#""name": "coach""#, with: #""title": "coach""#))
        == "program.name: missing, expected a string that is not empty")
    #expect(
      problem(text.replacing(#""motion""#, with: #""power""#))
        == #"streams[1]: expected the name of a stream, found "power""#)
    #expect(
      problem(text.replacing(#""type": "session""#, with: #""type": "zones""#))
        == #"type: expected one of "session", found "zones""#)
  }

  @Test("A manifest cut or changed anywhere is an error, never a crash", arguments: 1...4 as ClosedRange<UInt64>)
  func damage(seed: UInt64) throws {
    let bytes = try manifest(.runner()).json()
    // Only the end of the line may be missing.
    for cut in 0..<bytes.count - 1 {
      #expect(throws: JSONError.self, "cut at \(cut)") { try SessionManifest(json: bytes.span.extracting(first: cut)) }
    }
    var dice = Dice(seed: seed)
    for _ in 0..<300 {
      var changed = bytes
      changed[dice.whole(0...bytes.count - 1)] = UInt8(dice.whole(0...255))
      if let read = try? SessionManifest(json: changed.span) { _ = try? read.settings() }
    }
  }
}
