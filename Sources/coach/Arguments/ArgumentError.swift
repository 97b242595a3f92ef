internal import TextFormats
import WorkoutSession

/// Why a command line cannot be understood. Its description is one line, whatever was typed.
enum ArgumentError: Error, Equatable, Sendable {
  /// No verb, or only the first word of a family of verbs.
  case missingVerb(family: String?)
  case unknownVerb(String, suggestion: String?)
  /// An option that the verb does not have; without a verb when it stands before one.
  case unknownOption(String, verb: String?, suggestion: String?)
  case missingValue(flag: String, placeholder: String)
  /// A value for an option that takes none.
  case unexpectedValue(flag: String)
  /// A text that is no value of the option or the operand.
  case unusableValue(name: String, text: String, ValueProblem)
  case repeatedOption(flag: String)
  case missingOperand(placeholder: String, verb: String)
  case unexpectedOperand(String, verb: String?, suggestion: String?)

  /// How the process ends.
  var exitCode: ExitCode { .usage }
}

extension ArgumentError: CustomStringConvertible {
  var description: String { "coach: \(problem)" }

  private var problem: String {
    switch self {
    case .missingVerb(let family?):
      "\(family): expected a verb after \(quoted(family)); coach \(family) --help lists them"
    case .missingVerb(nil):
      "expected a verb; coach --help lists them"
    case .unknownVerb(let name, let suggestion):
      "unknown verb \(quoted(name))" + meant(suggestion, otherwise: "coach --help lists the verbs")
    case .unknownOption(let option, let verb?, let suggestion):
      "\(verb): unknown option \(quoted(option))" + meant(suggestion, otherwise: "coach \(verb) --help lists them")
    case .unknownOption(let option, nil, let suggestion):
      "expected a verb before \(quoted(option))" + meant(suggestion, otherwise: "coach --help lists the verbs")
    case .missingValue(let flag, let placeholder):
      "\(flag): expected a value, \(flag) \(placeholder)"
    case .unexpectedValue(let flag):
      "\(flag): expected no value"
    case .unusableValue(let name, let text, let problem):
      "\(name): expected \(problem.expected), found \(quoted(text))" + meant(problem.suggestion, otherwise: nil)
    case .repeatedOption(let flag):
      "\(flag): given twice"
    case .missingOperand(let placeholder, let verb):
      "\(verb): expected \(placeholder); coach \(verb) --help explains it"
    case .unexpectedOperand(let word, let verb, let suggestion):
      (verb.map { "\($0): " } ?? "") + "unexpected argument \(quoted(word))" + meant(suggestion, otherwise: nil)
    }
  }

  private func meant(_ suggestion: String?, otherwise advice: String?) -> String {
    if let suggestion { return "; did you mean \(suggestion)?" }
    return advice.map { "; \($0)" } ?? ""
  }
}

/// A text in quotation marks, of which everything is visible, and at most 80 characters long.
func quoted(_ text: String) -> String {
  let beginning = String(text.unicodeScalars.prefix(80)).visible
  return "\"\(beginning)\(text.unicodeScalars.dropFirst(80).isEmpty ? "" : "…")\""
}
