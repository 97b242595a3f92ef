/// The script of the samples that wait on the device.
enum QueueScript {
  static let text = #"""
    // Lines wait in IndexedDB until the service has them on its disk. Those of a run go out in order, in batches whose names
    // and lines never change once they were tried, so that each counts once however often it is sent. Runs do not wait for
    // each other: what is not taken of one is held and tried again. A run and its lines belong to who was signed in when they were
    // made: they wait for them, and nobody else goes on with them, sends them, saves them or forgets them. What an older page kept
    // does not say whose it is: it belongs to whoever the service shows the session to.
    import { words } from './coach.js';

    const MOST_LINES = 1000;
    const MOST_CHARACTERS = 120_000;
    const LONGEST_REQUEST_MS = 15_000;
    const LONGEST_PAUSE_MS = 10_000;

    const done = request => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const whole = transaction => new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });

    // Where the run of somebody stands; an older page knew of one run only, whoever was signed in.
    const OF_NOBODY = 'current';
    const place = owner => `current ${owner}`;
    // A run of somebody else that nothing was heard of for so long is over, and not worth a word.
    const MENTIONED_MS = 86_400_000;

    const isOfCommands = batch => batch.text.trim().split('\n').every(line => JSON.parse(line).type === 'command');

    export class Queue {
      // `owners`: by what it is known whose a run is: what is made now is of the first. `seesAll`: whether the service shows every
      // session to who is signed in.
      static async open(owners, seesAll) {
        const request = indexedDB.open('coach', 1);
        request.onupgradeneeded = () => {
          request.result.createObjectStore('run');
          request.result.createObjectStore('lines', {autoIncrement: true});
        };
        const queue = Object.assign(new Queue(), {owners, seesAll});
        queue.database = await done(request);
        for (const row of await queue.read('lines', store => store.getAll())) {
          if (queue.isOfOthers(row)) queue.hasOfOthers = true;
          else queue.count += row.count;
        }
        return queue;
      }

      // How many lines wait, those that are held among them, and none of somebody else.
      count = 0;
      // Whether lines of somebody else wait here too.
      hasOfOthers = false;
      pause = 500;
      // Runs whose lines are not taken now, with the time of the next attempt.
      held = new Map();
      // Sessions that are over, and were shown to who is signed in.
      seen = new Set();
      isStopped = false;

      async read(name, ask) { return done(ask(this.database.transaction(name).objectStore(name))); }

      async change(name, ask) {
        const transaction = this.database.transaction(name, 'readwrite', {durability: 'strict'});
        ask(transaction.objectStore(name));
        await whole(transaction);
      }

      // Whether something is known to be of somebody else, and whether it is known to be of who is signed in.
      isOfOthers({owner}) { return owner !== undefined && !this.owners.includes(owner); }
      isOwn({owner, session}) {
        return owner === undefined ? this.seesAll || this.seen.has(session) : this.owners.includes(owner);
      }

      // What is known of the run of who is signed in, so that a reload goes on with it.
      async run() {
        for (const owner of this.owners) {
          const run = await this.read('run', store => store.get(place(owner)));
          if (run) return run;
        }
      }
      keepRun(run) {
        const kept = {...run, owner: this.owners[0], keptAt: Date.now()};
        return this.change('run', store => {
          for (const owner of this.owners) store.delete(place(owner));
          store.put(kept, place(kept.owner));
        });
      }
      forgetRun() {
        return this.change('run', store => {
          for (const owner of this.owners) store.delete(place(owner));
        });
      }

      // The run that an older page has left, which does not say whose it is; and it as a run of who is signed in.
      runOfNobody() { return this.read('run', store => store.get(OF_NOBODY)); }
      async takeRunOfNobody(run) {
        await this.keepRun(run);
        await this.change('run', store => store.delete(OF_NOBODY));
      }

      // Whether a run of somebody else is open here, as far as is known.
      async hasRunOfOthers() {
        const own = this.owners.map(place);
        let isThere = false;
        await this.change('run', store => {
          store.openCursor().onsuccess = event => {
            const cursor = event.target.result;
            if (!cursor) return;
            const {key, value} = cursor;
            // Since when it stands here is known of one of an older page from now on.
            if (value.keptAt === undefined) cursor.update({...value, keptAt: Date.now()});
            if (!own.includes(key) && !(Date.now() - value.keptAt > MENTIONED_MS)) isThere = true;
            cursor.continue();
          };
        });
        return isThere;
      }

      // Adds lines of a session.
      async add(session, sender, lines) {
        if (lines.length === 0) return;
        const row = {session, sender, text: lines.map(line => JSON.stringify(line) + '\n').join(''), count: lines.length,
          at: Date.now(), isSealed: false, owner: this.owners[0]};
        await this.change('lines', store => store.add(row));
        this.count += lines.length;
        this.hasNew = true;
        this.wake?.();
      }

      // The oldest lines of a run that is not held and not of somebody else, as many as fit into one request; from then on they are
      // one batch.
      async next() {
        const now = Date.now();
        const transaction = this.database.transaction('lines', 'readwrite', {durability: 'strict'});
        const store = transaction.objectStore('lines');
        let batch = null;
        store.openCursor().onsuccess = event => {
          const cursor = event.target.result;
          if (cursor && !batch && (this.isOfOthers(cursor.value) || this.held.get(cursor.value.session) > now))
            return cursor.continue();
          if (cursor && !batch) {
            batch = {key: cursor.key, ...cursor.value};
            if (!batch.isSealed) cursor.continue();
            return;
          }
          if (cursor && !cursor.value.isSealed && cursor.value.session === batch.session && cursor.value.owner === batch.owner
            && batch.count + cursor.value.count <= MOST_LINES
            && batch.text.length + cursor.value.text.length <= MOST_CHARACTERS) {
            batch.text += cursor.value.text;
            batch.count += cursor.value.count;
            cursor.delete();
            cursor.continue();
            return;
          }
          if (!batch) return;
          batch.isSealed = true;
          const {key, ...value} = batch;
          store.put(value, key);
        };
        await whole(transaction);
        return batch;
      }

      async remove(batch) {
        await this.change('lines', store => store.delete(batch.key));
        this.count = Math.max(0, this.count - batch.count);
      }

      // What was not taken of a batch, because too much came of the lines before, stays first, and goes out under another name.
      async keepRest(batch, nextLine) {
        const {key, ...value} = batch;
        value.text = batch.text.split('\n').slice(nextLine - 1).join('\n');
        value.count = value.text.split('\n').filter(line => line).length;
        value.part = (batch.part ?? 0) + 1;
        await this.change('lines', store => store.put(value, key));
        this.count = Math.max(0, this.count - (batch.count - value.count));
      }

      // The last pause of a run that waits, or the last end of one: its line, or nothing.
      async waitingPause(session) {
        const rows = (await this.read('lines', store => store.getAll())).filter(row => row.session === session);
        return rows.flatMap(row => row.text.split('\n')).filter(line => line.includes('"command"')).map(line => JSON.parse(line))
          .reverse().find(line => line.command === 'pause' || line.command === 'resume');
      }

      // What is held of who is signed in; that as text; and the end of what was given, of the runs that are named.
      async heldRows() {
        return (await this.read('lines', store => store.getAll())).filter(row => this.held.has(row.session) && this.isOwn(row));
      }
      async heldText() {
        const rows = await this.heldRows();
        return {text: rows.map(row => row.text).join(''), sessions: new Set(rows.map(row => row.session))};
      }
      async forget(sessions) {
        await this.change('lines', store => {
          store.openCursor().onsuccess = event => {
            const cursor = event.target.result;
            if (!cursor) return;
            if (sessions.has(cursor.value.session) && this.isOwn(cursor.value)) {
              cursor.delete();
              this.count = Math.max(0, this.count - cursor.value.count);
            }
            cursor.continue();
          };
        });
        for (const session of sessions) this.held.delete(session);
      }

      // Sends what waits, for as long as the page is there.
      //
      // `report` is called with {state, detail, batch, answer}.
      async send(report) {
        while (!this.isStopped) {
          try {
            await this.sendNext(report);
          } catch {
            report({state: 'unreadable'});
            await this.rest(LONGEST_PAUSE_MS);
          }
        }
      }

      async sendNext(report) {
        this.hasNew = false;
        const batch = await this.next();
        if (!batch) {
          report({state: 'empty'});
          // What came while this looked has nobody to wake: the end of a run would wait here for a minute.
          if (!this.hasNew) await this.rest(Math.min(60_000, ...[...this.held.values()].map(at => at - Date.now())), true);
          return;
        }
        const outcome = await this.attempt(batch);
        if (outcome.isOver) {
          if (outcome.answer?.nextLine > 1) await this.keepRest(batch, outcome.answer.nextLine);
          else await this.remove(batch);
          this.pause = 500;
        }
        if (outcome.isSeen) this.seen.add(batch.session);
        if (outcome.state === 'held') this.held.set(batch.session, Date.now() + LONGEST_PAUSE_MS);
        else this.held.delete(batch.session);
        report({...outcome, batch});
        if (!outcome.isOver && outcome.state !== 'held') {
          await this.rest(outcome.wait ?? this.pause);
          this.pause = Math.min(LONGEST_PAUSE_MS, this.pause * 2);
        }
      }

      async attempt(batch) {
        const name = `${batch.sender}-${batch.key}` + (batch.part ? `-part-${batch.part}` : '');
        const limit = new AbortController();
        const timer = setTimeout(() => limit.abort(), LONGEST_REQUEST_MS);
        try {
          const answer = await fetch(`/v1/sessions/${encodeURIComponent(batch.session)}/samples?batch=${name}`, {
            method: 'POST', body: batch.text, signal: limit.signal, credentials: 'same-origin',
            headers: {'Content-Type': 'application/x-ndjson', 'X-Coach': '1', 'Accept': 'application/json'},
          });
          if (answer.ok) return {state: 'sent', isOver: true, answer: await answer.json()};
          const code = await answer.clone().json().then(problem => problem.code, () => undefined);
          const detail = await words(answer);
          if (answer.status === 401 || answer.status === 403) return {state: 'signedOut', detail, wait: 5000};
          // The name was used for other lines, as by a copy of this queue: it would be again.
          if (code === 'differentBody') return {state: 'refused', isOver: true, detail};
          // A run that is over needs no stop any more.
          if (answer.status === 409 && isOfCommands(batch)) return {state: 'sent', isOver: true};
          // The run was over before they came, or is not there for who is signed in: they stay until their owner decides.
          if (answer.status === 409 || answer.status === 404)
            return {state: 'held', detail, isSeen: answer.status === 409, isMissing: answer.status === 404};
          // What is refused for itself would be refused again, and everything behind it would wait for ever.
          if ([400, 413, 415, 422].includes(answer.status)) return {state: 'refused', isOver: true, detail};
          const seconds = Number(answer.headers.get('Retry-After'));
          return {state: 'waiting', detail, wait: seconds > 0 ? Math.min(30, seconds) * 1000 : undefined};
        } catch {
          return {state: 'offline'};
        } finally {
          clearTimeout(timer);
        }
      }

      // Waits for some time or until there is a network again; and, with nothing to send, until there is something new.
      rest(milliseconds, isIdle = false) {
        return new Promise(resolve => {
          const end = () => {
            clearTimeout(timer);
            removeEventListener('online', end);
            this.wake = undefined;
            resolve();
          };
          const timer = setTimeout(end, milliseconds);
          addEventListener('online', end);
          if (isIdle) this.wake = end;
        });
      }
    }

    """#
}
