/// The board of a live run, on `/live` and `/send`.
enum BoardScript {
  static let text = #"""
    // The board of a live run: what the terminal shows. A number that is older than five seconds is never shown.
    import { ago, clock, find } from './coach.js';

    export const STALE_SECONDS = 5;

    const ADVICE = {
      speedUp: {words: 'Speed up', little: 'A little faster', much: 'Much faster', vibration: [120, 100, 120]},
      hold: {words: 'Hold', vibration: [150]},
      slowDown: {words: 'Slow down', little: 'A little slower', much: 'Much slower', vibration: [700]},
    };
    export const advice = action => ADVICE[action];

    // What a reader of miles reads; what comes is metric.
    const reader = document.querySelector('[data-units]')?.dataset ?? {};
    const isImperial = reader.units === 'imperial';
    // What the page itself says, in the language of its reader.
    export const spoken = reader.words ? JSON.parse(reader.words) : {};
    // What is said of a cue, with how much of it is needed where the record says so.
    export const spokenCue = record => spoken[record.grade ? `${record.grade} ${record.action}` : record.action];
    // What is said to somebody who does something else than the step asks for.
    export const spokenReminder = record => spoken[`differs ${record.asked}`];
    export const language = reader.language ?? 'en';

    // Says a sentence; what is urgent does not wait for what is being said.
    export function speak(text, isUrgent) {
      if (!find('voice')?.checked || !window.speechSynthesis) return;
      const utterance = new SpeechSynthesisUtterance(text);
      utterance.lang = language;
      if (isUrgent) speechSynthesis.cancel();
      speechSynthesis.speak(utterance);
    }

    const split = isImperial ? {meters: 1609.344, name: 'mi'} : {meters: 1000, name: 'km'};
    const distance = meters => `${(meters / split.meters).toFixed(2)} ${split.name}`;
    const pace = seconds => `${clock(seconds * split.meters / 1000)} /${split.name}`;
    const left = meters => isImperial ? meters < 304.8 ? `${Math.ceil(meters / 0.3048)} ft` : distance(meters) : `${Math.ceil(meters)} m`;

    const now = () => performance.now() / 1000;
    function put(id, text) {
      const node = find(id);
      if (node && node.textContent !== text) node.textContent = text;
    }
    function show(id, isShown) {
      const node = find(id);
      if (node) node.hidden = !isShown;
    }

    // What is so at one moment: without news it is as old as a heart rate would be. What adds up stays, in grey.
    const MOMENTARY = ['pace', 'lap-time', 'lap-pace', 'cadence', 'alpha1'];

    // What advice from before it says nothing of any more.
    const OTHERWISE = ['paused', 'resumed', 'stepChanged', 'targetChanged', 'strategyChanged'];

    export class Board {
      state = null;
      at = 0;
      // A heart rate that comes from this device: {bpm, at}, or null where none does.
      own = null;
      cue = null;
      // What is done is not what the step asks for: the words, until something else is done or asked for.
      reminder = '';
      isOver = false;
      // What happened beside the cues, where the page has a place for it: {node, until}.
      notices = [];
      // A pause, or its end, that was asked for on this device and is not known to hold yet: {isPaused, id, isTaken}.
      asked = null;
      connection = 'Connecting…';

      // `isOwn`: whether this device measures the run, so that it knows of its time without the service.
      constructor(isOwn = false) {
        this.isOwn = isOwn;
        setInterval(() => this.draw(), 500);
        this.draw();
      }

