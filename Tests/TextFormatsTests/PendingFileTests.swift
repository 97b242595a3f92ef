import Foundation
import Testing
@testable import TextFormats
@testable import WorkoutHistory
@testable import WorkoutTestSupport

@Suite("A file that gets its name when it is whole")
struct PendingFileTests {
  private let folder: ScratchFolder
  private var path: String { folder.path + "/file" }

  init() throws { folder = try ScratchFolder() }

  private func content() throws -> String {
    String(decoding: try POSIXFile(reading: path).readAll(maximumBytes: 100), as: UTF8.self)
  }

  @Test("Nothing has its name before, and the whole content has it after")
  func commit() throws {
    let file = try PendingFile(path)
    try file.write("one ".utf8.span)
    #expect(!FileSystem.exists(path))
    try file.write("two".utf8.span)
    try file.commit(replacing: false)
    #expect(try content() == "one two")
    #expect(try FileSystem.list(folder.path) == ["file"])
  }

  @Test("In a folder that is open it is written there, whatever has the folder's path meanwhile")
  func openFolder() throws {
    let inside = folder.path + "/inside"
    try FileSystem.createFolder(inside)
    let open = try OutputFolder(inside)
    try FileSystem.rename(inside, to: folder.path + "/moved")
    let file = try PendingFile("file", in: open)
    try file.write("one".utf8.span)
    try file.commit(replacing: true, isSynced: false)
    #expect(try FileSystem.list(folder.path + "/moved") == ["file"])
    do {
      let second = try PendingFile("file", in: open)
      try second.write("two".utf8.span)
      #expect(throws: FileError.self) { try second.commit(replacing: false, isSynced: false) }
    }
    #expect(try FileSystem.list(folder.path + "/moved") == ["file"])
    let error = #expect(throws: FileError.self) { try PendingFile("", in: open) }
    #expect(error?.exitCode == 73)
  }

  @Test("What is never finished leaves nothing behind")
  func abandon() throws {
    do {
      let file = try PendingFile(path)
      try file.write("one".utf8.span)
    }
    #expect(try FileSystem.list(folder.path).isEmpty)
  }

  @Test("A name that was taken in the meantime stays with who has it, unless it is to be replaced")
  func taken() throws {
    let file = try PendingFile(path)
    try file.write("new".utf8.span)
    try FileSystem.writeAtomically("old".utf8.span, to: folder.path + "/other")
    try FileSystem.rename(folder.path + "/other", to: path)
    let error = #expect(throws: FileError.self) { try file.commit(replacing: false) }
    #expect(error?.isExisting == true)
    #expect(error?.exitCode == 73)
    #expect(error?.path == path)
    #expect(try content() == "old")
    let second = try PendingFile(path)
    try second.write("new".utf8.span)
    try second.commit(replacing: true)
    #expect(try content() == "new")
  }

  @Test("Where it cannot be named in one call it is in two, and has one name in the end; a name that is taken stays")
  func linked() throws {
    let open = try OutputFolder(folder.path)
    for name in ["first", "second"] { try open.createFile(name).write(name.utf8.span) }
    try open.link("first", toFree: "file")
    #expect(try FileSystem.list(folder.path) == ["file", "second"])
    #expect(try FileSystem.status(path)?.hasOtherNames == false)
    let error = #expect(throws: FileError.self) { try open.link("second", toFree: "file") }
    #expect(error?.isExisting == true)
    #expect(error?.exitCode == 73)
    #expect(try content() == "first")
    #expect(try FileSystem.list(folder.path) == ["file", "second"])
  }

  @Test("A folder that is missing is an error about the final name")
  func missing() {
    let error = #expect(throws: FileError.self) { try PendingFile(folder.path + "/none/file") }
    #expect(error?.exitCode == 73)
    #expect(error?.path == folder.path + "/none/file")
  }

  @Test("Nobody can foresee the name that it has before, and a link with such a name is not followed")
  func planted() throws {
    let first = try PendingFile(path)
    let second = try PendingFile(path)
    let names = try FileSystem.list(folder.path)
    #expect(names.count == 2)
    #expect(names.allSatisfy { TemporaryName.final(of: $0) == "file" })
    #expect(names.allSatisfy { !$0.contains("\(getpid())") })
    withExtendedLifetime((first, second)) {}
    let outside = try ScratchFolder()
    let victim = try outside.write("precious", "victim")
    for target in [victim, outside.path + "/nowhere", outside.path] {
      try FileManager.default.createSymbolicLink(atPath: folder.path + "/planted", withDestinationPath: target)
      let error = #expect(throws: FileError.self) { try OutputFolder(folder.path).createFile("planted") }
      #expect(error?.isExisting == true)
      #expect(throws: FileError.self) { try OutputFolder(folder.path).createFolder("planted") }
      #expect(throws: FileError.self) { try PendingFolder(folder.path + "/planted") }
      #expect(throws: FileError.self) { try OutputFolder(folder.path).folder("planted") }
      try FileSystem.remove(folder.path + "/planted")
    }
    #expect(try FileSystem.list(outside.path) == ["victim"])
    #expect(try text(of: victim) == "precious")
  }

  @Test("A link that has the final name is replaced itself, or stays, and what it leads to is as it was")
  func finalLink() throws {
    let outside = try ScratchFolder()
    let victim = try outside.write("precious", "victim")
    for target in [victim, outside.path + "/nowhere", outside.path] {
      for isReplaced in [true, false] {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        let file = try PendingFile(path)
        try file.write("new".utf8.span)
        if isReplaced {
          try file.commit(replacing: true)
          #expect(try content() == "new")
          #expect(!FileSystem.isLink(path))
        } else {
          #expect(throws: FileError.self) { try file.commit(replacing: false) }
          #expect(FileSystem.isLink(path))
        }
        try FileSystem.remove(path)
        #expect(try FileSystem.list(outside.path) == ["victim"], "\(target)")
        #expect(try text(of: victim) == "precious", "\(target)")
      }
    }
  }

  @Test("A folder that is moved away and replaced by a link keeps what is written in it")
  func movedFolder() throws {
    let outside = try ScratchFolder()
    let inside = folder.path + "/inside"
    try FileSystem.createFolder(inside)
    let file = try PendingFile(inside + "/file")
    let tree = try PendingFolder(inside + "/tree")
    try FileSystem.rename(inside, to: folder.path + "/moved")
    try FileManager.default.createSymbolicLink(atPath: inside, withDestinationPath: outside.path)
    try file.write("new".utf8.span)
    try file.commit(replacing: true)
    try tree.add(folder: "branch")
    try tree.add([1, 2], as: "branch/leaf")
    try tree.commit()
    #expect(try FileSystem.list(outside.path).isEmpty)
    #expect(try FileSystem.list(folder.path + "/moved") == ["file", "tree"])
    #expect(try FileSystem.list(folder.path + "/moved/tree/branch") == ["leaf"])
  }

  @Test("A name may be as long as the file system takes it, and one of a folder is refused")
  func names() throws {
    let long = folder.path + "/" + String(repeating: "é", count: 127)
    try FileSystem.writeAtomically("new".utf8.span, to: long)
    #expect(try text(of: long) == "new")
    for refused in [folder.path + "/", folder.path + "/none/", "", "/"] {
      #expect(throws: FileError.self) { try PendingFile(refused) }
    }
    #expect(try FileSystem.list(folder.path).count == 1)
  }
}
