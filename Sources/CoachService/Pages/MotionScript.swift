internal import ActivityRecognition

/// The script of the motion of a device: blocks for the service, and labelled recordings for `coach motion train`.
enum MotionScript {
  static let text = #"""
    // The motion of a device: blocks of samples for the service, and recordings of one activity each, which stay here.

    const G = 9.80665;
    const BLOCK_MS = 1000;
    const GAP_MS = 250;
    const EVEN_GAP_MS = 500;
    const MOST_SAMPLES = 2000;
    const rounded = value => Math.round(value * 1e4) / 1e4;

    // What somebody may call an activity: the rule of `coach motion record` and of `coach history label`.
    const HIDDEN = /(?![\u200C\u200D\uFE0E\uFE0F])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
    const NO_NAMES = new Set(['\#(MotionModel.unknownLabel)', 'none', 'null', 'na', 'n/a', 'nan', '-', '']);
    const characters = text => typeof Intl.Segmenter === 'function' ? [...new Intl.Segmenter().segment(text)] : [...text];

    // The name without spaces around it; undefined for what is none.
    export function activityName(typed) {
      const name = typed.trim();
      if (HIDDEN.test(name) || NO_NAMES.has(name.toLowerCase()) || characters(name).length > \#(ActivityLabel.mostCharacters)) return undefined;
      return new TextEncoder().encode(name).length > \#(ActivityLabel.mostBytes) ? undefined : name;
    }

    // A sample in g and radians a second; undefined where no acceleration is measured.
    // Chromium and WebKit give the rates about x, y and z as alpha, beta and gamma, in degrees.
    export function sample(event) {
      const {accelerationIncludingGravity: a, rotationRate: r} = event;
      if (!a || [a.x, a.y, a.z].some(axis => axis === null)) return undefined;
      const turns = r && [r.alpha, r.beta, r.gamma].every(axis => axis !== null);
      return {at: event.timeStamp, acceleration: [a.x, a.y, a.z].map(axis => rounded(axis / G)),
        rotationRate: turns ? [r.alpha, r.beta, r.gamma].map(axis => rounded(axis * Math.PI / 180)) : undefined};
    }

    // Samples at an even rate, as `coach motion record --rows-per-second` makes them, and words for what that changed; none where the
    // device measured so. Where nothing came for over half a second there are no rows, or those that repeat what was measured last.
    export function evenly(samples, hertz, fills) {
      const [first, last] = [samples[0].at, samples.at(-1).at];
      if (!(last > first)) return {samples, words: ''};
      const between = (old, next, part) =>
        old && next && old.map((value, axis) => rounded(value + (next[axis] - value) * part));
      const rows = [];
      let [index, filled, leftOut] = [0, 0, 0];
      for (let row = 0; first + row * 1000 / hertz <= last + 1e-6; row += 1) {
        const at = first + row * 1000 / hertz;
        while (index + 1 < samples.length && samples[index + 1].at <= at + 1e-6) index += 1;
        const [before, after] = [samples[index], samples[index + 1]];
        if (!after || at <= before.at + 1e-6) rows.push({...before, at});
        else if (after.at - before.at <= EVEN_GAP_MS) {
          const part = (at - before.at) / (after.at - before.at);
          rows.push({at, acceleration: between(before.acceleration, after.acceleration, part),
            rotationRate: between(before.rotationRate, after.rotationRate, part)});
        } else if (fills) {
          rows.push({...before, at});
          filled += 1;
        } else leftOut += 1;
      }
      const isAsMeasured = leftOut === 0 && rows.length === samples.length
        && rows.every((one, place) => Math.abs(one.at - samples[place].at) < 1e-3);
      if (isAsMeasured) return {samples, words: ''};
      const gaps = filled > 0 ? `, ${filled} rows in gaps repeat what was measured last`
        : leftOut > 0 ? `, ${leftOut} rows in gaps left out` : '';
      const measured = ((samples.length - 1) / (last - first) * 1000).toFixed(1);
      const asked = hertz.toFixed(1);
      return {samples: rows,
        words: (measured === asked ? `times made even at ${asked} Hz` : `resampled from ${measured} to ${asked} Hz`) + gaps};
    }

    // Puts samples together into lines of a second; what follows a gap begins another.
    export class Blocks {
      samples = [];

      constructor(onLine) { this.onLine = onLine; }

      add(one) {
        const {samples} = this;
        const last = samples.at(-1);
        if (last && one.at <= last.at) return;
        const isAlike = !last || (one.rotationRate === undefined) === (last.rotationRate === undefined);
        if (last && (one.at - last.at > GAP_MS || !isAlike)) this.flush();
        else if (last && (one.at - samples[0].at >= BLOCK_MS || samples.length >= MOST_SAMPLES)) this.flush(one.at);
        this.samples.push(one);
      }

      // Gives what there is as a line. A block of one sample has no rate of its own.
      flush(until) {
        const {samples} = this;
        this.samples = [];
        if (samples.length === 0) return;
        const first = samples[0];
        const line = {type: 'motion', time: new Date(performance.timeOrigin + first.at).toISOString()};
        const steps = until === undefined ? samples.length - 1 : samples.length;
        const span = (until ?? samples.at(-1).at) - first.at;
        if (steps > 0 && span > 0) {
          line.rateHz = Math.min(1000, Math.max(1, Math.round(steps / span * 1e6) / 1e3));
          line.acceleration = samples.map(one => one.acceleration);
          if (first.rotationRate) line.rotationRate = samples.map(one => one.rotationRate);
        } else {
          line.acceleration = first.acceleration;
          if (first.rotationRate) line.rotationRate = first.rotationRate;
        }
        this.onLine(line);
      }
    }

    // The motion of the device while it is wanted.
    export class Motion {
      listeners = new Set();

      constructor() {
        this.take = event => {
          const one = sample(event);
          if (!one) return;
          for (const listener of this.listeners) listener(one);
        };
      }

      static get isThere() { return typeof DeviceMotionEvent !== 'undefined' && isSecureContext; }
      static get needsTap() { return typeof DeviceMotionEvent?.requestPermission === 'function'; }

      // Words that say why there is none; undefined when there is.
      async listen(listener, isTapped) {
        if (!Motion.isThere) return 'Not on this page: it needs HTTPS and a device with a motion sensor.';
        if (Motion.needsTap && !isTapped) return 'It needs a tap.';
        if (Motion.needsTap && await DeviceMotionEvent.requestPermission() !== 'granted') return 'Not allowed in this browser.';
        if (this.listeners.size === 0) addEventListener('devicemotion', this.take);
        this.listeners.add(listener);
        return undefined;
      }

      leave(listener) {
        this.listeners.delete(listener);
        if (this.listeners.size === 0) removeEventListener('devicemotion', this.take);
      }
    }

    // Recordings of one activity each, by their labels, as a CSV that `coach motion train` reads.
    export class Recordings {
      all = [];

      // `replaces`: whether it takes the place of the earlier ones of its label.
      add(label, samples, replaces) {
        if (replaces) this.all = this.all.filter(one => one.label !== label);
        this.all.push({label, samples});
      }

      get lines() {
        const counts = new Map();
        for (const {label, samples} of this.all) {
          const {count = 0, seconds = 0} = counts.get(label) ?? {};
          const span = samples.length > 1 ? (samples.at(-1).at - samples[0].at) / 1000 : 0;
          counts.set(label, {count: count + 1, seconds: seconds + span});
        }
        return [...counts].map(([label, {count, seconds}]) =>
          `${label}: ${count} ${count === 1 ? 'recording' : 'recordings'}, ${seconds.toFixed(1)} s`);
      }

      get csv() {
        const quoted = text => `"${text.replaceAll('"', '""')}"`;
        const rows = ['time_s,acc_x_g,acc_y_g,acc_z_g,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s,label,trial'];
        this.all.forEach(({label, samples: measured}, number) => {
          // The first events of some phones have no turning rate yet.
          const turning = measured.filter(one => one.rotationRate);
          const samples = (measured.length - turning.length) * 20 <= measured.length ? turning : measured;
          for (const one of samples)
            rows.push([((one.at - samples[0].at) / 1000).toFixed(4), ...one.acceleration, ...(one.rotationRate ?? ['', '', '']),
              quoted(label), number + 1].join(','));
        });
        return rows.join('\n') + '\n';
      }
    }

    // A countdown, then so many seconds of motion, with a beep at their beginning and end.
    export class Recorder {
      constructor(motion, onState) { Object.assign(this, {motion, onState}); }

      beep(hertz) {
        try {
          this.audio ??= new AudioContext();
          const tone = this.audio.createOscillator();
          tone.frequency.value = hertz;
          tone.connect(this.audio.destination);
          tone.start();
          tone.stop(this.audio.currentTime + 0.15);
        } catch {
          // It is shown all the same.
        }
        navigator.vibrate?.(100);
      }

      // The samples; none when there is no motion, or when it was stopped.
      async record(seconds, getReady) {
        if (this.isBusy) return [];
        this.isBusy = true;
        this.isStopped = false;
        const samples = [];
        const take = one => { if (this.isTaking && one.at > (samples.at(-1)?.at ?? -1)) samples.push(one); };
        const rest = async (count, words) => {
          for (let left = count; left > 0 && !this.isStopped; left -= 1) {
            this.onState(words(left));
            await new Promise(resolve => setTimeout(resolve, 1000));
          }
        };
        try {
          const problem = await this.motion.listen(take, true);
          if (problem) {
            this.onState(problem);
            return [];
          }
          await rest(getReady, left => `Get ready: ${left}`);
          this.beep(880);
          this.isTaking = true;
          await rest(seconds, left => `Recording: ${left} s`);
          this.isTaking = false;
          this.beep(660);
          if (this.isStopped) this.onState('Stopped: nothing is kept.');
          else if (samples.length < 2) this.onState('No motion was heard: nothing is kept.');
          return this.isStopped || samples.length < 2 ? [] : samples;
        } finally {
          this.isTaking = false;
          this.isBusy = false;
          this.motion.leave(take);
        }
      }

      stop() { this.isStopped = true; }
    }

    // The form by which activities are recorded.
    export class RecorderForm {
      recordings = new Recordings();

      constructor(motion, find) {
        this.find = find;
        this.recorder = new Recorder(motion, text => this.show(text));
        find('record').addEventListener('submit', event => {
          event.preventDefault();
          this.record();
        });
        find('record-save').addEventListener('click', () => this.save());
      }

      show(text) { this.find('record-state').textContent = text; }

      async record() {
        const {find, recorder, recordings} = this;
        if (recorder.isBusy) return recorder.stop();
        const label = activityName(find('record-label').value);
        if (label === undefined) {
          this.show('Type in what you do, such as walking. Expected \#(ActivityLabel.expected).');
          return find('record-label').focus();
        }
        find('record-start').textContent = 'Stop';
        try {
          const samples = await recorder.record(Number(find('record-seconds').value), 3);
          if (samples.length === 0) return;
          const hertz = Number(find('record-rate').value);
          const even = hertz > 0 ? evenly(samples, hertz, find('record-fill').checked) : {samples, words: ''};
          recordings.add(label, even.samples, find('record-replace').checked);
          const words = even.words && `: ${even.words}`;
          this.show(`${even.samples.length} samples of ${label} are kept on this page${words}.`);
          find('record-list').replaceChildren(...recordings.lines.map(text => {
            const item = document.createElement('li');
            item.textContent = text;
            return item;
          }));
          find('record-save').disabled = false;
        } finally {
          find('record-start').textContent = 'Record';
        }
      }

      save() {
        const file = document.createElement('a');
        file.href = URL.createObjectURL(new Blob([this.recordings.csv], {type: 'text/csv'}));
        file.download = 'motion.csv';
        file.click();
      }
    }

    """#
}
