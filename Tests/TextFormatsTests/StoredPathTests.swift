import Foundation
import Glibc
import Testing
@testable import TextFormats
@testable import WorkoutTestSupport

@Suite("A place below a folder that is trusted")
struct StoredPathTests {
  private let scratch: ScratchFolder
  private let root: StoredPath
  private let outside: String

  init() throws {
    scratch = try ScratchFolder()
    root = StoredPath(dataFolder: scratch.path + "/root")
    outside = scratch.path + "/outside"
    try FileSystem.createFolder(root + "inner")
    try FileSystem.createFolder(outside + "/inner")
    _ = try scratch.write("secret", "outside/file")
  }

  private func link(_ name: String, to path: String) throws {
    try FileManager.default.createSymbolicLink(atPath: (root + name).path, withDestinationPath: path)
  }

  @Test("is made of its pieces, and knows its folder and its name")
  func pieces() {
    let place = root + "/" + "sessions" + "/" + "a" + "/steps.csv"
    #expect(place.path == scratch.path + "/root/sessions/a/steps.csv")
    #expect("\(place)" == place.path)
    #expect(place.name == "sessions/a/steps.csv")
    #expect(place.lastName == "steps.csv")
    #expect(place.folder == root + "sessions/a")
    #expect(place.folder.folder.folder == root)
    #expect(root.folder == root)
    #expect(place.isOwned)
    #expect(!StoredPath(folder: "x").isOwned)
  }

  @Test("is written, read, listed, renamed and removed like any file")
  func ordinary() throws {
    let place = root + "inner/file"
    try FileSystem.writeAtomically(Array("first".utf8).span, to: place)
    try FileSystem.writeAtomically(Array("second".utf8).span, to: place)
    #expect(try POSIXFile(reading: place).readAll(maximumBytes: 100) == Array("second".utf8))
    #expect(try FileSystem.list(root + "inner") == ["file"], "nothing is left beside it")
    try FileSystem.rename(place, to: root + "inner/other")
    #expect(try FileSystem.listIfPresent(root + "inner") == ["other"])
    #expect(try FileSystem.listIfPresent(root + "no") == [])
    let file = try POSIXFile(writing: root + "inner/other", .truncate)
    #expect(try file.status().size == 0)
    try FileSystem.removeIfEmpty(root + "inner")
    #expect(FileSystem.isFolder(root + "inner"), "it has something in it")
    try FileSystem.remove(root + "inner/other")
    try FileSystem.removeIfEmpty(root + "inner")
    #expect(!FileSystem.exists(root + "inner"))
  }

  @Test("is not reached through a link, at its end or on the way, by anything", arguments: ["link", "link/file"])
  func links(_ name: String) throws {
    try link("link", to: name == "link" ? outside + "/file" : outside)
    let place = root + name
    let expected = FileError.symbolicLink
    let reading = #expect(throws: FileError.self) { try POSIXFile(reading: place) }
    #expect(reading?.code == expected)
    #expect(reading?.exitCode == 65)
    for creation in [POSIXFile.Creation.append, .truncate] {
      let writing = #expect(throws: FileError.self) { try POSIXFile(writing: place, creation) }
      #expect(writing?.code == expected)
      #expect(writing?.exitCode == 73)
    }
    #expect(throws: FileError.self) { try FileSystem.list(place) }
    #expect(throws: FileError.self) { try FileSystem.createFolder(place + "/new") }
    #expect(throws: FileError.self) { try FileSystem.syncFolder(place) }
    #expect(!FileSystem.isFolder(place))
    if name == "link" {
      #expect(try FileSystem.status(place)?.isLink == true)
      try FileSystem.writeAtomically(Array("mine".utf8).span, to: place)
      #expect(try FileSystem.status(place)?.isRegular == true, "the link is replaced, not what it leads to")
      try FileSystem.remove(place)
    } else {
      #expect(throws: FileError.self) { try FileSystem.status(place) }
      #expect(throws: FileError.self) { try FileSystem.remove(place) }
      #expect(throws: FileError.self) { try FileSystem.rename(place, to: root + "taken") }
      #expect(throws: FileError.self) { try FileSystem.writeAtomically(Array("mine".utf8).span, to: place) }
    }
    #expect(try FileSystem.list(outside) == ["file", "inner"])
    #expect(try String(contentsOfFile: outside + "/file", encoding: .utf8) == "secret")
  }

