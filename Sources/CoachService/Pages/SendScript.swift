internal import ZoneEngine

/// The script of a run on `/send`.
enum SendScript {
  static let text = #"""
    // The browser as the sensor and the bracelet of a run.
    import { find, makeID } from './coach.js';
    import { Board, STALE_SECONDS, advice, speak, spoken, spokenCue, spokenReminder } from './board.js';
    import { answerCommands, holdCommands } from './commands.js';
    import { Events } from './events.js';
    import { Queue } from './queue.js';
    import { Blocks, Motion, RecorderForm } from './motion.js';
    import { OrderForm, explain, warn } from './order.js';
    import { Position, Screen, Silences, Steps, Strap } from './sensors.js';

    const LOSS_VIBRATION = [80, 60, 80, 60, 80, 60, 80];
    const REMINDER_VIBRATION = [120, 80, 120, 80, 120];
    const OLDEST_ADVICE_SECONDS = 30;
    const put = (id, text) => { if (find(id).textContent !== text) find(id).textContent = text; };
    // What the service takes for a heart rate.
    const isPlausible = bpm => bpm >= \#(Int(SignalFilter.plausible.lowerBound)) && bpm <= \#(Int(SignalFilter.plausible.upperBound));
    const stamp = () => new Date().toISOString();

    let queue, board, run, events;
    // By what it is known whose a run on this device is: what this page was made for.
    const ownersOf = page => (page.querySelector('[data-owner]')?.dataset.owner ?? '').split(' ').filter(owner => owner);
    const owners = ownersOf(document);
    let pending = [];
    const given = new Set();

    // Advice

