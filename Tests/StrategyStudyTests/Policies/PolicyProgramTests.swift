import Foundation
import OutsidePolicies
import StrategyStudy
import Testing
import ZoneEngine

/// The lines of a shell that answers every question alike; `$1` is what it says.
private let answers = """
  while read -r line; do
    case $line in *'"type":"question"'*)
      runner=${line#*'"runner":'}; number=${line#*'"question":'}
      echo '{"type":"answer","runner":'"${runner%%,*}"',"question":'"${number%%,*}"',"say":"SAY"}';;
    esac
  done
  """

@Suite("A program that stands in place of a strategy")
struct PolicyProgramTests {
  private let fixture: PolicyFixture

  init() throws { fixture = try PolicyFixture() }

  @Test(
    "Says each cue, or silence",
    arguments: [
      ("speedUp", Decision.Outcome.cue(.speedUp)), ("hold", .cue(.hold)), ("slowDown", .cue(.slowDown)),
      ("silence", .withheld(.silent)),
    ])
  func says(word: String, outcome: Decision.Outcome) throws {
    let run = try AskedRun(fixture.shell(answers.replacing("SAY", with: word)))
    #expect(run.answers == Array(repeating: outcome, count: 9))
    #expect(run.failure == nil)
  }

  @Test(
    "That breaks the protocol is given up with one line that names runner and second",
    arguments: [
      ("read -r s; read -r h; read -r q; echo garbage; sleep 9", "its answer:", Int32(65)),
      (
        #"read -r s; read -r h; read -r q; echo '{"type":"answer","runner":7,"question":2,"say":"hold"}'; sleep 9"#,
        "question 2 of runner 7: expected one to question 1", 65
      ),
      (
        #"read -r s; read -r h; read -r q; echo '{"type":"answer","runner":8,"question":1,"say":"hold"}'; sleep 9"#,
        "runner 8", 65
      ),
      (
        #"read -r s; read -r h; read -r q; echo '{"type":"answer","runner":7,"question":1,"say":"run"}'; sleep 9"#,
        "say: ", 65
      ),
      (
        #"read -r s; read -r h; read -r q; echo '{"type":"answer","runner":7,"question":1,"say":"hold","why":1}'; sleep 9"#,
        "why", 65
      ),
      (
        "read -r s; read -r h; read -r q; head -c 100000 /dev/zero | tr '\\0' x; sleep 9",
        "a line of more than 4096 bytes", 65
      ),
      ("read -r s; read -r h; read -r q; printf '\\0\\377\\n'; sleep 9", "its answer:", 65),
      ("read -r s; read -r h; read -r q; echo 'no luck today' >&2; exit 3", "exit status 3 (no luck today)", 69),
      ("kill -SEGV $$", "signal 11", 69),
      ("exec >&-; sleep 9", "it closed its standard output", 69),
      ("exec sleep 9", "no answer within 0.4 s", 69),
      ("while :; do read -r x || exit; done", "no answer within 0.4 s", 69),
    ])
  func breaks(body: String, words: String, code: Int32) throws {
    let begin = Date()
    let run = try AskedRun(fixture.shell(body), seconds: 0.4)
    let failure = try #require(run.failure)
    #expect("\(failure)".contains("runner 7, second 60: "), "\(failure)")
    #expect("\(failure)".contains(words), "\(failure)")
    #expect(!"\(failure)".contains("\n"))
    #expect(failure.exitCode == code)
    // Nothing else is asked, and nothing waits.
    #expect(run.answers == Array(repeating: .withheld(.unanswered), count: 9))
    #expect(Date().timeIntervalSince(begin) < 8)
  }

  @Test("That closes its standard input is given up at the next question, by what it closed")
  func closesInput() throws {
    let answer = #"{"type":"answer","runner":7,"question":1,"say":"silence"}"#
    let run = try AskedRun(
      fixture.shell("read -r s; read -r h; read -r q; exec <&-; echo '\(answer)'; sleep 9"), seconds: 5)
    let failure = try #require(run.failure)
    #expect("\(failure)".hasSuffix("runner 7, second 120: it closed its standard input"), "\(failure)")
    #expect(failure.exitCode == 69)
  }

  @Test("That writes more than it was asked for is given up at the next question")
  func unsolicited() throws {
    let twice = answers.replacing("SAY", with: "hold").replacing(";;", with: "; echo more;;")
    let run = try AskedRun(fixture.shell(twice))
    let failure = try #require(run.failure)
    #expect("\(failure)".contains("runner 7, second 120: "), "\(failure)")
    #expect(failure.exitCode == 65)
  }

