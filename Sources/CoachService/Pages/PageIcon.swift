/// The picture of the pages: a heart with a line of beats.
enum PageIcon {
  static let text = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><rect width="512" height="512" rx="96" fill="#10151b"/>\
    <path d="M256 412C136 320 88 262 88 196a84 84 0 0 1 168-30 84 84 0 0 1 168 30c0 66-48 124-168 216z" fill="#c0202b"/>\
    <path d="M96 252h92l28-60 44 116 34-76h122" fill="none" stroke="#fff" stroke-width="20" stroke-linejoin="round" \
    stroke-linecap="round"/></svg>
    """
}