    function vibrate(pattern) {
      // A page that nobody has touched since it was loaded may not vibrate, and says so on the console.
      if (navigator.vibrate && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate(pattern);
    }

    // Records come with the answers and by the stream: each is given once. One that is old is shown, not spoken.
    function take(record, sentAt) {
      board.take(record);
      if (record.type === 'state') return;
      const key = `${record.type} ${record.id ?? record.atSeconds} ${record.action ?? ''}`;
      if (given.has(key)) return;
      given.add(key);
      if (record.type === 'ended') return over();
      // A run of which nothing has come cannot be stopped: there is none.
      if (record.type === 'acknowledgement' && record.id === run?.stop && !record.accepted) return over(false);
      if (Date.now() - sentAt > OLDEST_ADVICE_SECONDS * 1000) return;
      if (record.type === 'cue') {
        vibrate(advice(record.action).vibration);
        speak(spokenCue(record), true);
      } else if (record.type === 'activityDiffers') {
        vibrate(REMINDER_VIBRATION);
        speak(spokenReminder(record), true);
      } else if (record.type === 'stepChanged') {
        // What it asks for is said by the state.
        vibrate([120]);
      }
    }

    // Heart rate

    const LOST = 'The heart rate is lost.';
    let isLossGiven = true;
    const strap = new Strap(measurement => {
      // Of a run that is over nothing is measured any more.
      if (!run) return;
      const isUsable = isPlausible(measurement.bpm) && measurement.hasContact !== false;
      if (isUsable) {
        const line = {type: 'heartRate', time: stamp(), beatsPerMinute: measurement.bpm};
        if (measurement.rr.length > 0) line.rrMilliseconds = measurement.rr;
        add(line);
        board.own = {bpm: measurement.bpm, at: performance.now() / 1000};
        if (isLossGiven === true && run.hadStrap) {
          speak(spoken.back, true);
          if (find('note').textContent === LOST) put('note', '');
        }
        if (!run.hadStrap) keep({hadStrap: true});
        isLossGiven = false;
        put('strap-state', `${strap.device?.name ?? 'The strap'}: ${measurement.bpm} bpm.`);
      } else {
        put('strap-state', measurement.hasContact === false ? 'The strap does not feel the skin: wet it.'
          : `The strap sends ${measurement.bpm}${measurement.bpm > 0 ? ', which is no heart rate' : ''}.`);
      }
      board.draw();
    }, (state, text) => {
      put('strap-state', text);
      find('reconnect').hidden = state !== 'failed';
      if (state === 'lost' || state === 'failed') lose();
      if (state === 'connected' && strap.device) keep({strap: strap.device.id});
      find('strap').textContent = state === 'connected' ? 'Choose another strap' : 'Choose a strap';
    });

    function lose() {
      if (board.own) board.own.bpm = null;
      board.draw();
      // Where no run is under way nobody misses anything.
      if (isLossGiven || !run || run.isOver) return;
      isLossGiven = true;
      vibrate(LOSS_VIBRATION);
      speak(spoken.lost, true);
      put('note', LOST);
    }

    async function choose() {
      try {
        await strap.choose();
      } catch (problem) {
        if (problem.name !== 'NotFoundError') put('strap-state', `No strap: ${problem.message}`);
      }
    }

    // The run

    async function keep(more) {
      if (!run) return;
      run = {...run, ...more};
      await queue.keepRun(run);
    }

    async function flush() {
      if (!run || pending.length === 0) return;
      const lines = pending;
      pending = [];
      try {
        await queue.add(run.session, run.sender, lines);
      } catch {
        pending = lines.concat(pending);
        put('queue-state', 'This device cannot keep more: its memory is full.');
      }
    }

    function add(line) {
      if (!run || run.isOver) return;
      silences.hear(line.type);
      pending.push(line);
      flush();
    }

    // Whether this page is of who is signed in now; `undefined` where nobody can say. A tab beside may have signed out and in.
    async function isOfWhoIsSignedIn() {
      try {
        const answer = await fetch('/send', {credentials: 'same-origin', redirect: 'manual', headers: {Accept: 'text/html'}});
        if (!answer.ok) return undefined;
        const now = ownersOf(new DOMParser().parseFromString(await answer.text(), 'text/html'));
        return now.length === 0 ? undefined : now.some(owner => owners.includes(owner));
      } catch {
        return undefined;
      }
    }

    // The run is not there for who is signed in. Where that is somebody else by now, this device is theirs: the sensors are
    // theirs too, and the page is made anew for them; what was measured before waits for its owner.
    let isLookingWho = false;
    async function miss() {
      if (isLookingWho) return;
      isLookingWho = true;
      try {
        if (await isOfWhoIsSignedIn() !== false) return;
        stopSensors();
        await flush();
        run = null;
        location.reload();
      } finally {
        isLookingWho = false;
      }
    }

    // Runs whose held lines were saved as a file.
    let saved = new Set();

    async function save() {
      const {text, sessions} = await queue.heldText();
      const file = document.createElement('a');
      file.href = URL.createObjectURL(new Blob([text], {type: 'application/x-ndjson'}));
      file.download = 'samples.jsonl';
      file.click();
      saved = sessions;
      find('forget').disabled = false;
    }

    async function forget() {
      await queue.forget(saved);
      find('forget').disabled = true;
      if (run && saved.has(run.session)) over();
      showQueue({state: 'empty'});
    }

    function showQueue(outcome) {
      const count = queue.count;
      const waiting = count === 0 ? 'Nothing waits.' : `${count} samples wait on this device.`;
      const texts = {
        empty: 'Everything is on the disk of the service.', sent: waiting, offline: `No connection. ${waiting}`,
        waiting: `The service asks to wait: ${outcome.detail} ${waiting}`,
        signedOut: `Signed out: sign in again in another tab, and what waits goes out. ${waiting}`,
        refused: `Some lines were refused: ${outcome.detail}`, held: waiting,
        unreadable: 'This device cannot read what it keeps.',
      };
      if (queue.held.size > 0) texts.empty = waiting;
      put('queue-state', texts[outcome.state]);
      showHeld();
      if (outcome.batch && outcome.batch.session === run?.session) {
        if (outcome.isMissing) miss();
        if (outcome.state === 'sent') events?.retry();
      }
      if (outcome.isOver) board.settle(outcome.batch.text);
      for (const record of outcome.answer?.events ?? [])
        if (outcome.batch.session === run?.session) take(record, outcome.batch.at);
    }

    // What is held is offered to its owner alone; that something waits here for somebody else is said.
    async function showHeld() {
      try {
        const own = await queue.heldRows();
        find('held').hidden = own.length === 0;
        find('other-lines').hidden = !queue.hasOfOthers && queue.held.size === new Set(own.map(row => row.session)).size;
        find('others').hidden = find('other-run').hidden && find('other-lines').hidden;
      } catch {
        // What waits cannot be read: the queue says so.
      }
    }

    function stopSensors() {
      silences.forget();
      strap.leave();
      position.stop();
      steps.stop();
      stopMotion();
      screen.stop();
      events?.close();
    }

    async function over(isKept = true) {
      if (!run) return;
      const {session, stop} = run;
      run = null;
      await queue.forgetRun();
      stopSensors();
      board.own = null;
      board.take({type: 'ended'});
      for (const button of document.querySelectorAll('#run button')) button.disabled = true;
      put('note', isKept ? '' : 'Nothing came of this run, so nothing of it is kept.');
      find('reconnect').hidden = true;
      for (const id of ['strap-state', 'position-state', 'motion-state', 'blocks-state']) put(id, 'Off.');
      const report = isKept ? [link(`/sessions/${session}`, 'The report of this run'), ' · '] : [];
      find('second').replaceChildren(...report, link('/send', 'Another run'));
      // The buttons are off now: who has ended the run by them goes on with what there is to do next.
      if (stop) find('second').querySelector('a').focus();
    }

    function link(path, text) {
      const node = document.createElement('a');
      node.href = path;
      node.textContent = text;
      return node;
    }

    const position = new Position(add, text => put('position-state', text));
    const steps = new Steps(count => add({type: 'steps', time: stamp(), count}), text => {
      put('motion-state', text);
      find('motion').hidden = text !== 'It needs a tap.';
    });
    // Motion: blocks of a second to the service, and recordings of one activity that stay here.

    const motion = new Motion();
    const blocks = new Blocks(add);
    const takeMotion = one => blocks.add(one);
    const silences = new Silences((words, isSilent) => {
      if (isSilent) vibrate(LOSS_VIBRATION);
      speak(words, true);
      put('note', `${words}.`);
    });

    async function startMotion(isTapped) {
      const problem = await motion.listen(takeMotion, isTapped);
      put('blocks-state', problem ?? 'It is sent, a block each second.');
      find('allow-blocks').hidden = problem !== 'It needs a tap.';
    }

    function stopMotion() {
      motion.leave(takeMotion);
      blocks.flush();
    }

    const screen = new Screen(text => put('screen-state', text));

    function go(isTapped) {
      find('begin').hidden = true;
      find('run').hidden = false;
      find('title').className = 'live-title';
      const watch = link(`/live/${run.session}`, 'Watch this run on another screen');
      find('second').replaceChildren(watch);
      find('strap').hidden = !Strap.isThere;
      if (!Strap.isThere) put('strap-state', 'No Web Bluetooth here.');
      if (run.usesPosition) position.start();
      if (run.usesMotion) steps.start(isTapped);
      if (run.sendsMotion) startMotion(isTapped);
      screen.start();
      events = new Events(run.session, record => {
        const age = board.state && record.atSeconds !== undefined ? board.state.atSeconds - record.atSeconds : 0;
        const isOfBefore = !board.state && record.type !== 'state' && run?.isResumed;
        take(record, isOfBefore ? 0 : Date.now() - Math.max(0, age) * 1000);
      }, (text, status) => {
        board.connection = text;
        if (status === 401) board.connection = 'Signed out: sign in again in another tab.';
        if (status === 404) {
          board.connection = 'There is no such run any more.';
          miss();
        }
        board.draw();
      });
      if (run.isResumed && run.strap && Strap.isThere) {
        put('note', 'This run goes on.');
        strap.resume(run.strap).then(isKnown => {
          if (!isKnown && run) find('reconnect').hidden = false;
        }).catch(() => { find('reconnect').hidden = !run; });
      }
    }

    async function begin(begun) {
      run = begun;
      await queue.keepRun(run);
      go(true);
      holdCommands();
      if (Strap.isThere) find('strap').focus();
    }

    function command(name) {
      // What was measured before it belongs before it.
      blocks.flush();
      const id = makeID();
      add({type: 'command', id, command: name, time: stamp()});
      put('note', name === 'lap' ? 'Lap.' : '');
      // The service says how the run stands; where that takes a while, the button leads on all the same.
      if (name === 'pause' || name === 'resume') board.ask(name === 'pause', id);
      if (name === 'stop') {
        put('note', 'The run ends as soon as what waits here was sent.');
        keep({isOver: true, stop: id});
      }
    }

    // The run that an older page has left belongs to whoever the service shows it to, and waits until it says so.
    async function claim() {
      const left = await queue.runOfNobody();
      if (!left) return null;
      for (;;) {
        let status = 0;
        try {
          status = (await fetch(`/v1/sessions/${encodeURIComponent(left.session)}`,
            {headers: {Accept: 'application/json'}, credentials: 'same-origin'})).status;
        } catch {
          // No network: later.
        }
        if (status === 400 || status === 404) return null;
        if (status === 200) break;
        put('begin-note', 'A run is open on this device. It goes on as soon as the service says that it is yours.');
        await new Promise(resolve => setTimeout(resolve, 3000));
      }
      put('begin-note', '');
      await queue.takeRunOfNobody(left);
      return left;
    }

    async function main() {
      board = new Board(true);
      explain();
      new OrderForm(begin, async () => {
        if (await isOfWhoIsSignedIn() !== false) return true;
        location.reload();
        return false;
      });
      find('strap').addEventListener('click', choose);
      find('reconnect').addEventListener('click', choose);
      find('save').addEventListener('click', save);
      find('forget').addEventListener('click', forget);
      find('motion').addEventListener('click', () => steps.start(true));
      find('allow-blocks').addEventListener('click', () => startMotion(true));
      new RecorderForm(motion, find);
      answerCommands(button => command(button.dataset.command), () => command('stop'));
      try {
        queue = await Queue.open(owners, Boolean(find('person')));
      } catch {
        return warn(['This browser keeps nothing for this page (a private window?), so a run would be lost with the network.']);
      }
      queue.send(showQueue);
      run = await queue.run() ?? await claim();
      find('other-run').hidden = !await queue.hasRunOfOthers();
      showHeld();
      // Who was given another name a moment ago may have been taken for somebody else.
      if (!run && !find('other-run').hidden) setTimeout(miss, 2000);
      if (run) {
        run.isResumed = true;
        const pause = await queue.waitingPause(run.session);
        if (pause) board.ask(pause.command === 'pause', pause.id);
        go(false);
      } else {
        // Not before it is known that no run is open on this device: one that begins meanwhile would be lost.
        find('start').disabled = false;
      }
      setInterval(flush, 1000);
      setInterval(() => {
        if (board.own?.bpm && performance.now() / 1000 - board.own.at > STALE_SECONDS - 1) {
          put('strap-state', 'Nothing comes from the strap.');
          lose();
        }
        if (run && !run.isOver) silences.check();
      }, 500);
      addEventListener('pagehide', flush);
    }

    // Two tabs of one device would send every sample twice. A page that is loaded again may have to wait for itself.
    const isOnlyOne = () => new Promise(resolve => {
      navigator.locks.request('coach-send', {ifAvailable: true}, lock => {
        resolve(Boolean(lock));
        return lock ? new Promise(() => {}) : undefined;
      });
    });

    async function open() {
      for (let attempt = 0; navigator.locks && !(await isOnlyOne()); attempt += 1) {
        if (attempt === 5) {
          find('begin').hidden = true;
          return warn(['A run is open in another tab of this browser already. Close one of them.']);
        }
        await new Promise(resolve => setTimeout(resolve, 400));
      }
      return main();
    }

    open();

    """#
}
