import Foundation
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// A folder of its own for each test, deleted with it.
private final class Folder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "text-tests-" + UUID().uuidString
    try FileSystem.createFolder(path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func permissions(_ name: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }
}

private func failure(_ body: () throws(FileError) -> Void) -> FileError? {
  do throws(FileError) {
    try body()
    return nil
  } catch {
    return error
  }
}

@Suite("Files")
struct POSIXFileTests {
  @Test("What is appended is read back, and a new file is for its owner only")
  func appending() throws {
    let folder = try Folder()
    let path = folder.path + "/a.csv"
    for text in ["ab\n", "cd"] {
      let file = try POSIXFile(writing: path, .append)
      try file.write(text.utf8.span)
      try file.sync()
      try file.sync(metadata: true)
      try file.close()
      try file.close()
    }
    let file = try POSIXFile(reading: path)
    #expect(try file.status().size == 5)
    #expect(try !file.status().isFolder)
    #expect(try file.readAll(maximumBytes: 5) == Array("ab\ncd".utf8))
    #expect(try folder.permissions("a.csv") == 0o600)
    let again = try POSIXFile(reading: path)
    let tooLarge = failure { () throws(FileError) in _ = try again.readAll(maximumBytes: 4) }
    #expect(tooLarge?.exitCode == 65)
    #expect(tooLarge?.named("b").description == "b: reading failed: it is too large: expected at most 4 bytes")
  }

  @Test("Errors name the file and carry the exit code of the contract")
  func errors() throws {
    let folder = try Folder()
    let missing = failure { () throws(FileError) in _ = try POSIXFile(reading: folder.path + "/none") }
    #expect(missing?.exitCode == 66)
    #expect(missing?.isMissing == true)
    #expect(missing?.description == folder.path + "/none: cannot read: No such file or directory")
    #expect(failure { () throws(FileError) in _ = try POSIXFile(reading: folder.path) }?.exitCode == 65)
    #expect(failure { () throws(FileError) in _ = try POSIXFile(reading: "a\0b") }?.exitCode == 66)
    let uncreatable = failure { () throws(FileError) in _ = try POSIXFile(writing: folder.path + "/x/y", .append) }
    #expect(uncreatable?.exitCode == 73)
    let path = folder.path + "/once"
    let file = try POSIXFile(writing: path, .exclusive)
    let existing = failure { () throws(FileError) in _ = try POSIXFile(writing: path, .exclusive) }
    #expect(existing?.isExisting == true)
    #expect(existing?.exitCode == 73)
    try file.close()
    #expect(failure { () throws(FileError) in try file.write("x".utf8.span) }?.exitCode == 74)
    #expect(failure { () throws(FileError) in try file.sync() }?.exitCode == 74)
    var buffer = [UInt8](repeating: 0, count: 4)
    #expect(failure { () throws(FileError) in _ = try file.read(into: &buffer) }?.exitCode == 74)
    #expect(failure { () throws(FileError) in try FileSystem.createFolder(path + "/sub") }?.exitCode == 73)
    #expect(failure { () throws(FileError) in _ = try FileSystem.list(path) }?.exitCode == 66)
    #expect(failure { () throws(FileError) in try FileSystem.remove(folder.path + "/none") }?.isMissing == true)
    #expect(failure { () throws(FileError) in try FileSystem.rename("\(path)x", to: "\(path)y") }?.exitCode == 73)
  }

  @Test("What the machine or the disk lacks is no fault of the input, and never says that nothing is there")
  func machine() throws {
    for operation in [FileError.Operation.openForReading, .inspect] {
      for code in [EMFILE, ENFILE, ENOMEM, EIO] {
        #expect(FileError(operation, "a", code: code).exitCode == 74, "\(operation) \(code)")
      }
      for code in [ENOENT, ENOTDIR, EACCES] {
        #expect(FileError(operation, "a", code: code).exitCode == 66, "\(operation) \(code)")
      }
    }
    #expect(FileError(.inspect, "a", code: EMFILE).isOfMachine)
    #expect(!FileError(.inspect, "a", code: EIO).isOfMachine, "another file may be readable")
    let folder = try Folder()
    #expect(try FileSystem.has(folder.path))
    #expect(try FileSystem.hasFolder(folder.path))
    #expect(try !FileSystem.has(folder.path + "/none/none"))
    let long = folder.path + "/" + String(repeating: "x", count: 300)
    #expect(failure { () throws(FileError) in _ = try FileSystem.has(long) }?.code == ENAMETOOLONG)
    #expect(failure { () throws(FileError) in _ = try FileSystem.hasFolder(long) }?.code == ENAMETOOLONG)
    #expect(!FileSystem.exists(long))
  }

