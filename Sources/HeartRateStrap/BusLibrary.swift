internal import CSystemd

/// The functions of libsystemd, opened once and for good.
@safe
struct BusLibrary: @unchecked Sendable {
  /// The library; `nil` where there is none.
  static let shared = BusLibrary()

  let functions: UnsafePointer<coach_bus>

  private init?() {
    let functions = UnsafeMutablePointer<coach_bus>.allocate(capacity: 1)
    unsafe functions.initialize(to: coach_bus())
    guard unsafe coach_bus_open(functions) != 0 else {
      unsafe functions.deallocate()
      return nil
    }
    unsafe self.functions = UnsafePointer(functions)
  }
}
