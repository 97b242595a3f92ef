private import Glibc
private import InputChecks
private import TextFormats

/// The check that `COACH_FUZZ_TARGET` names.
private let check: InputCheck = {
  let name = setting("COACH_FUZZ_TARGET") ?? ""
  guard let check = InputCheck.named(name) else {
    fatalError("COACH_FUZZ_TARGET is '\(name)': expected one of \(InputCheck.all.map(\.name))")
  }
  return check
}()

/// Asks the check about an input that libFuzzer made; a violation ends the process, so that the input is kept.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  if let violation = check.violation(input) { fatalError("\(check.name): \(violation)") }
  return 0
}

/// Called by libFuzzer before anything else: writes the seeds of every check into the folder that `COACH_FUZZ_SEEDS`
/// names, each check's in a folder of its name beside a list of settings for libFuzzer, and ends the process.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ argumentCount: UnsafeMutablePointer<CInt>?,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
  guard let folder = setting("COACH_FUZZ_SEEDS") else { return 0 }
  do throws(FileError) {
    for check in InputCheck.all {
      try FileSystem.createFolder("\(folder)/\(check.name)")
      for seed in check.seeds { try write(seed.bytes, to: "\(folder)/\(check.name)/\(seed.name)") }
      try write(Array("\(check.longestInput)\n".utf8), to: "\(folder)/\(check.name).longest")
    }
  } catch {
    fatalError("\(error)")
  }
  exit(0)
}

private func write(_ bytes: [UInt8], to path: String) throws(FileError) {
  let file = try POSIXFile(writing: path, .truncate)
  try file.write(bytes.span)
  try file.close()
}

private func setting(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }
