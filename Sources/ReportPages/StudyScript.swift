/// The script and the style of the boxes of a study's page.
///
/// There is neither `<` nor `&` in it, so that it reads the same as HTML and as XML.
enum StudyScript {
  static let style = """
    .shown{margin:1rem 0;padding:.25rem 1rem;border:1px solid var(--line);border-radius:.5rem}
    .shown[hidden]{display:none}
    .shown fieldset{border:0;margin:.5rem 0;padding:0;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;min-width:0}
    .shown legend{font-weight:600;padding:0}
    .shown label{display:inline-flex;align-items:center;gap:.4rem;min-height:1.75rem;overflow-wrap:anywhere}
    .shown input{width:1.15rem;height:1.15rem;accent-color:var(--link);flex:none}
    .shown button{font:inherit;padding:.35rem .75rem;margin:.25rem 0;border:1px solid var(--gray);border-radius:.4rem;background:var(--page);color:var(--link);cursor:pointer}
    .shown input:focus-visible,.shown button:focus-visible{outline:2px solid var(--link);outline-offset:2px}
    .off{display:none}
    @media print{.shown{display:none}}

    """

  /// The identity of the element that has the data.
  static let dataName = "study-data"

  static let text = #"""
    /* Boxes choose which arms and behaviours are shown; buttons hand out the data that the page carries. */

    const bar = document.getElementById('shown');
    const data = document.getElementById('study-data').textContent;
    const boxes = kind => [...bar.querySelectorAll(`input[name=${kind}]`)];
    const off = kind => new Set(boxes(kind).filter(box => !box.checked).map(box => box.value));

    /* Rows of a drawing close up, its axis stands under the last of them, and its words are those of what is shown. */
    function arrange(drawing) {
      let [top, before] = [0, 0];
      const words = [];
      for (const row of drawing.querySelectorAll('g[data-height]')) {
        const height = Number(row.dataset.height);
        if (!row.classList.contains('off')) {
          row.setAttribute('transform', `translate(0 ${top - before})`);
          words.push(row.querySelector('circle title').textContent);
          top += height;
        }
        before += height;
      }
      drawing.setAttribute('height', top);
      for (const line of drawing.querySelectorAll('line.grid, line.axis')) line.setAttribute('y2', top);
      for (const mark of drawing.querySelectorAll('text.mid')) mark.setAttribute('y', top);
      drawing.querySelector('desc').textContent = `${words.join('; ')}.`;
      drawing.closest('figure').classList.toggle('off', words.length === 0);
    }

    function show() {
      const [arms, behaviours] = [off('arm'), off('behaviour')];
      /* What is of some arms goes with each of them; a heading goes with the last of what stands under it. */
      const lacks = set => set.split(' ').some(arm => arms.has(arm));
      for (const node of document.querySelectorAll('[data-arms], [data-any-arms], [data-behaviour]')) {
        const of = node.dataset;
        node.classList.toggle('off', [
          of.arms ? lacks(of.arms) : false,
          of.anyArms ? of.anyArms.split(',').every(lacks) : false,
          of.anyBehaviours ? of.anyBehaviours.split(',').every(number => behaviours.has(number)) : false,
          behaviours.has(of.behaviour),
        ].some(Boolean));
      }
      for (const drawing of document.querySelectorAll('svg.dots')) arrange(drawing);
      const count = (kind, hidden) => `${boxes(kind).length - hidden.size} of ${boxes(kind).length} ${kind}s`;
      const parts = [['behaviour', behaviours], ['arm', arms]].filter(([kind]) => boxes(kind).length > 0);
      const words = document.getElementById('shown-words');
      words.textContent = arms.size + behaviours.size === 0 ? 'Everything is shown.'
        : `Shown: ${parts.map(([kind, hidden]) => count(kind, hidden)).join(', ')}. The figures are those of all.`;
    }

    /* The outcomes of every arm in a row, whatever is shown. */
    function table() {
      const rows = [];
      const flat = (value, name, row) => {
        if (value !== null ? typeof value === 'object' : false) {
          for (const [key, part] of Object.entries(value)) flat(part, name === '' ? key : `${name}.${key}`, row);
        } else row.set(name, value);
      };
      for (const line of data.trim().split('\n')) {
        const {arms, contrasts, ...common} = JSON.parse(line);
        for (const arm of arms) {
          const row = new Map();
          for (const key of ['name', 'studyHash', 'seed', 'runners', 'activity', 'population', 'target', 'behaviour',
            ...('trial' in common ? ['trial', 'protocolSHA256'] : [])]) {
            row.set(key, common[key] ?? '');
          }
          flat(arm, '', row);
          for (const key of ['course', 'heart']) if (key in common) row.set(key, common[key]);
          rows.push(row);
        }
      }
      const names = [...new Set(rows.flatMap(row => [...row.keys()]))];
      const cell = value => /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
      return [names, ...rows.map(row => names.map(name => row.get(name) ?? ''))]
        .map(row => row.map(value => cell(String(value))).join(',')).join('\r\n') + '\r\n';
    }

    for (const button of bar.querySelectorAll('button')) {
      button.addEventListener('click', () => {
        const isTable = button.value === 'csv';
        const link = document.createElement('a');
        link.href = URL.createObjectURL(new Blob([isTable ? table() : data], {type: isTable ? 'text/csv' : 'application/x-ndjson'}));
        link.download = `study.${button.value}`;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10000);
      });
    }
    bar.addEventListener('change', show);
    bar.hidden = false;
    /* A browser keeps boxes over a reload. */
    show();

    """#
}
