/// The style sheet of every page. It stands inside of the page, so that nothing is fetched from anywhere.
///
/// There is neither `<` nor `&` in it, so that it reads the same as HTML and as XML.
enum Stylesheet {
  /// What shades are for.
  private enum Surroundings { case light, dark }

  /// The rules of cells that are darker, or in the dark lighter, the more they hold; letters on them stay readable.
  private static func shades(of surroundings: Surroundings) -> String {
    let color = surroundings == .light ? Palette.blue.light : Palette.blue.dark
    let (red, green, blue) = (color >> 16 & 0xFF, color >> 8 & 0xFF, color & 0xFF)
    return [6, 14, 26, 40].enumerated().map { step, percent in
      "td.shade\(step + 1){background:rgba(\(red),\(green),\(blue),.\(percent < 10 ? "0" : "")\(percent))}"
    }.joined()
  }

  /// The rules of drawings with axes.
  static let plots = """
    .plot{overflow:visible;margin:1.5rem 3.1rem 2.1rem 3.1rem;width:calc(100% - 6.2rem)}
    .plot text{font-size:12px;fill:var(--soft)}
    .plot .y{text-anchor:end}
    .plot .mid{text-anchor:middle}
    .plot .strong{fill:var(--ink);font-weight:600;stroke:var(--page);stroke-width:3;stroke-linejoin:round;paint-order:stroke;\
    pointer-events:none}
    text.letter{fill:var(--ink);font-size:9px;font-weight:700;text-anchor:middle}
    .grid{stroke:var(--line);stroke-width:1}
    .axis{stroke:var(--gray);stroke-width:1}
    """

