/// The script and the style of a report: its curves are read by pointer and keys.
enum ReadingScript {
  static let style = """

    .pages ul{max-width:64rem;margin:0 auto;padding:.75rem 1rem 0}
    .pages a{display:inline-block;padding:.4rem 0}
    .reading{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1rem;margin:.25rem 0 .75rem;font-size:.95rem}
    .reading input{flex:1 1 14rem;min-height:2.5rem;accent-color:var(--link)}
    .reading input:focus-visible{outline:2px solid var(--link);outline-offset:2px}
    .reading output{min-width:14rem;font-weight:600}
    .cursor{stroke:var(--ink);stroke-width:1.5;pointer-events:none}
    @media print{.reading,.pages{display:none}}

    """

  static let text = #"""
    // Reading the curves of a report: a slider under each drawing, moved by keys or by the pointer over the drawing.

    const length = Number(document.querySelector('meta[name=coach-seconds]')?.content);

    const two = number => String(number).padStart(2, '0');
    function clock(seconds) {
      const whole = Math.round(seconds);
      return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
    }

    // Labels are numbers, or paces such as 5:30.
    function value(text) {
      const parts = text.trim().replace('−', '-').split(':').map(Number);
      return parts.length === 2 ? {number: parts[0] * 60 + parts[1], isPace: true} : {number: parts[0], isPace: false};
    }

    // The lines of a curve, each a list of points of a box that is 1000 units wide.
    function lines(path) {
      const found = [];
      for (const [, letter, x, y] of path.matchAll(/([ML])(-?[\d.]+) (-?[\d.]+)/g)) {
        if (letter === 'M') found.push([]);
        found.at(-1).push([Number(x), Number(y)]);
      }
      return found;
    }

    // The height of the curve at a place; null in a gap.
    function height(all, x) {
      for (const points of all) {
        if (x < points[0][0] - 0.5 || x > points.at(-1)[0] + 0.5) continue;
        const next = points.findIndex(point => point[0] >= x);
        if (next <= 0) return points[next === 0 ? 0 : points.length - 1][1];
        const [[x0, y0], [x1, y1]] = [points[next - 1], points[next]];
        return x1 === x0 ? y1 : y0 + (y1 - y0) * (x - x0) / (x1 - x0);
      }
      return null;
    }

    function read(plot) {
      const curve = plot.querySelector('path.curve');
      const marks = [...plot.querySelectorAll('text.y')].map(node => ({y: Number(node.getAttribute('y')), ...value(node.textContent)}));
      if (!curve || marks.length < 2 || !(length > 0)) return;
      const [first, last] = [marks[0], marks.at(-1)];
      if (first.y === last.y || ![first, last].every(mark => Number.isFinite(mark.number))) return;
      const all = lines(curve.getAttribute('d'));
      const title = plot.querySelector('title').textContent;

      const row = document.createElement('div');
      row.className = 'reading';
      const slider = document.createElement('input');
      Object.assign(slider, {type: 'range', min: 0, max: Math.floor(length), step: Math.max(1, Math.round(length / 600)), value: 0});
      slider.setAttribute('aria-label', `Read: ${title}`);
      const output = document.createElement('output');
      row.append(slider, output);
      plot.after(row);
      const cursor = document.createElementNS('http://www.w3.org/2000/svg', 'line');
      cursor.setAttribute('class', 'cursor');
      cursor.setAttribute('y1', 0);
      cursor.setAttribute('y2', Math.max(...marks.map(mark => mark.y)));
      cursor.style.display = 'none';
      plot.append(cursor);

      const show = () => {
        const seconds = Number(slider.value);
        const y = height(all, seconds / length * 1000);
        let text = 'nothing recorded';
        if (y !== null) {
          const number = first.number + (last.number - first.number) * (y - first.y) / (last.y - first.y);
          text = first.isPace ? `${Math.floor(number / 60)}:${two(Math.round(number % 60) % 60)}` : `${Math.round(number * 10) / 10}`;
        }
        output.textContent = `${clock(seconds)}: ${text}`;
        slider.setAttribute('aria-valuetext', output.textContent);
        const place = `${seconds / length * 100}%`;
        cursor.setAttribute('x1', place);
        cursor.setAttribute('x2', place);
        cursor.style.display = '';
      };
      slider.addEventListener('input', show);
      slider.addEventListener('focus', show);
      output.textContent = 'Point at the curve, or use the arrow keys.';
      plot.addEventListener('pointermove', event => {
        const box = plot.getBoundingClientRect();
        slider.value = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * length;
        show();
      });
    }

    for (const plot of document.querySelectorAll('svg.plot')) read(plot);

    """#
}
