@testable import CoachService
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("The description of the routes")
struct OpenAPITests {
  @Test("Every route that is no page is described with its parameters, its body and its answers")
  func routes() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let response = await harness.send("GET", "/openapi.json")
    #expect(response.status == 200)
    let document = try #require(response.json)
    #expect(document["openapi"]?.string == "3.1.0")
    for route in harness.service.routes.routes {
      let operation = document["paths"]?[route.pattern]?[route.method.rawValue.lowercased()]
      switch route.access {
      case .page, .signIn:
        #expect(operation == nil, "\(route.pattern)")
        continue
      case .everybody, .anybodyKnown, .scopes, .key: break
      }
      let name = "\(route.method.rawValue) \(route.pattern)"
      let names = operation?["parameters"]?.array?.compactMap { $0["name"]?.string } ?? []
      for parameter in route.parameters where parameter.isListed { #expect(names.contains(parameter.name), "\(name)") }
      for answer in route.answers { #expect(operation?["responses"]?["\(answer.status)"] != nil, "\(name)") }
      #expect((operation?["requestBody"] != nil) == (route.body != nil), "\(name)")
    }
    await harness.service.close()
  }

  @Test("Every schema and every example of JSON in the table is JSON")
  func schemas() throws {
    var texts = [ServiceSchemas.problem] + AnswerSchemas.all.map(\.text)
    for route in Service.allRoutes {
      texts += (route.parameters + route.headers).map(\.schema)
      if let schema = route.body?.schema { texts.append(schema) }
      if route.body?.describedTypes == ["application/json"], let example = route.body?.example { texts.append(example) }
      texts += route.answers.filter { $0.mediaType == "application/json" }.compactMap(\.example)
      texts += route.parts.filter { $0.hasPrefix("{") }.map { ServiceSchemas.pathPart(String($0)) }
    }
    for text in texts { #expect(throws: Never.self, "\(text)") { try JSONValue.parse(text) } }
  }

  @Test("Every path that is no page stands in the table of the documentation")
  func documented() throws {
    let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let bytes = try POSIXFile(reading: root + "/docs/http-api.md").readAll(maximumBytes: 1 << 20)
    let rows = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("|") }
    // A path of the table ends with a query, or where the code does.
    let paths = Set(rows.flatMap { $0.split { "`?, ".contains($0) } }.filter { $0.hasPrefix("/") }.map(String.init))
    for route in Service.allRoutes {
      switch route.access {
      case .page, .signIn: continue
      case .everybody, .anybodyKnown, .scopes, .key: #expect(paths.contains(route.pattern), "\(route.pattern)")
      }
    }
  }

  @Test("Every operation has a name of its own")
  func operationNames() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let paths = await harness.send("GET", "/openapi.json").json?["paths"]?.members ?? []
    let names = paths.flatMap { $0.value.members ?? [] }.compactMap { $0.value["operationId"]?.string }
    #expect(names.count > 20)
    #expect(Set(names).count == names.count)
    await harness.service.close()
  }
}
