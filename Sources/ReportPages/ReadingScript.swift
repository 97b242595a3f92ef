/// The script and the style of a report: its curves and the outline of the way are read by pointer, finger and keys.
///
/// There is neither `<` nor `&` in it, so that it reads the same as HTML and as XML.
package enum ReadingScript {
  static let style = """
    .reading{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1rem;margin:.25rem 0 .75rem;font-size:.95rem}
    .reading input{flex:1 1 14rem;height:2.5rem;accent-color:var(--link)}
    .reading input:focus-visible{outline:2px solid var(--link);outline-offset:2px}
    .reading output{min-width:14rem;font-weight:600}
    .plot,.track>svg{touch-action:pan-y}
    .cursor{stroke:var(--ink);stroke-width:1.5;pointer-events:none;visibility:hidden}
    .here{fill:var(--page);stroke:var(--ink);stroke-width:3;pointer-events:none;visibility:hidden}
    .moment .cursor,.moment .here{visibility:visible}
    @media print{.reading,.pages,.cursor,.here{display:none}}

    """

  /// The element of the head that says how many seconds the drawings are over.
  static let lengthName = "coach-seconds"

  /// The script.
  package static let text = #"""
    /* A slider under each drawing, moved by keys or by a pointer or finger over the drawing. All drawings show the same
       moment, and so does the outline of the way. */

    const length = Number(document.querySelector('meta[name=coach-seconds]')?.content);
    const readers = [];

    const two = number => String(number).padStart(2, '0');
    function clock(seconds) {
      const whole = Math.round(seconds);
      return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
    }

    /* Labels are numbers, or paces such as 5:30. */
    function value(text) {
      const parts = text.trim().replace('−', '-').split(':').map(Number);
      return parts.length === 2 ? {number: parts[0] * 60 + parts[1], isClock: true} : {number: parts[0], isClock: false};
    }

    /* How many of some numbers, which do not fall, are not above another. */
    function count(numbers, limit) {
      let [low, high] = [0, numbers.length];
      while (high > low) {
        const middle = (low + high) >> 1;
        if (numbers[middle] > limit) high = middle; else low = middle + 1;
      }
      return low;
    }

    /* The points of a path, and where its lines begin. */
    function points(path) {
      const [x, y, begins] = [[], [], []];
      for (const [, letter, left, top] of path.matchAll(/([ML])(-?[\d.]+) (-?[\d.]+)/g)) {
        begins.push(letter === 'M');
        x.push(Number(left));
        y.push(Number(top));
      }
      return {x, y, begins};
    }

    /* The height of a curve at a place; null in a gap. */
    function height(all, place) {
      const next = count(all.x, place);
      if (next === 0 || (next === all.x.length ? place > all.x.at(-1) + 0.5 : all.begins[next])) {
        const near = next === 0 ? 0 : place - all.x[next - 1] > 0.5 ? next : next - 1;
        return 0.5 >= Math.abs((all.x[near] ?? Infinity) - place) ? all.y[near] : null;
      }
      if (next === all.x.length) return all.y.at(-1);
      const [x0, x1] = [all.x[next - 1], all.x[next]];
      return all.y[next - 1] + (all.y[next] - all.y[next - 1]) * (x1 === x0 ? 1 : (place - x0) / (x1 - x0));
    }

    /* Shows a moment everywhere, once a frame. */
    let asked = null;
    function show(seconds) {
      if (asked === null) {
        requestAnimationFrame(() => {
          const moment = asked;
          asked = null;
          document.body.classList.add('moment');
          for (const reader of readers) reader(moment);
        });
      }
      asked = Math.min(length, Math.max(0, seconds));
    }

    function read(plot) {
      const curve = plot.querySelector('path.curve');
      const cursor = plot.querySelector('.cursor');
      const marks = [...plot.querySelectorAll('text.y')].map(node => ({y: Number(node.getAttribute('y')), ...value(node.textContent)}));
      if (!curve || !cursor || 2 > marks.length || !(length > 0)) return;
      const [first, last] = [marks[0], marks.at(-1)];
      if (first.y === last.y || ![first, last].every(mark => Number.isFinite(mark.number))) return;
      const all = points(curve.getAttribute('d'));

      const row = document.createElement('div');
      row.className = 'reading';
      const slider = document.createElement('input');
      const step = Math.max(1, Math.round(length / 600));
      /* The last stop is the end, whatever is left of a step. */
      Object.assign(slider, {type: 'range', min: 0, max: Math.ceil(length / step) * step, step, value: 0});
      const digits = plot.querySelector('title').textContent.startsWith('Heart rate') ? 1 : 10;
      slider.setAttribute('aria-label', `Read: ${plot.querySelector('title').textContent}`);
      const output = document.createElement('output');
      output.setAttribute('aria-live', 'off');
      output.textContent = 'Point at the curve, or use the arrow keys.';
      row.append(slider, output);
      plot.after(row);

      /* Paces as labels stand at places that are even in speed. */
      const scale = first.isClock ? seconds => 1 / seconds : number => number;
      readers.push(seconds => {
        const y = height(all, seconds / length * 1000);
        let text = 'nothing recorded';
        if (y !== null) {
          const at = scale(first.number) + (scale(last.number) - scale(first.number)) * (y - first.y) / (last.y - first.y);
          const whole = Math.round(1 / at);
          text = !first.isClock ? `${Math.round(at * digits) / digits}`.replace('-', '−') : at > 0 ? `${Math.floor(whole / 60)}:${two(whole % 60)}` : 'standing';
        }
        output.textContent = `${clock(seconds)}: ${text}`;
        slider.value = seconds === length ? slider.max : seconds;
        slider.setAttribute('aria-valuetext', output.textContent);
        const place = `${seconds / length * 100}%`;
        cursor.setAttribute('x1', place);
        cursor.setAttribute('x2', place);
      });
      slider.addEventListener('input', () => show(Number(slider.value)));
      slider.addEventListener('focus', () => show(Number(slider.value)));
      const point = event => {
        const box = plot.getBoundingClientRect();
        show((event.clientX - box.left) / box.width * length);
      };
      plot.addEventListener('pointermove', point);
      plot.addEventListener('pointerdown', point);
    }

    /* Where somebody was: the way has the seconds between its points. */
    function follow(way) {
      const drawing = way.ownerSVGElement;
      const here = drawing.querySelector('.here');
      const all = points(way.getAttribute('d'));
      let sum = 0;
      const seconds = way.getAttribute('data-seconds').split(' ').map(step => sum += Number(step));
      readers.push(moment => {
        const next = Math.max(1, count(seconds, moment));
        const isBetween = seconds.length > next ? !all.begins[next] : false;
        const share = isBetween ? Math.min(1, Math.max(0, (moment - seconds[next - 1]) / Math.max(1e-9, seconds[next] - seconds[next - 1]))) : 0;
        const place = list => list[next - 1] + (isBetween ? share * (list[next] - list[next - 1]) : 0);
        here.setAttribute('cx', place(all.x));
        here.setAttribute('cy', place(all.y));
      });
      drawing.addEventListener('pointermove', event => {
        const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
        let [best, nearest] = [Infinity, 0];
        all.x.forEach((x, index) => {
          const far = (x - at.x) ** 2 + (all.y[index] - at.y) ** 2;
          if (best > far) [best, nearest] = [far, index];
        });
        show(seconds[nearest]);
      });
    }

    for (const plot of document.querySelectorAll('svg.plot')) read(plot);
    for (const way of document.querySelectorAll('path[data-seconds]')) follow(way);

    """#
}
