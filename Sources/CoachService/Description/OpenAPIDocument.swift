internal import TextFormats

/// The description of all routes for programs, as OpenAPI 3.1. It is made from the route table, so that nothing can be
/// missing in it. Pages for people are left out.
struct OpenAPIDocument {
  private let routes: [Route]
  private let url: String

  init(_ table: RouteTable, url: String) {
    routes = table.routes.filter { route in
      switch route.access {
      case .page, .signIn: false
      case .everybody, .anybodyKnown, .scopes, .key: true
      }
    }
    self.url = url
  }

  /// The document.
  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("openapi", "3.1.0")
      writer.object("info") { writer in
        writer.member("title", "coach")
        writer.member("version", "1")
        writer.member("description", "Heart rates in, cues and history out.")
        writer.object("license") { writer in
          writer.member("name", "Apache 2.0")
          writer.member("identifier", "Apache-2.0")
        }
      }
      writer.array("servers") { writer in writer.object { $0.member("url", url) } }
      writer.object("paths") { writer in
        for pattern in patterns {
          writer.object(JSONKey(pattern)) { writer in
            for route in routes where route.pattern == pattern { Self.write(route, to: &writer) }
          }
        }
      }
      writer.object("components", Self.writeComponents)
    }
    writer.endLine()
    return writer.bytes
  }

  /// The paths, each once, in the order of the table.
  private var patterns: [String] {
    routes.reduce(into: []) { if !$0.contains($1.pattern) { $0.append($1.pattern) } }
  }

  // MARK: - Operations

  private static func write(_ route: Route, to writer: inout JSONWriter) {
    writer.object(JSONKey(route.method.rawValue.lowercased())) { writer in
      writer.member("operationId", operationID(of: route))
      writer.member("summary", route.summary)
      writer.array("security") { writer in
        guard let scopes = scopes(of: route) else { return }
        writer.object { writer in writer.array("token") { writer in for scope in scopes { writer.value(scope) } } }
      }
      writer.array("parameters") { writer in writeParameters(of: route, to: &writer) }
      if let body = route.body { writer.object("requestBody") { write(body, to: &$0) } }
      writer.object("responses") { writer in writeResponses(of: route, to: &writer) }
    }
  }

  /// Words of the method and of the path, such as `getSessionsIdEvents`.
  private static func operationID(of route: Route) -> String {
    let words = route.pattern.split { !$0.isLetter && !$0.isNumber }.filter { $0 != "v1" }
    return route.method.rawValue.lowercased() + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// The scopes of which one is needed; `nil` where nobody has to say who it is.
  private static func scopes(of route: Route) -> [String]? {
    switch route.access {
    case .scopes(let scopes): scopes.map(\.rawValue)
    case .anybodyKnown: []
    case .everybody, .key, .page, .signIn: nil
    }
  }

  private static func writeParameters(of route: Route, to writer: inout JSONWriter) {
    for part in route.parts where part.hasPrefix("{") {
      let name = String(part.dropFirst().dropLast())
      write(
        QueryParameter(name, ServiceSchemas.pathPart(name), ServiceSchemas.meaning(ofPathPart: name), isRequired: true),
        in: "path", to: &writer)
    }
    for parameter in route.parameters where parameter.isListed { write(parameter, in: "query", to: &writer) }
    for header in route.headers { write(header, in: "header", to: &writer) }
  }

  private static func write(_ parameter: QueryParameter, in place: String, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", parameter.name)
      writer.member("in", place)
      writer.member("description", parameter.summary)
      writer.member("required", parameter.isRequired)
      writer.member("schema", json(parameter.schema))
    }
  }

  private static func write(_ body: RouteBody, to writer: inout JSONWriter) {
    writer.member("required", true)
    writer.object("content") { writer in
      for type in body.describedTypes {
        writer.object(JSONKey(type)) { writer in
          guard type != lines else {
            // Each line is what the schema of JSON says; programs that make examples cannot make lines of them.
            return writer.object("schema") { writer in
              writer.member("type", "string")
              writer.member("description", "a JSON object a line, such as " + (body.example ?? "{}"))
            }
          }
          writer.member("schema", body.schema.map(json) ?? JSONValue(.object([])))
          writeExample(body.example, of: type, to: &writer)
        }
      }
    }
  }

  private static let lines = "application/x-ndjson"

  // MARK: - Answers

  private static func writeResponses(of route: Route, to writer: inout JSONWriter) {
    var statuses: [Int] = []
    for answer in route.answers where !statuses.contains(answer.status) { statuses.append(answer.status) }
    for status in statuses {
      let answers = route.answers.filter { $0.status == status }
      writer.object(JSONKey("\(status)")) { writer in
        writer.member("description", answers.first?.summary)
        guard answers.contains(where: { $0.mediaType != nil }) else { return }
        writer.object("content") { writer in
          for answer in answers {
            guard let type = answer.mediaType else { continue }
            writer.object(JSONKey(type)) { writer in
              // That of lines is of each line.
              if let schema = answer.schema { writer.member("schema", json(schema.reference)) }
              writeExample(answer.example, of: type, to: &writer)
            }
          }
        }
      }
    }
    for status in problems(of: route) where !statuses.contains(status) {
      writer.object(JSONKey("\(status)")) { $0.member("$ref", "#/components/responses/Problem\(status)") }
    }
  }

  private static func problems(of route: Route) -> [Int] {
    let always = [400, 413, 421, 431, 503]
    let known = [401, 403, 404, 406, 409, 422, 429]
    switch route.access {
    case .everybody, .page, .signIn: return (always + (route.acceptableTypes == nil ? [] : [406])).sorted()
    case .anybodyKnown, .scopes, .key: return (always + known + (route.body == nil ? [] : [415])).sorted()
    }
  }

  private static func writeExample(_ example: String?, of type: String, to writer: inout JSONWriter) {
    guard let example else { return }
    if type == "application/json", let value = try? JSONValue.parse(example) {
      writer.member("example", value)
    } else {
      writer.member("example", example)
    }
  }

  private static func writeComponents(to writer: inout JSONWriter) {
    writer.object("securitySchemes") { writer in
      writer.object("token") { writer in
        writer.member("type", "http")
        writer.member("scheme", "bearer")
        writer.member("description", "A token of `coach token create`, or of POST /v1/tokens.")
      }
    }
    writer.object("schemas") { writer in
      for schema in AnswerSchemas.all { writer.member(JSONKey(schema.name), json(schema.text)) }
      writer.member("Problem", json(ServiceSchemas.problem))
    }
    writer.object("responses") { writer in
      let statuses = Set(ServiceProblem.Code.allCases.map(\.status))
      for status in statuses.sorted() {
        let codes = ServiceProblem.Code.allCases.filter { $0.status == status }
        writer.object(JSONKey("Problem\(status)")) { writer in
          writer.member("description", codes.map { "\($0.title) (`\($0.rawValue)`)" }.joined(separator: ", "))
          writer.object("content") { writer in
            writer.object("application/problem+json") { writer in
              writer.object("schema") { $0.member("$ref", "#/components/schemas/Problem") }
            }
          }
        }
      }
    }
  }

  /// A schema of the table as a value; a test parses all of them.
  private static func json(_ text: String) -> JSONValue { (try? JSONValue.parse(text)) ?? JSONValue(.object([])) }
}

/// The description of the service.
enum DescriptionRoutes {
  static let all = [description]

  static let description = Route(
    .get, "/openapi.json", .everybody, "This description.",
    answers: [RouteAnswer(200, "application/json", "OpenAPI 3.1.", schema: AnswerSchemas.description)]
  ) { call in .json(200, OpenAPIDocument(call.service.routes, url: call.service.url).bytes) }
}
