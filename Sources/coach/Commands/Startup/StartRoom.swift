import Glibc

/// What a process needs of the system before it can begin anything.
///
/// Where Dispatch gets no descriptors for its events it crashes, and where it gets no thread it waits for ever; both happen before there is
/// anybody who could say why. What runs out later is reported by the calls that fail; a thread or an allocation of the runtime that does is
/// beyond us.
enum StartRoom {
  /// How many files there must be room for: the events of Dispatch, and one that is read.
  private static let leastFiles = 5
  /// How much address space: six stacks of threads of the usual size.
  private static let leastMegabytes = 48

  /// What there is no room for, as a line; `nil` for nothing.
  static var problem: String? {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    for _ in 0..<leastFiles {
      let descriptor = fcntl(2, F_DUPFD_CLOEXEC, 3)
      if descriptor >= 0 {
        opened.append(descriptor)
      } else if [EMFILE, ENFILE, EINVAL].contains(errno) {
        return "too few files may be open: expected room for \(leastFiles) beside the standard ones (ulimit -n)"
      }
    }
    let bytes = leastMegabytes << 20
    let room = unsafe mmap(nil, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let room = unsafe room, unsafe room != UnsafeMutableRawPointer(bitPattern: -1) else {
      return "too little memory: expected room for \(leastMegabytes) MB more of address space (ulimit -v)"
    }
    unsafe munmap(room, bytes)
    return nil
  }
}
