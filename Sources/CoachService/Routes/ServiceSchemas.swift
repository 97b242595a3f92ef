/// The schemas of bodies, in JSON Schema 2020-12.
enum ServiceSchemas {
  /// What a session is asked for.
  static let order = #"""
    {"type":"object","additionalProperties":false,"properties":{"person":{"type":"string","minLength":1},"profile":{"type":"object"},"zoneModel":{"type":"object"},"target":{"type":"string","minLength":1},"plan":{"type":"object"},"coach":{"type":"string"},"strategy":{"type":"object"},"guardrails":{"type":"object"},"ceiling":{"type":"object"},"activity":{"type":"string","minLength":1,"maxLength":40},"durationLimitSeconds":{"type":"number","minimum":1,"maximum":864000},"clock":{"enum":["samples","wall","auto"]}}}
    """#

  /// A command.
  static let command = #"""
    {"type":"object","additionalProperties":false,"required":["command"],"properties":{"type":{"const":"command"},"id":{"type":["string","integer"]},"issuedAt":{},"time":{"type":"string"},"atSeconds":{"type":"number"},"command":{"type":"string"},"target":{"type":"string"},"strategy":{}}}
    """#
}