      take(record) {
        if (record.type === 'state') {
          if (this.asked?.isTaken || this.asked?.isPaused === record.isPaused) this.asked = null;
          this.state = record;
          this.at = now();
          this.active = {seconds: record.activeSeconds ?? record.atSeconds, at: this.at, isPaused: record.isPaused};
          if (record.said) speak(record.said.join(' '), false);
          if (record.notices) this.notice(record.notices);
          // Of one whose age is not known nobody knows that it is fresh.
          this.measuredAt = this.at - (record.heartRateAgeSeconds ?? Infinity);
        } else if (record.type === 'cue') {
          if (!this.cue || record.atSeconds >= this.cue.atSeconds) this.cue = record;
        } else if (record.type === 'activityDiffers') {
          this.reminder = record.message;
        } else if (record.type === 'activity' || record.type === 'stepChanged') {
          this.reminder = '';
        } else if (record.type === 'ended') {
          this.isOver = true;
          this.cue = null;
          this.reminder = '';
        }
        // Advice is of what was asked for when it was given. Records may come twice, and then behind what is newer than they are.
        const isAnother = OTHERWISE.includes(record.type) || (record.type === 'signalLost' && record.quantity === this.state?.quantity);
        if (isAnother && this.cue && record.atSeconds > this.cue.atSeconds) this.cue = null;
        this.draw();
      }

      // Newer notices take the place of older ones, as on a terminal: what is back is not missing any more.
      notice(notices) {
        const list = find('notices');
        if (!list) return;
        this.notices = notices.map(({text, seconds}) => {
          const node = document.createElement('p');
          node.textContent = text;
          return {node, until: now() + seconds};
        });
        list.replaceChildren(...this.notices.map(notice => notice.node));
      }

      // Each goes after its time. One that stays is not put there anew, so that it is read aloud once.
      drawNotices() {
        for (const {node, until} of this.notices) if (this.isOver || until <= now()) node.remove();
        this.notices = this.notices.filter(notice => notice.node.isConnected);
      }

      // What was asked for on this device: the button leads on at once, also where the service hears of it later.
      ask(isPaused, id) {
        if (this.active) this.active = {seconds: this.activeSeconds(true), at: now(), isPaused};
        this.asked = {isPaused, id, isTaken: false};
        this.draw();
      }

      // Lines have gone out: what was asked for among them holds, or is refused, as the next state says.
      settle(lines) {
        if (this.asked && lines.includes(this.asked.id)) this.asked.isTaken = true;
      }

      // The heart rate with its band, where it is fresh; and for how long there has been none.
      heart() {
        if (this.isOver) return null;
        if (this.own) {
          const age = now() - this.own.at;
          return this.own.bpm && age <= STALE_SECONDS ? {bpm: this.own.bpm, band: this.bandOf(this.own.bpm)} : null;
        }
        if (!this.state) return null;
        const {heartRateBPM, band} = this.state;
        return heartRateBPM && now() - this.measuredAt <= STALE_SECONDS ? {bpm: heartRateBPM, band} : null;
      }

      // The band of a heart rate of this device, by the zones of the page, else as the server judged last.
      bandOf(bpm) {
        const zones = [...document.querySelectorAll('#zones li')];
        for (const zone of zones)
          if (bpm >= Number(zone.dataset.lower || 0) && bpm <= Number(zone.dataset.upper || 999)) return zone.dataset.band;
        return this.state && now() - this.at <= STALE_SECONDS ? this.state.band : undefined;
      }

      // Whether nothing has been heard of the run for a while.
      get isLost() { return !this.isOver && (!this.state || now() - this.at > STALE_SECONDS); }

      draw() {
        const {isLost} = this;
        const heart = this.heart();
        document.body.classList.toggle('stale', isLost || !heart);
        put('bpm', heart ? String(heart.bpm) : '–');
        this.drawZone(heart, isLost);
        this.drawStatus(isLost, heart);
        this.drawCue(isLost, heart);
        this.drawPause();
        this.drawNotices();
        this.drawFacts(isLost);
      }

      drawPause() {
        const pause = find('pause');
        if (!pause) return;
        const isPaused = Boolean(this.asked?.isPaused ?? this.state?.isPaused);
        put('pause', isPaused ? 'Go on' : 'Pause');
        pause.dataset.command = isPaused ? 'resume' : 'pause';
      }