  @Test("with another name is read and not written into, and what replaces it has a name of its own")
  func hardLinks() throws {
    let place = root + "both"
    try #require(unsafe Glibc.link(outside + "/file", place.path) == 0)
    #expect(try FileSystem.status(place)?.hasOtherNames == true)
    #expect(try POSIXFile(reading: place).status().size == 6)
    for creation in [POSIXFile.Creation.append, .truncate, .inPlace] {
      let writing = #expect(throws: FileError.self) { try POSIXFile(writing: place, creation) }
      #expect(writing?.code == FileError.hardLink, "\(creation)")
      #expect(writing?.exitCode == 73, "\(creation)")
      #expect(writing?.reason.contains("cp -a") == true, "\(creation)")
    }
    let folder = #expect(throws: FileError.self) { try OutputFolder(root).openFile("both") }
    #expect(folder?.code == FileError.hardLink)
    #expect(folder?.exitCode == 73)
    #expect(try FileSystem.problemOfWriting(place) == FileError.hardLink)
    #expect(try FileSystem.problemOfWriting(root + "none") == nil)
    #expect(try String(contentsOfFile: outside + "/file", encoding: .utf8) == "secret")
    try FileSystem.writeAtomically(Array("mine".utf8).span, to: place)
    #expect(try FileSystem.status(place)?.hasOtherNames == false)
    #expect(try String(contentsOfFile: outside + "/file", encoding: .utf8) == "secret")
  }

  @Test(
    "that kept the name which it had until it was whole loses that, and no other",
    arguments: ["path", "open folder", "look"])
  func oldNames(_ way: String) throws {
    let place = root + "log.csv"
    _ = try scratch.write("rows", "root/log.csv")
    let old = ["log.csv.4f3a0b1c99d2e7a5.tmp", "log.csv.4711.tmp"]
    for name in old { try #require(unsafe Glibc.link(place.path, (root + name).path) == 0) }
    // The same name of another file, and a name that coach does not give.
    _ = try scratch.write("rows", "root/log.csv.17.tmp")
    func write() throws {
      switch way {
      case "path": try POSIXFile(writing: place, .append).write(Array("+".utf8).span)
      case "open folder": try OutputFolder(root).openFile("log.csv").write(Array("+".utf8).span, at: 4)
      default: #expect(try FileSystem.problemOfWriting(place) == nil)
      }
    }
    try write()
    #expect(try FileSystem.list(root) == ["inner", "log.csv", "log.csv.17.tmp"])
    #expect(try String(contentsOfFile: place.path, encoding: .utf8) == (way == "look" ? "rows" : "rows+"))
    for name in ["copy.csv", "log.csv.tmp", "other.csv.4711.tmp"] {
      try #require(unsafe Glibc.link(place.path, (root + name).path) == 0)
      #expect(try FileSystem.problemOfWriting(place) == FileError.hardLink, "\(name)")
      #expect(FileSystem.exists(root + name), "\(name)")
      try FileSystem.remove(root + name)
    }
  }

  @Test("does not lead upwards", arguments: ["../outside/file", "inner/../../outside/file", "inner/..", "."])
  func upwards(_ name: String) {
    #expect(throws: FileError.self) { try POSIXFile(reading: root + name) }
    #expect(throws: FileError.self) { try FileSystem.remove(root + name) }
    #expect(throws: FileError.self) { try FileSystem.status(root + name) }
  }

  @Test("is a regular file or nothing: a pipe is not waited for")
  func pipe() throws {
    try #require(unsafe mkfifo((root + "pipe").path, 0o600) == 0)
    let reading = #expect(throws: FileError.self) { try POSIXFile(reading: root + "pipe") }
    #expect(reading?.code == FileError.noRegularFile)
    #expect(reading?.exitCode == 65)
    let writing = #expect(throws: FileError.self) { try POSIXFile(writing: root + "pipe", .append) }
    #expect(writing?.code == FileError.noRegularFile)
    #expect(writing?.exitCode == 73)
    let folder = #expect(throws: FileError.self) { try FileSystem.list(root + "pipe") }
    #expect(folder?.code == FileError.noFolder)
  }

  @Test(
    "belongs to the user who runs the program, where that matters",
    .enabled(if: geteuid() == 0, "only root can give a file away"))
  func owner() throws {
    let place = root + "theirs"
    try POSIXFile(writing: place, .append).close()
    try #require(unsafe chown(place.path, 65_534, 65_534) == 0)
    for body in [
      { _ = try POSIXFile(reading: place) }, { _ = try POSIXFile(writing: place, .append) },
      { try FileSystem.remove(place) }, { try FileSystem.rename(place, to: root + "mine") },
    ] as [() throws -> Void] {
      let error = #expect(throws: FileError.self) { try body() }
      #expect(error?.code == FileError.foreignOwner)
    }
    let other = StoredPath(folder: root.path) + "theirs"
    #expect(try POSIXFile(reading: other).readAll(maximumBytes: 1).isEmpty, "a session of somebody else can be read")
  }

  @Test("that leads to itself is no folder to enter, and none that is known to be gone")
  func leadsToItself() throws {
    let loop = (root + "loop").path
    try link("loop", to: loop)
    #expect(throws: FileError.self) { try FileSystem.has(loop) }
    #expect(throws: FileError.self) { try FileSystem.hasFolder(loop) }
    #expect(try !FileSystem.hasOpenFolder(loop))
    #expect(!FileSystem.lacksFolder(loop))
    #expect(try FileSystem.hasOpenFolder(root))
    #expect(FileSystem.lacksFolder(root + "none"))
    #expect(!FileSystem.lacksFolder(root + "inner"))
  }
}
