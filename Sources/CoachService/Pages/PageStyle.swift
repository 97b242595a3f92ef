/// The style sheet of the pages, beside the colours of the reports.
enum PageStyle {
  static let text = """
    :root{color-scheme:light dark;--action:#0b57a4;--on-action:#fff}
    @media (prefers-color-scheme:dark){:root{--action:#7db9ff;--on-action:#10151b}}
    *{box-sizing:border-box}
    html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
    body{margin:0;min-height:100vh;display:flex;flex-direction:column;background:var(--page);color:var(--ink);font:1rem/1.5 \
    system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums}
    header,main,footer{width:100%;max-width:64rem;margin:0 auto;padding:0 1rem}
    header{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.25rem;padding-top:.5rem;padding-bottom:.5rem;\
    border-bottom:1px solid var(--line)}
    header p{margin:0}
    .wide header,.wide main,.wide footer{max-width:none;padding-left:clamp(1rem,2vw,3rem);padding-right:clamp(1rem,2vw,3rem)}
    .brand{font-size:1.15rem;letter-spacing:-.01em}
    nav ul{display:flex;flex-wrap:wrap;gap:.25rem;list-style:none;margin:0;padding:0}
    nav a{display:block;padding:.5rem .6rem;border-radius:.4rem;color:var(--link)}
    nav a[aria-current]{background:var(--panel);color:var(--ink);font-weight:600;text-decoration:none}
    .who{margin-left:auto;color:var(--soft);display:flex;align-items:center;gap:.6rem;max-width:100%;overflow-wrap:anywhere}
    main{flex:1}
    main:focus{outline:none}
    footer{color:var(--soft);font-size:.875rem;padding-top:1.5rem;padding-bottom:1rem}
    h1{font-size:1.7rem;line-height:1.2;margin:1.25rem 0 .5rem;letter-spacing:-.01em;overflow-wrap:anywhere}
    h2{font-size:1.2rem;line-height:1.3;margin:1.75rem 0 .5rem}
    p{margin:.5rem 0;max-width:46rem}
    a{color:var(--link)}
    code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
    pre{background:var(--panel);border:1px solid var(--line);border-radius:.5rem;padding:.75rem 1rem;white-space:pre-wrap;margin:.75rem 0}
    .skip{position:absolute;left:-100vw;top:0;padding:.75rem 1rem;background:var(--page);z-index:2}
    .skip:focus{left:0}
    :focus-visible{outline:3px solid var(--link);outline-offset:2px}
    .soft{color:var(--soft);font-size:.875rem}
    [hidden]{display:none!important}
    button,.button,select,input{font:inherit;min-height:2.75rem;border-radius:.5rem;border:1px solid var(--gray);\
    background:var(--page);color:var(--ink);padding:.45rem .9rem}
    button,.button{cursor:pointer;font-weight:600;background:var(--panel);display:inline-flex;align-items:center;\
    justify-content:center;text-decoration:none;text-align:center}
    button:disabled,button[aria-disabled=true]{cursor:default;background:var(--panel);color:var(--soft);border-color:var(--gray);border-style:dashed}
    header button{font-weight:400;padding:.25rem .7rem}
    .main,.large{background:var(--action);border-color:var(--action);color:var(--on-action)}
    .large{font-size:1.3rem;min-height:4rem;padding:.75rem 2rem}
    button.wide{width:100%}
    .notice{border:1px solid var(--line);border-left:.4rem solid var(--ink);border-radius:.4rem;background:var(--panel);\
    padding:.6rem 1rem;margin:.75rem 0;max-width:46rem}
    .notice p:first-child{margin-top:0}
    .notice p:last-child{margin-bottom:0}
    .cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(17rem,100%),1fr));gap:1rem;padding:0;margin:1rem 0;\
    list-style:none}
    .cards>li{border:1px solid var(--line);background:var(--panel);border-radius:.6rem;padding:1rem}
    .cards h2{margin:0 0 .25rem}
    .cards h3{margin:0 0 .25rem;font-size:1.05rem;overflow-wrap:anywhere}
    form.fields{display:grid;gap:1rem;max-width:46rem;grid-template-columns:repeat(auto-fit,minmax(min(15rem,100%),1fr))}
    form.fields>*{min-width:0}
    .field{display:flex;flex-direction:column;gap:.2rem}
    .field label{font-weight:600}
    .field .soft{margin:0}
    fieldset{border:1px solid var(--line);border-radius:.5rem;margin:0;padding:.5rem 1rem .75rem}
    legend{font-weight:600;padding:0 .3rem}
    .check{display:flex;gap:.6rem;align-items:center;min-height:2.75rem}
    .check input{min-height:1.5rem;width:1.5rem;height:1.5rem;flex:none;accent-color:var(--action)}
    .all{grid-column:1/-1}
    .scroll{overflow-x:auto}
    table{border-collapse:collapse;width:100%;font-size:.95rem}
    caption{text-align:left;color:var(--soft);font-size:.875rem;padding:.3rem 0}
    th,td{padding:.5rem .6rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
    th:first-child,td:first-child{text-align:left}
    tbody th{white-space:normal;min-width:6.5rem}
    thead th{background:var(--panel)}
    .status{font-size:clamp(1rem,1.6vw,2rem);margin:.6rem 0;max-width:none;font-weight:600}
    .status::before{content:"";display:inline-block;width:.6em;height:.6em;margin-right:.5em;background:var(--ink)}
    .status[data-kind=good]::before{border-radius:50%}
    .status[data-kind=bad]::before{background:none;border:.12em solid var(--ink);box-sizing:border-box}
    .status[data-kind=paused]::before{background:none;border:solid var(--ink);border-width:0 .2em;box-sizing:border-box}
    .status[data-kind=over]::before{background:var(--gray)}
    .notices{min-height:1.5em;font-size:clamp(1rem,1.4vw,1.8rem)}
    .notices p{margin:0;max-width:none;font-weight:600;overflow-wrap:anywhere}
    .live-title{font-size:clamp(1rem,1.4vw,1.8rem);margin:.6rem 0 0}
    .board{display:grid;grid-template-columns:minmax(0,1fr);gap:clamp(.75rem,1.2vw,2rem)}
    .board>section{border:1px solid var(--line);border-radius:.9rem;padding:clamp(.5rem,1.5vw,2rem)}
    .pulse{background:var(--panel);text-align:center;display:flex;flex-direction:column;justify-content:center}
    .pulse p{max-width:none;margin:0}
    .number{display:flex;justify-content:center;align-items:baseline;gap:.1em;line-height:1;font-weight:700}
    #bpm{font-size:clamp(8.5rem,min(24vw,42vh),44rem);letter-spacing:-.03em;min-width:1.1em}
    .stale #bpm{color:var(--soft)}
    .stale .unit{visibility:hidden}
    .narrow{display:none}
    @media (max-width:40rem){
    .notices{min-height:3em}
    table{font-size:.8125rem}
    th,td{padding:.5rem .2rem}
    thead th{white-space:normal;vertical-align:bottom}
    tbody th{min-width:5rem}
    .broad{display:none}
    .narrow{display:block;font-weight:400;color:var(--soft);overflow-wrap:anywhere}
    }
    .unit{font-size:clamp(1rem,2.4vw,4rem);font-weight:400;color:var(--soft)}
    #place{font-size:clamp(1.5rem,3.6vw,6rem);font-weight:800;line-height:1.15}
    #place:empty{display:none}
    #zone{font-size:clamp(1.5rem,3.6vw,6rem);font-weight:700;line-height:1.15}
    .zones{display:flex;gap:.3rem;list-style:none;margin:.9rem 0 0;padding:0;font-size:clamp(.75rem,1vw,1.7rem)}
    .zones:empty{display:none}
    .zones li{flex:1;min-width:0;border-top:.5em solid var(--gray);padding:.2em .1em;color:var(--soft);border-radius:.2em}
    .zones li[data-color=cyan]{border-color:var(--cyan)}
    .zones li[data-color=blue]{border-color:var(--blue)}
    .zones li[data-color=green]{border-color:var(--green)}
    .zones li[data-color=orange]{border-color:var(--orange)}
    .zones li[data-color=red]{border-color:var(--red)}
    .zones li[data-color=magenta]{border-color:var(--magenta)}
    .zones li[data-color=yellow]{border-color:var(--yellow)}
    .zones li.here{color:var(--page);background:var(--ink);font-weight:700}
    .zones li.here::before{content:"◆ "}
    .cue{display:flex;flex-direction:column;align-items:center;justify-content:center;gap:.4rem;text-align:center;\
    background:var(--panel);min-height:11rem}
    .cue p{margin:0;max-width:100%;overflow-wrap:anywhere}
    .cue svg{display:none;width:clamp(4.5rem,12vw,22rem);height:auto}
    .board>.cue[data-action=speedUp],.board>.cue[data-action=slowDown]{background:var(--ink);color:var(--page);border-color:var(--ink)}
    .board>.cue[data-action=hold]{border:.5rem solid var(--ink)}
    .cue[data-action=slowDown] .down{order:1}
    .cue[data-action=speedUp] .up,.cue[data-action=hold] .round,.cue[data-action=slowDown] .down{display:block}
    #cue-words{font-size:clamp(2.4rem,6vw,11rem);line-height:1.05;font-weight:800;letter-spacing:-.01em}
    .cue[data-action=none] #cue-words{font-size:clamp(1.3rem,2.6vw,4rem);font-weight:600;color:var(--soft)}
    #cue-detail,#cue-age{font-size:clamp(1rem,1.5vw,2.4rem)}
    .board>.step{background:var(--panel);display:flex;flex-wrap:wrap;align-items:center;gap:.2rem clamp(1rem,3vw,4rem)}
    .step p{margin:0;max-width:none;overflow-wrap:anywhere;font-size:clamp(1.1rem,2vw,3.2rem)}
    .step p:empty{display:none}
    .step-words{flex:1 1 14rem;min-width:0}
    .step #step-left{font-size:clamp(5rem,min(22vw,40vh),40rem);font-weight:700;line-height:1;font-variant-numeric:tabular-nums}
    .step #step-name,.step #step-target{font-weight:700;font-size:clamp(1.3rem,2.6vw,4.5rem)}
    #step-differs{font-weight:700}
    #step-done{flex:1 0 100%;height:.6rem;accent-color:var(--ink)}
    .in-step #bpm{font-size:clamp(4rem,min(11vw,20vh),20rem)}
    .in-step .board>.cue{min-height:0}
    .facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(8.5rem,44%),1fr));gap:clamp(.5rem,1vw,1.5rem);margin:0}
    .facts div{border:1px solid var(--line);border-radius:.6rem;background:var(--panel);padding:.4rem .8rem;min-width:0}
    .facts dt{color:var(--soft);font-size:clamp(.85rem,1vw,1.7rem)}
    .facts dd{margin:0;font-weight:700;font-size:clamp(1.35rem,1.85vw,4rem);line-height:1.3;overflow-wrap:anywhere}
    .facts[hidden]{display:none}
    .facts.chosen{grid-template-columns:repeat(auto-fit,minmax(min(11rem,44%),1fr))}
    .facts.chosen dt::first-letter{text-transform:uppercase}
    .facts.chosen dd{font-size:clamp(2rem,3.6vw,8rem);line-height:1.15;font-variant-numeric:tabular-nums}
    .stale .facts dd{font-weight:400;color:var(--soft)}
    .commands{display:flex;flex-wrap:wrap;gap:.75rem;margin:1rem 0;align-items:stretch}
    .commands button{flex:1 1 9rem;font-size:clamp(1.1rem,1.4vw,2rem);min-height:3.75rem}
    .commands.targets button{flex:1 1 5rem;min-height:3rem;font-size:1rem}
    details{margin:1rem 0}
    summary{cursor:pointer;min-height:2.75rem;padding:.5rem 0;font-weight:600}
    dialog{border:1px solid var(--line);border-radius:.8rem;background:var(--page);color:var(--ink);padding:1.5rem;max-width:min(28rem,92vw)}
    dialog::backdrop{background:rgb(0 0 0/.6)}
    dialog h2{margin-top:0}
    .note{min-height:1.5em}
    .sources{list-style:none;margin:1rem 0;padding:0;display:grid;gap:.6rem;grid-template-columns:repeat(auto-fit,minmax(min(17rem,100%),1fr))}
    .sources li{border:1px solid var(--line);border-radius:.6rem;padding:.6rem .9rem;background:var(--panel)}
    .sources p{margin:.1rem 0}
    @media (min-width:60rem){
    .board{grid-template-columns:minmax(0,1.15fr) minmax(0,1fr)}
    .board>.step,.board>.facts{grid-column:1/-1}
    body:not(.in-step) #bpm{font-size:clamp(8.5rem,min(17.5vw,46vh),44rem)}
    }
    @media (forced-colors:active){.cue,.zones li.here{border:3px solid}}

    """
}