  /// The text.
  static let text = """
    \(Palette.rule(\.light))
    @media (prefers-color-scheme:dark){\(Palette.rule(\.dark))}
    @media print{\(Palette.rule(\.light))}
    :root{color-scheme:light dark}
    *{box-sizing:border-box}
    html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
    body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,\
    "Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums}
    header,main,footer{max-width:64rem;margin:0 auto;padding:0 1rem}
    header{padding-top:1.75rem}
    h1{font-size:1.7rem;line-height:1.2;margin:0 0 .35rem;letter-spacing:-.01em;overflow-wrap:anywhere}
    h1:first-letter{text-transform:uppercase}
    h2{font-size:1.2rem;line-height:1.3;margin:2.4rem 0 .6rem;padding-top:.9rem;border-top:1px solid var(--line);overflow-wrap:anywhere}
    h3{font-size:1rem;margin:1.4rem 0 .3rem;overflow-wrap:anywhere}
    h4{font-size:.875rem;font-weight:600;margin:.9rem 0 .2rem;overflow-wrap:anywhere}
    p{margin:.4rem 0;max-width:46rem}
    a{color:var(--link)}
    code{font:.85em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
    nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;margin:.9rem 0 0;padding:0;font-size:.9rem}
    .when{font-size:1.05rem;margin:0}
    .note,figcaption,.meta,footer{color:var(--soft);font-size:.875rem}
    .meta{max-width:none;overflow-wrap:anywhere}
    .lead{font-size:1.05rem}
    .facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(9.5rem,1fr));gap:.6rem;margin:1.1rem 0}
    .facts div{background:var(--panel);border:1px solid var(--line);border-radius:.5rem;padding:.5rem .75rem}
    .facts dt{color:var(--soft);font-size:.8rem}
    .facts dd{margin:0;font-size:1.3rem;line-height:1.25;font-weight:600}
    .facts span{display:block;color:var(--soft);font-size:.8rem;font-weight:400;line-height:1.35}
    figure{margin:.5rem 0 1rem}
    figcaption{margin-top:.3rem;max-width:46rem}
    svg{display:block}
    .defs{position:absolute}
    \(plots)
    .limit{stroke:var(--ink);stroke-width:1.25;stroke-dasharray:5 4}
    .target{fill:var(--band)}
    .curve{fill:none;stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}
    .curve:not([stroke]){stroke:var(--ink)}
    .curve[stroke]{stroke-width:2.2}
    .under{fill:none;stroke:var(--page);stroke-width:4.5;stroke-linejoin:round;stroke-linecap:round}
    .lap{fill:var(--panel)}
    .beside{fill:none;stroke:var(--gray);stroke-width:1.4;stroke-dasharray:4 3;stroke-linejoin:round}
    .strokes{fill:none;stroke-width:1.6}
    .small{margin-top:.7rem;margin-bottom:1.6rem}
    .mark{stroke:var(--page);stroke-width:1.5;paint-order:stroke}
    .hollow{fill:var(--page);stroke:var(--ink);stroke-width:1.5}
    .grain{stroke:var(--page);stroke-width:1.4;fill:none}
    .speck{fill:var(--page)}
    .hatch{stroke:var(--gray);stroke-width:1;fill:none}
    .dot{fill:var(--gray)}
    .ink{fill:var(--ink)}
    .outline{fill:none;stroke:var(--gray);stroke-width:1}
    .track{margin:.6rem auto;max-width:34rem}
    .track>svg{width:100%;height:auto;overflow:visible}
    .track>svg text{font-size:\(TrackLayout.letterSize)px;fill:var(--ink)}
    .track .way{fill:none;stroke:var(--gray);stroke-width:5.5;stroke-linejoin:round;stroke-linecap:round}
    .track .curve{stroke-width:3.2}
    .track input:not(:checked)+label{font-weight:400}
    .track label{font-weight:600;margin-right:1rem;font-size:.9rem}
    #track-by-pace:checked~.by-heart-rate,#track-by-pace:checked~svg .by-heart-rate{display:none}
    #track-by-heart-rate:checked~.by-pace,#track-by-heart-rate:checked~svg .by-pace{display:none}
    .figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(30rem,100%),1fr));gap:0 2rem}
    .figures figure{min-width:0}
    .plot.dots{margin:.6rem .9rem 1.9rem;width:calc(100% - 1.8rem)}
    .dots .name{fill:var(--ink)}
    .dots .right{text-anchor:end;fill:var(--ink)}
    .halo{stroke:var(--page);stroke-width:3;stroke-linejoin:round;paint-order:stroke}
    .numbers.wrapped thead th{white-space:normal;vertical-align:bottom}
    .single thead th{overflow-wrap:anywhere}
    .numbers.wrapped tbody th{white-space:normal;overflow-wrap:anywhere;min-width:8rem}
    .numbers thead th.words{text-align:left}
    .short{white-space:nowrap}
    .numbers tbody th.words{white-space:normal;min-width:11rem;text-align:left}
    .whisker{stroke:var(--ink);stroke-width:2}
    .goal{stroke:var(--green);stroke-width:3}
    .legend{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;list-style:none;margin:.2rem 0 .4rem;padding:0;\
    font-size:.875rem}
    .legend li{display:flex;align-items:center;gap:.4rem}
    .legend svg{flex:none;overflow:visible}
    .scroll{overflow:auto;max-height:min(34rem,80vh);border:1px solid var(--line);border-radius:.4rem}
    .across{overflow-x:auto}
    .scroll:focus-visible,.across:focus-visible{outline:2px solid var(--link);outline-offset:2px}
    table{border-collapse:collapse;width:100%;font-size:.9rem}
    caption{text-align:left;color:var(--soft);font-size:.875rem;padding:.2rem 0}
    th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
    thead th,thead td{background:var(--panel);font-weight:600;white-space:nowrap}
    .scroll thead th{position:sticky;top:0}
    tbody th{font-weight:500}
    .numbers tbody th{white-space:nowrap}
    .zones tbody th{white-space:normal;overflow-wrap:anywhere;min-width:5.8rem}
    .steps td{overflow-wrap:anywhere}
    .named th:nth-child(2),.named td:nth-child(2),.named th.words{text-align:left}
    tfoot th,tfoot td{font-weight:600}
    .numbers td,.numbers thead th{text-align:right;white-space:nowrap}
    .numbers th:first-child{text-align:left}
    td.words{text-align:left;white-space:normal;min-width:11rem}
    .zones td,.zones th,.splits td,.splits th{vertical-align:middle}
    \(shades(of: .light))
    @media (prefers-color-scheme:dark){\(shades(of: .dark))}
    @media print{\(shades(of: .light))}
    .broad{min-width:26rem}
    .calendar{table-layout:fixed;min-width:34rem}
    .calendar td{font-size:.8rem;white-space:nowrap}
    .calendar th:first-child{width:8.5rem;font-weight:500;white-space:nowrap}
    .calendar svg{margin-top:.15rem}
    .bar{width:45%}
    .bar svg{width:100%}
    .aim{font-weight:700}
    dl.list{display:grid;grid-template-columns:minmax(8rem,max-content) 1fr;gap:.3rem 1.2rem;font-size:.9rem;margin:.6rem 0}
    dl.list dt{color:var(--soft)}
    dl.list dd{margin:0;overflow-wrap:anywhere}
    summary{cursor:pointer;font-size:.9rem;padding:.3rem 0}
    footer{margin-top:2.6rem;padding-bottom:2rem}
    footer p{max-width:46rem}
    .paper{display:none}
    .pages ul{max-width:64rem;margin:0 auto;padding:.75rem 1rem 0}
    .pages a{display:inline-block;padding:.4rem 0}
    \(ReadingScript.style)
    @media (max-width:40rem){
    .plot{margin-left:2.4rem;margin-right:1.7rem;width:calc(100% - 4.1rem)}
    .wide{display:none}
    .bar{width:24%}
    .track>svg text{font-size:\(TrackLayout.narrowLetterSize)px}
    th,td{padding:.3rem .25rem}
    .named td.words{min-width:24rem}
    .facts{grid-template-columns:repeat(2,1fr)}
    dl.list{grid-template-columns:1fr;gap:0}
    dl.list dd{margin-bottom:.5rem}
    }
    @media (max-width:22rem){
    .splits{font-size:.78rem}
    .splits thead th{white-space:normal}
    .splits th,.splits td{padding:.3rem .15rem}
    }
    @media print{
    body{font-size:10.5pt}
    .scroll,.across{max-height:none;overflow:visible;border:0}
    .scroll thead th{position:static}
    figure,tr,.facts div{break-inside:avoid}
    h2,h3,h4{break-after:avoid}
    h2{margin-top:1.2rem}
    nav{display:none}
    .paper{display:block}
    footer{display:none}
    dl.list>:nth-last-child(-n+5){break-before:avoid}
    *{-webkit-print-color-adjust:exact;print-color-adjust:exact}
    }
    """
}