      drawZone(heart, isLost) {
        const names = {below: 'Below zone 1', aboveMaximum: 'Above the maximum', inTarget: 'In the target',
          belowTarget: 'Under the target', aboveTarget: 'Over the target', under: 'Under the target',
          in: 'In the target', over: 'Over the target'};
        let text = this.isOver ? 'The run is over' : isLost && !this.own ? 'Not known' : 'No heart rate';
        for (const zone of document.querySelectorAll('#zones li')) {
          const isHere = heart?.band === zone.dataset.band;
          zone.classList.toggle('here', isHere);
          if (isHere) text = zone.dataset.name;
        }
        if (heart && text === 'No heart rate')
          text = names[heart.band] ?? heart.band?.replace(/^zone/, 'Zone ') ?? 'Zone not known yet';
        put('zone', text);
        put('place', this.place(heart));
      }

      // Where the heart rate lies is said before its zone, in words.
      place(heart) {
        const [lower, upper] = [this.state?.targetLowerBPM, this.state?.targetUpperBPM];
        if (!heart || this.state?.isPaused || this.state?.targetText || (!lower && !upper)) return '';
        return heart.bpm < lower ? `${lower - heart.bpm} below` : heart.bpm > upper ? `${heart.bpm - upper} above` : 'On target';
      }

      drawStatus(isLost, heart) {
        const waiting = !this.asked ? '' : this.asked.isPaused ? ' The pause waits on this device.' : ' Going on waits on this device.';
        let [kind, text] = ['good', 'Live'];
        if (this.isOver) [kind, text] = ['over', 'The run is over.'];
        else if (!this.state) [kind, text] = ['bad', (this.connection || 'Waiting for the first sample.') + waiting];
        else if (isLost) [kind, text] = ['bad', `No news for ${Math.round(now() - this.at)} s. ${this.connection}`.trim() + waiting];
        else if (this.state.isPaused) [kind, text] = ['paused', 'Paused'];
        else if (!heart) [kind, text] = ['bad', 'No heart rate: one that is older than 5 s is not shown.'];
        put('status', text);
        find('status').dataset.kind = kind;
      }

      // Whether the newest cue is advice still: the state says so, as soon as it is not older than the cue.
      get holds() {
        const {cue, state} = this;
        return !state || state.atSeconds < cue.atSeconds || state.cue?.atSeconds === cue.atSeconds;
      }

      drawCue(isLost, heart) {
        const age = this.cue && this.state ? this.state.atSeconds - this.cue.atSeconds + (now() - this.at) : 0;
        // A pace is judged without a heart rate.
        const isKnown = this.state?.quantity ? this.state.valueText : heart;
        const isShown = this.cue && this.holds && !this.isOver && !isLost && isKnown && !this.state?.isPaused && age < 180;
        const action = isShown ? this.cue.action : 'none';
        find('cue').dataset.action = action;
        put('cue-words', isShown ? advice(action)[this.cue.grade] ?? advice(action).words : this.waiting(isLost, isKnown));
        // The record is metric; the state has the same in the units of the reader.
        const read = this.state?.cue;
        const own = read && read.atSeconds === this.cue?.atSeconds ? read.message : undefined;
        put('cue-detail', isShown ? own ?? (isImperial && this.state?.quantity ? '' : this.cue.message) : '');
        put('cue-age', isShown ? ago(age) : '');
      }

      // What stands there without advice: what the runner is at, rather than that there is none.
      waiting(isLost, isKnown) {
        const {state} = this;
        if (this.isOver) return 'Well done';
        if (!state || isLost) return 'No advice now';
        if (state.isPaused) return 'Paused';
        if (!isKnown) return 'No advice now';
        if (state.step) return state.step.title;
        const target = find('target').textContent;
        return target === 'none' || target === '–' ? 'Nothing is asked for' : `Target ${target}`;
      }