  @Test("Whose child holds its standard output is known to have ended before its time is up")
  func childHoldsOutput() throws {
    let begin = Date()
    let run = try AskedRun(
      fixture.shell("read -r s; read -r h; read -r q; sleep 30 & echo bye >&2; exit 5"), seconds: 20)
    let failure = try #require(run.failure)
    #expect("\(failure)".hasSuffix("runner 7, second 60: it ended with exit status 5 (bye)"), "\(failure)")
    #expect(Date().timeIntervalSince(begin) < 15)
  }

  @Test("Whose last line comes before it ends is heard, though its child holds its standard output")
  func lastLineOfWhoEnds() throws {
    let run = try AskedRun(
      fixture.shell(
        #"read -r s; read -r h; read -r q; sleep 30 & echo '{"type":"answer","runner":7,"question":1,"say":"hold"}'; exit 5"#
      ),
      seconds: 20)
    #expect(run.answers.first == .cue(.hold))
    #expect("\(try #require(run.failure))".contains("runner 7, second 120: it ended with exit status 5"))
  }

  @Test(
    "That writes behind its last answer what nobody asked for is given up, with the second of that",
    arguments: [
      // At its last question, at the end of the session, and when its input ends.
      answers.replacing("SAY", with: "hold").replacing(
        ";;", with: #"; case $line in *'"question":9,'*) sleep 0.2; echo more;; esac;;"#),
      answers.replacing("SAY", with: "hold").replacing(
        "case $line in *", with: #"case $line in *'"type":"end"'*) sleep 0.2; echo '{"type":"bye"}';; *"#),
      answers.replacing("SAY", with: "hold") + "\necho done",
    ])
  func behindTheLast(body: String) throws {
    let text = try fixture.shell(body)
    for isLast in [false, true] {
      let policies = try Policies([text], seed: 1, seconds: 5)
      let settings = try AskedRun.settings(policies.strategy(text))
      let (asked, _) = try AskedRun.ask(policies, about: 7, until: 545, settings)
      var failure: PolicyError?
      if isLast {
        failure = #expect(throws: PolicyError.self) { try asked.end(isLast: true) }
      } else {
        policies.end(asked, of: 7)
        failure = policies.finish()?.error
      }
      #expect(failure?.exitCode == 65)
      #expect(
        "\(try #require(failure))".hasSuffix("runner 7, second 540: it wrote a line that nobody asked for"),
        "\(String(describing: failure))")
    }
  }

  @Test("That writes behind the end of a session what nobody asked for is given up by that session, not by the next")
  func behindTheSessionBefore() throws {
    let written = fixture.path("written")
    let text = try fixture.shell(
      answers.replacing("SAY", with: "hold").replacing(
        "case $line in *",
        with: #"case $line in *'"type":"end"'*) sleep 0.2; echo '{"type":"bye"}'; echo >>'\#(written)';; *"#))
    let policies = try Policies([text], seed: 1, seconds: 5)
    defer { policies.end() }
    let settings = try AskedRun.settings(policies.strategy(text))
    for runner in [7, 8] {
      let (asked, _) = try AskedRun.ask(policies, about: runner, until: 65, settings)
      policies.end(asked, of: runner)
      guard runner == 7 else { continue }
      #expect(PolicyFixture.eventually { FileManager.default.fileExists(atPath: written) }, "it writes at the end")
    }
    let failure = try #require(policies.failure)
    #expect(failure.runner == 7)
    #expect(
      "\(failure.error)".hasSuffix("runner 7, second 60: it wrote a line that nobody asked for"), "\(failure.error)")
  }

  @Test(
    "A line behind a session that comes when the next one is asked is that of the runner whom it names, as far as it can be",
    arguments: [
      (
        [7, 8], #"{"type":"answer","runner":7,"question":2,"say":"hold"}"#, 7,
        "runner 7, second 120: another answer to question 2, found when runner 8 was asked"
      ),
      (
        [7, 7], #"{"type":"answer","runner":7,"question":2,"say":"hold"}"#, 7,
        "runner 7, second 120: another answer to question 2, found when runner 7 was asked"
      ),
      // No session before had such a question.
      (
        [7, 8], #"{"type":"answer","runner":7,"question":3,"say":"hold"}"#, 8,
        "runner 8, second 60: an answer to question 3 of runner 7: expected one to question 1 of runner 8"
      ),
      (
        [7, 8], #"{"type":"answer","runner":9,"question":1,"say":"hold"}"#, 8,
        "runner 8, second 60: an answer to question 1 of runner 9: expected one to question 1 of runner 8"
      ),
      ([7, 8], #"{"type":"bye"}"#, 8, "runner 8, second 60: its answer, or a line behind the last of runner 7: "),
    ])
  func late(runners: [Int], line: String, runner: Int, words: String) throws {
    let text = try fixture.shell(
      answers.replacing("SAY", with: "hold").replacing(
        "case $line in *",
        with: #"case $line in *'"type":"start"'*) n=$((n+1)); if [ $n = 2 ]; then echo '\#(line)'; fi;; *"#))
    let policies = try Policies([text], seed: 1, seconds: 5)
    defer { policies.end() }
    let settings = try AskedRun.settings(policies.strategy(text))
    for runner in runners {
      let (asked, _) = try AskedRun.ask(policies, about: runner, until: 125, settings)
      policies.end(asked, of: runner)
    }
    let failure = try #require(policies.failure)
    #expect(failure.runner == runner)
    #expect("\(failure.error)".contains(words), "\(failure.error)")
  }

  @Test("That says no more than it was asked is not given up at the end, also where it stays there when its input ends")
  func nothingBehind() throws {
    for rest in ["", "\nsleep 30"] {
      let text = try fixture.shell(answers.replacing("SAY", with: "hold") + rest)
      let policies = try Policies([text], seed: 1, seconds: 1)
      let settings = try AskedRun.settings(policies.strategy(text))
      let (asked, _) = try AskedRun.ask(policies, about: 7, until: 120, settings)
      let begin = Date()
      policies.end(asked, of: 7)
      #expect(policies.finish() == nil)
      #expect(Date().timeIntervalSince(begin) < 10)
    }
  }

  @Test(
    "That cannot be used is refused before anything is read",
    arguments: [
      ("exec:", Int32(64)), ("exec:  ", 64), ("exec:'./a", 64), ("exec:\"\"", 64), ("exec:/no/such/program", 66),
      ("exec:/etc/passwd/x", 66), ("exec:/etc/passwd", 69), ("exec:/etc", 69), ("exec:/bin/false", 69),
    ])
  func refused(text: String, code: Int32) {
    let error = #expect(throws: PolicyError.self) { try Policies([text], seed: 1, seconds: 1) }
    #expect(error?.exitCode == code, "\(text): \(String(describing: error))")
  }

  @Test(
    "That answers the hello otherwise is refused",
    arguments: [
      #"{"type":"ready","version":2,"everySeconds":60}"#, #"{"type":"ready","version":1,"everySeconds":0}"#,
      #"{"type":"ready","version":1}"#, #"{"type":"answer"}"#, "[]", "",
    ])
  func hello(line: String) throws {
    let text = try fixture.shell("sleep 9", ready: line)
    let error = #expect(throws: PolicyError.self) { try Policies([text], seed: 1, seconds: 1) }
    #expect(error?.exitCode == 65)
  }

  @Test(
    "That speaks another version of the protocol is refused with the one that is supported", arguments: ["2", "1.5"])
  func version(found: String) throws {
    let text = try fixture.shell("sleep 9", ready: #"{"type":"ready","version":\#(found),"everySeconds":60}"#)
    let error = #expect(throws: PolicyError.self) { try Policies([text], seed: 1, seconds: 1) }
    let words = "version: expected 1, the version of the protocol that is supported, found \(found)"
    #expect(error.map { "\($0)".hasSuffix(words) } == true, "\(String(describing: error))")
    let word = try fixture.shell("sleep 9", ready: #"{"type":"ready","version":"1","everySeconds":60}"#)
    #expect(throws: PolicyError.self) { try Policies([word], seed: 1, seconds: 1) }
  }

  @Test("Gets its words as they are split, and no shell reads them")
  func words() throws {
    let file = fixture.path("words")
    let text = try fixture.shell("printf '%s|' \"$@\" >'\(file)'; sleep 9")
    let policies = try Policies([text + " a  'b c' \"d'e\" $HOME;x f\"g h\"i ''"], seed: 1, seconds: 1)
    defer { policies.end() }
    #expect(
      PolicyFixture.eventually { (try? String(contentsOfFile: file, encoding: .utf8)) == "a|b c|d'e|$HOME;x|fg hi||" })
  }

  @Test("Inherits three descriptors and no other, and has a group of its own")
  func isolation() throws {
    let file = fixture.path("descriptors")
    let kept = unsafe open("/dev/null", O_RDONLY)
    defer { close(kept) }
    let text = try fixture.shell(
      "for d in /proc/$$/fd/*; do readlink \"$d\"; done >'\(file)'.part; ps -o pgid= -p $$ >>'\(file)'.part; "
        + "echo $$ >>'\(file)'.part; mv '\(file)'.part '\(file)'; sleep 9")
    let policies = try Policies([text], seed: 1, seconds: 1)
    #expect(PolicyFixture.eventually { FileManager.default.fileExists(atPath: file) })
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    // The shell has three pipes, the script that it reads, and the file that it lists them in.
    let others = lines.dropLast(2).filter { !$0.hasPrefix("pipe:[") }
    #expect(others.allSatisfy { $0.contains("/policy-") || $0.hasSuffix(".part") }, "\(lines)")
    #expect(Set(lines.filter { $0.hasPrefix("pipe:[") }).count == 3, "\(lines)")
    #expect(lines.suffix(2).first == lines.last)
    policies.end()
  }

  @Test("That was given up is not started again for what is left of a runner")
  func startedOnce() throws {
    let file = fixture.path("asked")
    let text = try fixture.shell("read -r start; echo x >>'\(file)'; exit 3")
    var study = try SmallStudy.make(
      arms: ["none"], behaviours: ["reflex", "relapse:tau=90", "visible"], runners: 20)
    let policies = try Policies([text], seed: 1, seconds: 10)
    defer { policies.end() }
    let course = study.courses[0]
    study.courses = [
      try StudyCourse(
        person: course.person, target: course.targetRequest,
        arms: [StudyArm(name: nil, strategy: try policies.strategy(text), seconds: 600)], model: course.model,
        contrasts: nil, observed: nil)
    ]
    study.policies = policies
    #expect(StudySimulation.run(study, runners: 0..<20, threads: 1) { _ in true } == nil)
    #expect(policies.failure?.runner == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "x\n")
  }

  @Test("Is ended with all that it has started")
  func ends() throws {
    let file = fixture.path("children")
    let text = try fixture.shell(
      "trap '' TERM HUP; sleep 500 & echo \"$$ $!\" >'\(file)'.part; mv '\(file)'.part '\(file)'; wait")
    let policies = try Policies([text], seed: 1, seconds: 1)
    #expect(PolicyFixture.eventually { FileManager.default.fileExists(atPath: file) })
    let processes = try String(contentsOfFile: file, encoding: .utf8).split(whereSeparator: \.isWhitespace).compactMap {
      Int($0)
    }
    #expect(processes.count == 2)
    #expect(processes.allSatisfy(PolicyFixture.isAlive))
    policies.end()
    #expect(PolicyFixture.eventually { !processes.contains(where: PolicyFixture.isAlive) })
  }

  @Test("Is ended too when it goes over to the group that started it")
  func movesAway() throws {
    let file = fixture.path("moved")
    let text = try fixture.shell(
      "exec python3 -c 'import os, time; os.setpgid(0, os.getpgid(os.getppid())); "
        + "open(\"\(file).part\", \"w\").write(str(os.getpid())); os.rename(\"\(file).part\", \"\(file)\"); time.sleep(30)'"
    )
    let policies = try Policies([text], seed: 1, seconds: 1)
    #expect(PolicyFixture.eventually { FileManager.default.fileExists(atPath: file) })
    let process = try #require(Int(try String(contentsOfFile: file, encoding: .utf8)))
    let began = ContinuousClock.now
    policies.end()
    #expect(ContinuousClock.now - began < .seconds(15))
    #expect(!PolicyFixture.isAlive(process))
  }

  @Test("Is known by the SHA-256 of its file, and nothing but a command line can name one")
  func naming() throws {
    let text = try fixture.shell(answers)
    let policies = try Policies([text], seed: 1, seconds: 1)
    defer { policies.end() }
    guard case .asked(let asked) = try policies.strategy(text) else {
      Issue.record("expected a strategy that asks")
      return
    }
    #expect(asked.programHash.count == 64)
    #expect(asked.schedule.every == .seconds(60))
    #expect(asked.specification == text)
    for spelling in [text, "exec", "exec:every=60", "asked", "exec:"] {
      #expect(throws: ZoneError.self) { try FeedbackStrategy(specification: spelling) }
    }
    // A program that was not named is not started by a strategy that asks for it.
    #expect(try Policies([], seed: 1, seconds: 1).session(of: 0, AskedRun.settings(.asked(asked))) == nil)
  }
}
