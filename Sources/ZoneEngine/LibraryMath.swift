// The only file of ZoneEngine that imports anything: the C library's elementary functions.
// A test reads the sources and fails when another import appears.

private import Glibc

/// Elementary functions of the C library, under one name.
enum LibraryMath {
  static func exp(_ x: Double) -> Double { Glibc.exp(x) }
  static func log(_ x: Double) -> Double { Glibc.log(x) }
  static func sin(_ x: Double) -> Double { Glibc.sin(x) }
  static func cos(_ x: Double) -> Double { Glibc.cos(x) }
  static func tan(_ x: Double) -> Double { Glibc.tan(x) }
  static func atan(_ x: Double) -> Double { Glibc.atan(x) }
  static func atan2(_ y: Double, _ x: Double) -> Double { Glibc.atan2(y, x) }
  static func asin(_ x: Double) -> Double { Glibc.asin(x) }
}
