/// The style sheet of the pages of groups.
enum GroupStyle {
  static let text = """
    .pair{display:flex;flex-wrap:wrap;gap:.6rem}
    .invite{max-width:46rem}
    .call{max-width:none;font-weight:600;font-size:clamp(1rem,1.3vw,1.8rem);min-height:1.5em;overflow-wrap:anywhere}
    .tiles{list-style:none;margin:1rem 0;padding:0;display:grid;gap:clamp(.6rem,1vw,1.5rem);\
    grid-template-columns:repeat(auto-fill,minmax(max(min(17rem,100%),15%),1fr))}
    .tile{border:1px solid var(--line);border-top:.5rem solid var(--gray);border-radius:.8rem;background:var(--panel);\
    padding:.6rem 1rem .9rem;min-width:0}
    .tile p{margin:.1rem 0;max-width:none;overflow-wrap:anywhere}
    .tile-name{margin:0;font-size:1.25rem;overflow-wrap:anywhere}
    .tile-word{display:inline-flex;align-items:center;gap:.5em;font-weight:700;border-radius:.4rem}
    .tile-word svg{width:1.1em;height:1.1em;flex:none}
    .tile-pulse{line-height:1.05;white-space:nowrap}
    .tile-bpm{font-size:clamp(3rem,3.5vw,6rem);font-weight:700;letter-spacing:-.02em}
    .tile .unit{font-size:clamp(1.1rem,1.1vw,2rem)}
    .tile-zone{font-weight:600;font-size:1.1rem}
    .tile-absent{font-size:1.1rem;padding:.6rem 0}
    .tile-facts,.tile-place{color:var(--soft);font-size:.95rem}
    .tile-facts span{white-space:nowrap}
    .tile[data-need=slowDown]{border-top-color:var(--ink)}
    .tile[data-need=slowDown] .tile-word{background:var(--ink);color:var(--page);padding:.15em .6em}
    .tile[data-need=speedUp]{border-top-color:var(--ink)}
    .tile[data-need=speedUp] .tile-word{background:var(--ink);color:var(--page);padding:.15em .6em}
    .tile[data-need=noHeartRate],.tile[data-need=unknown]{border-style:dashed;border-color:var(--ink);\
    border-top:.5rem dashed var(--ink)}
    .tile[data-need=none]{border-top-color:var(--line)}
    .other-view{margin-top:1.5rem}
    .wall main,.wall footer{max-width:none;padding-left:clamp(.6rem,1.5vw,3rem);padding-right:clamp(.6rem,1.5vw,3rem)}
    .wall .live-title{font-size:clamp(1.3rem,2vw,3rem)}
    .wall .tiles{grid-template-columns:repeat(auto-fit,minmax(max(min(15rem,100%),24%),1fr))}
    .wall .tiles[data-size=large]{grid-template-columns:repeat(auto-fit,minmax(max(min(17rem,100%),30%),1fr))}
    .wall .tiles[data-size=small]{grid-template-columns:repeat(auto-fit,minmax(max(min(13rem,100%),15%),1fr))}
    .wall .tile-name{font-size:clamp(1.5rem,min(2.2vw,4.5vh),4rem)}
    .wall .tile-word{font-size:clamp(1.3rem,1.9vw,3.4rem)}
    .wall .tile-bpm{font-size:clamp(5rem,min(9vw,15vh),15rem)}
    .wall .tile .unit{font-size:clamp(1.2rem,1.6vw,3rem)}
    .wall [data-size=small] .tile-bpm{font-size:clamp(4rem,5vw,9rem)}
    .wall .tile-zone,.wall .tile-absent{font-size:clamp(1.2rem,1.6vw,3rem)}
    .wall .tile-cue,.wall .tile-facts,.wall .tile-place{font-size:clamp(1rem,1.1vw,2.2rem)}
    @media (forced-colors:active){.tile{border:3px solid}}

    """
}