      // The numbers that the reader chose, large; what stands there does not stand below once more.
      drawFields(fields, isLost) {
        const list = find('fields');
        if (!list) return;
        const names = fields.map(field => field.field);
        if (list.dataset.names !== names.join()) {
          list.dataset.names = names.join();
          list.replaceChildren(...fields.map(() => {
            const group = document.createElement('div');
            group.append(document.createElement('dt'), document.createElement('dd'));
            return group;
          }));
          for (const name of ['distance', 'pace', 'compliance', 'time']) find(name).parentElement.hidden = names.includes(name);
        }
        fields.forEach((field, index) => {
          const [title, value] = list.children[index].children;
          const here = new Date();
          const text = field.field === 'clock'
            ? `${here.getHours()}:${String(here.getMinutes()).padStart(2, '0')}`
            : isLost && field.field === 'time' ? this.time(isLost)
            : field.value === undefined || (isLost && MOMENTARY.includes(field.field)) ? '–' : `${field.value} ${field.unit}`.trim();
          if (title.textContent !== field.title) title.textContent = field.title;
          if (value.textContent !== text) value.textContent = text;
        });
        list.hidden = fields.length === 0;
      }

      // The active time. Where nothing is heard of the run, the device that measures it knows it by its own clock.
      activeSeconds(isLost) {
        const {seconds, at, isPaused} = this.active;
        return isLost && !isPaused ? seconds + now() - at : seconds;
      }
      time(isLost) { return isLost && !this.isOwn ? '–' : clock(this.activeSeconds(isLost)); }
      // The step of the plan is the page's first job: what is left of it is larger than the heart rate.
      drawStep(isLost) {
        const step = this.isOver ? undefined : this.state.step;
        show('step', Boolean(step));
        document.body.classList.toggle('in-step', Boolean(step));
        if (!step) return;
        const isCalled = step.name ?? step.activity;
        put('step-name', isCalled ? `${step.title}, step ${step.number} of ${step.count}` : step.title);
        const isOpen = step.remainingSeconds === undefined && step.remainingMeters === undefined;
        const rest = isOpen ? clock(step.activeSeconds) : step.remainingSeconds !== undefined
          ? clock(Math.ceil(step.remainingSeconds)) : left(step.remainingMeters);
        put('step-left', isLost ? '–' : rest);
        put('step-title', isOpen ? 'so far, until a lap' : 'left');
        const target = find('target').textContent;
        put('step-target', target === 'none' ? 'no target' : target);
        // Whole seconds that are over, as those of the run: with what is left they are as long as the step.
        put('step-in-target', step.coveredSeconds ? `in target ${clock(step.inTargetSeconds)} of ${clock(step.coveredSeconds)}` : '');
        put('step-next', step.nextText ? `next: ${step.nextText}` : 'the last step');
        const [whole, rests] = step.durationSeconds ? [step.durationSeconds, step.remainingSeconds]
          : [step.distanceMeters, step.remainingMeters];
        show('step-done', Boolean(whole) && !isLost);
        if (whole) find('step-done').value = Math.min(1, Math.max(0, 1 - (rests ?? whole) / whole));
      }

      drawFacts(isLost) {
        const {state} = this;
        if (!state) return;
        const unknown = '–';
        put('time', this.time(isLost));
        const [lower, upper] = [state.targetLowerBPM, state.targetUpperBPM];
        put('target', state.targetText ? state.targetText : lower && upper ? `${lower}–${upper} bpm`
          : lower ? `${lower} bpm and more` : upper ? `up to ${upper} bpm` : 'none');
        put('distance', state.distanceMeters === undefined ? unknown : distance(state.distanceMeters));
        put('pace', state.paceSecondsPerKilometer && !isLost ? pace(state.paceSecondsPerKilometer) : unknown);
        put('compliance', state.compliance === undefined ? unknown : `${Math.round(state.compliance * 100)} %`);
        put('steps', state.steps === undefined ? unknown : String(state.steps));
        this.drawFields(state.fields ?? [], isLost);
        // Of a run that is over, or of which nothing is heard, nothing is counted down.
        put('check', this.isOver || isLost || state.secondsToNextCheck === undefined ? unknown : clock(state.secondsToNextCheck));
        const recognized = find('recognized');
        recognized.parentElement.hidden = state.activity === undefined;
        put('recognized', state.activity === 'unknown' ? 'not known' : state.activity ?? unknown);
        put('step-differs', this.reminder);
        this.drawStep(isLost);
      }
    }

    """#
}