  @Test("A full disk is an input/output error")
  func fullDisk() throws {
    let file = try POSIXFile(writing: "/dev/full", .append)
    let error = failure { () throws(FileError) in try file.write("x".utf8.span) }
    #expect(error?.exitCode == 74)
    #expect(error?.reason == "No space left on device")
  }

  @Test("Folders are created with those on the way, and listed in the order of their bytes")
  func folders() throws {
    let folder = try Folder()
    try FileSystem.createFolder(folder.path + "/b/c//d/")
    try FileSystem.createFolder(folder.path + "/b/c/d")
    #expect(FileSystem.isFolder(folder.path + "/b/c/d"))
    #expect(try folder.permissions("b/c") == 0o700)
    for name in ["é", "a", "B", ".hidden"] { _ = try POSIXFile(writing: folder.path + "/b/" + name, .exclusive) }
    #expect(try FileSystem.list(folder.path + "/b") == [".hidden", "B", "a", "c", "é"])
    #expect(FileSystem.exists(folder.path + "/b/a"))
    #expect(!FileSystem.isFolder(folder.path + "/b/a"))
    #expect(!FileSystem.exists(folder.path + "/b/none"))
    try FileSystem.remove(folder.path + "/b/a")
    #expect(try FileSystem.status(folder.path + "/b/a") == nil)
  }

  @Test("An atomic write replaces the whole content and leaves nothing beside it")
  func atomicWrite() throws {
    let folder = try Folder()
    let path = folder.path + "/manifest.json"
    try FileSystem.writeAtomically("first content".utf8.span, to: path)
    try FileSystem.writeAtomically("second".utf8.span, to: path)
    #expect(try POSIXFile(reading: path).readAll(maximumBytes: 100) == Array("second".utf8))
    #expect(try FileSystem.list(folder.path) == ["manifest.json"])
    #expect(try folder.permissions("manifest.json") == 0o600)
    let error = failure { () throws(FileError) in
      try FileSystem.writeAtomically("x".utf8.span, to: folder.path + "/none/manifest.json")
    }
    #expect(error?.exitCode == 73)
    #expect(error?.path == folder.path + "/none/manifest.json")
    try FileSystem.createFolder(folder.path + "/taken/inside")
    #expect(
      failure { () throws(FileError) in try FileSystem.writeAtomically("x".utf8.span, to: folder.path + "/taken") }
        != nil)
    #expect(try FileSystem.list(folder.path) == ["manifest.json", "taken"])
  }

  @Test(
    "The folder of a path",
    arguments: [
      ("a", "."), ("a/b", "a"), ("/a", "/"), ("/", "/"), ("a/b/", "a"), ("a//b", "a"), ("", "."), ("//", "/"),
    ])
  func folderOfPath(path: String, folder: String) { #expect(FileSystem.folder(of: path) == folder) }

  @Test("A borrowed descriptor stays open")
  func borrowing() throws {
    let folder = try Folder()
    let owner = try POSIXFile(writing: folder.path + "/a", .append)
    try POSIXFile(borrowing: owner.descriptor, named: "borrowed").close()
    try owner.write("x".utf8.span)
    #expect(try owner.status().size == 1)
  }

  @Test("The lines of a file are those of its bytes, whatever the size of the pieces", arguments: [1, 2, 3, 7, 4096])
  func lines(chunkBytes: Int) throws {
    let folder = try Folder()
    let path = folder.path + "/lines"
    let text = (0..<300).map { "line \($0)" }.joined(separator: "\r\n")
    try FileSystem.writeAtomically(text.utf8.span, to: path)
    var numbers: [Int] = []
    var last: TextLine?
    try ByteLineReader.forEachLine(of: try POSIXFile(reading: path), chunkBytes: chunkBytes) { bytes, line in
      numbers.append(bytes.count)
      last = line
    }
    var expected: [Int] = []
    try ByteLineReader.forEachLine(of: text.utf8.span) { bytes, _ in expected.append(bytes.count) }
    #expect(numbers == expected)
    #expect(last?.number == 300)
    #expect(last?.isTerminated == false)
  }
}
