@testable import LiveCoaching
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine

/// The zones by which a service says that it coaches.
struct RemoteZonesTests {
  /// What a service answers of a session with zones.
  private static func answer(_ zones: HeartRateZones, person: String? = nil) throws -> JSONValue {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("person", person)
      ZoneRecords.members(of: zones, to: &writer)
    }
    return try JSONValue.parse(writer.bytes.span)
  }

  private static func request(_ change: (inout CoachingRequest) -> Void) -> CoachingRequest {
    var request = CoachingRequest()
    request.target = "z3"
    change(&request)
    return request
  }

  private static let requests: [CoachingRequest] = [
    request { $0.profile.ageYears = 36 },
    request { $0.profile.maximumHeartRate = 191 },
    request {
      $0.profile.maximumHeartRate = 191
      $0.profile.restingHeartRate = 47
      $0.zoneModel = .heartRateReserve
    },
    request {
      $0.profile.thresholdHeartRate = 171
      $0.zoneModel = .percentOfThreshold(.frielRunning)
    },
    request {
      $0.profile.thresholdHeartRate = 168
      $0.profile.ageYears = 44
      $0.zoneModel = .percentOfThreshold(.coggan)
    },
    request { $0.zoneModel = .threeZone(first: 140, second: 163) },
    request { $0.zoneModel = .custom([95, 120, 140, 150, 170]) },
  ]

  @Test("A request of somebody else becomes one of the same zones, whatever the model", arguments: requests.indices)
  func followed(index: Int) throws {
    let decisive = try Self.requests[index].zones(on: nil)
    let zones = try #require(RemoteZones(Self.answer(decisive, person: "anna")))
    #expect(zones.person == "anna")
    #expect(zones.areSame(as: decisive))
    let own = Self.request { $0.profile.ageYears = 20 }
    #expect(!zones.areSame(as: try own.zones(on: nil)))
    let followed = try #require(zones.request(like: own, on: nil))
    let made = try followed.zones(on: nil)
    #expect(made.zones == decisive.zones)
    #expect(made.model.name == decisive.model.name)
    #expect(made.maximum?.beatsPerMinute == decisive.maximum?.beatsPerMinute)
    #expect(followed.target == own.target)
  }

  @Test("Zones that no person has are followed by no request, and an answer without zones says none")
  func impossible() throws {
    let zones = try #require(
      RemoteZones(
        try JSONValue.parse(
          Array(
            #"{"maximumHeartRate":184,"zoneModel":"percentOfMaximum","zones":[{"lowerBPM":1,"upperBPM":2}]}"#.utf8
          ).span)))
    #expect(zones.request(like: Self.requests[0], on: nil) == nil)
    #expect(zones.text == "1–2")
    #expect(RemoteZones(try JSONValue.parse(Array(#"{"zoneModel":"custom","zones":[]}"#.utf8).span)) == nil)
    #expect(RemoteZones(try JSONValue.parse(Array("{}".utf8).span)) == nil)
  }

  /// A service that answers the same to everything.
  private struct Answering: RemoteService {
    let answer: RemoteAnswer

    init(_ status: Int, _ text: String) { answer = RemoteAnswer(status: status, body: Array(text.utf8)) }

    func ask(_ path: String, body: [UInt8]?, type: String, key: String?) async throws(RemoteFailure) -> RemoteAnswer {
      guard path == "/v1/zones", body == nil else { throw RemoteFailure("asked for \(path)") }
      return answer
    }
  }

  @Test("Of a person of whom too little is known there are no zones; a refusal is no such person and says itself")
  func asked() async throws {
    let zones = try Self.requests[0].zones(on: nil)
    var writer = JSONWriter()
    writer.object { ZoneRecords.members(of: zones, to: &$0) }
    let said = String(decoding: writer.bytes, as: UTF8.self)
    let known = try await RemoteZones(ofWhoAsks: Answering(200, said))
    #expect(known?.areSame(as: zones) == true)
    for status in [404, 422] {
      let unknown = try await RemoteZones(ofWhoAsks: Answering(status, #"{"detail":"the age is missing"}"#))
      #expect(unknown == nil, "\(status)")
    }
    for status in [400, 401, 403, 429, 500, 503] {
      let refusal = await #expect(throws: RemoteFailure.self) {
        try await RemoteZones(ofWhoAsks: Answering(status, #"{"detail":"the token does not hold"}"#))
      }
      #expect(refusal?.description == "answered \(status): the token does not hold")
      #expect(refusal?.isRefusal == true)
    }
    for page in ["<html>", "{}"] {
      let unread = await #expect(throws: RemoteFailure.self) {
        try await RemoteZones(ofWhoAsks: Answering(200, page))
      }
      #expect(unread?.description == "answered what cannot be read")
    }
  }
}
