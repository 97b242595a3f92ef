internal import CProcessLimits
private import Glibc
internal import TextFormats

/// How much more memory this process may take, where the system limits it: by `ulimit -v`, or by the control group that a
/// container or a service is. Beyond the one the allocator fails, which ends the program; beyond the other the kernel ends it.
enum MemoryAllowance {
  /// The bytes that are left; `nil` where nothing limits them.
  static func bytes() -> Int? {
    let space = Int(clamping: coach_address_space())
    let group = groupLimit()
    guard space < .max || group != nil else { return nil }
    // The pages of address space, then those in memory.
    let taken = (text(of: "/proc/self/statm") ?? "").split(separator: " ").prefix(2).map { Int($0) ?? 0 }
    let pageBytes = Int(getpagesize())
    let ofSpace = space < .max ? space - (taken.first ?? 0) * pageBytes : .max
    let ofGroup = group.map { $0 - (taken.last ?? 0) * pageBytes } ?? .max
    return max(0, min(ofSpace, ofGroup))
  }

  /// The lowest limit of the control groups that the process is in.
  private static func groupLimit() -> Int? {
    groupFiles(text(of: "/proc/self/cgroup") ?? "").compactMap { text(of: $0).flatMap(limit) }.min()
  }

  /// The files that hold the limits of control groups, of both versions, from the lines of `/proc/self/cgroup`.
  static func groupFiles(_ lines: String) -> [String] {
    lines.split(separator: "\n").flatMap { line -> [String] in
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { return [] }
      let isFirstVersion = fields[1].split(separator: ",").contains("memory")
      guard fields[1].isEmpty || isFirstVersion else { return [] }
      let (root, file) =
        isFirstVersion ? ("/sys/fs/cgroup/memory", "memory.limit_in_bytes") : ("/sys/fs/cgroup", "memory.max")
      let names = fields[2].split(separator: "/")
      return (0...names.count).map { ([root] + names.prefix($0).map(String.init) + [file]).joined(separator: "/") }
    }
  }

  /// The bytes that such a file states; `nil` for `max`, and for a number so large that it means no limit.
  static func limit(_ text: String) -> Int? {
    Int(text.prefix { $0.isNumber }).flatMap { $0 < 1 << 60 ? $0 : nil }
  }

  /// The text of a file of the system; what it does not say limits nothing.
  private static func text(of path: String) -> String? {
    do {
      return String(decoding: try POSIXFile(reading: path).readAll(maximumBytes: 65_536), as: UTF8.self)
    } catch {
      return nil
    }
  }
}
