/// The script of the samples that wait on the device.
enum QueueScript {
  static let text = #"""
    // Lines wait in IndexedDB until the service has them on its disk. They go out in order, in batches whose names and lines
    // never change once they were tried, so that each counts once however often it is sent.
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

    export class Queue {
      static async open() {
        const request = indexedDB.open('coach', 1);
        request.onupgradeneeded = () => {
          request.result.createObjectStore('run');
          request.result.createObjectStore('lines', {autoIncrement: true});
        };
        const queue = new Queue();
        queue.database = await done(request);
        for (const row of await queue.read('lines', store => store.getAll())) queue.count += row.count;
        return queue;
      }

      // How many lines wait.
      count = 0;
      pause = 500;
      isStopped = false;

      async read(name, ask) { return done(ask(this.database.transaction(name).objectStore(name))); }

      async change(name, ask) {
        const transaction = this.database.transaction(name, 'readwrite', {durability: 'strict'});
        ask(transaction.objectStore(name));
        await whole(transaction);
      }

      // What is known of the run, so that a reload goes on with it.
      run() { return this.read('run', store => store.get('current')); }
      keepRun(run) { return this.change('run', store => store.put(run, 'current')); }
      forgetRun() { return this.change('run', store => store.delete('current')); }

      // Adds lines of a session.
      async add(session, sender, lines) {
        if (lines.length === 0) return;
        const row = {session, sender, text: lines.map(line => JSON.stringify(line) + '\n').join(''), count: lines.length,
          at: Date.now(), isSealed: false};
        await this.change('lines', store => store.add(row));
        this.count += lines.length;
        this.hasNew = true;
        this.wake?.();
      }

      // The oldest lines, as many as fit into one request; from then on they are one batch.
      async next() {
        const transaction = this.database.transaction('lines', 'readwrite', {durability: 'strict'});
        const store = transaction.objectStore('lines');
        let batch = null;
        store.openCursor().onsuccess = event => {
          const cursor = event.target.result;
          if (cursor && !batch) {
            batch = {key: cursor.key, ...cursor.value};
            if (!batch.isSealed) cursor.continue();
            return;
          }
          if (cursor && !cursor.value.isSealed && cursor.value.session === batch.session
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

      // Everything that waits, as text; and the end of it.
      async text() { return (await this.read('lines', store => store.getAll())).map(row => row.text).join(''); }
      async forget() {
        await this.change('lines', store => store.clear());
        this.count = 0;
      }

      // Sends what waits, for as long as the page is there.
      //
      // `report` is called with {state, detail, batch, answer}.
      async send(report) {
        while (!this.isStopped) {
          this.hasNew = false;
          const batch = await this.next();
          if (!batch) {
            report({state: 'empty'});
            // What came while this looked has nobody to wake: the end of a run would wait here for a minute.
            if (!this.hasNew) await this.rest(60_000);
            continue;
          }
          const outcome = await this.attempt(batch);
          if (outcome.isOver) {
            await this.remove(batch);
            this.pause = 500;
          }
          report({...outcome, batch});
          if (!outcome.isOver) {
            await this.rest(outcome.wait ?? this.pause);
            this.pause = Math.min(LONGEST_PAUSE_MS, this.pause * 2);
          }
        }
      }

      async attempt(batch) {
        const name = `${batch.sender}-${batch.key}`;
        const limit = new AbortController();
        const timer = setTimeout(() => limit.abort(), LONGEST_REQUEST_MS);
        try {
          const answer = await fetch(`/v1/sessions/${encodeURIComponent(batch.session)}/samples?batch=${name}`, {
            method: 'POST', body: batch.text, signal: limit.signal, credentials: 'same-origin',
            headers: {'Content-Type': 'application/x-ndjson', 'X-Coach': '1', 'Accept': 'application/json'},
          });
          if (answer.ok) return {state: 'sent', isOver: true, answer: await answer.json()};
          const detail = await words(answer);
          if (answer.status === 401 || answer.status === 403) return {state: 'signedOut', detail, wait: 5000};
          // The run was over before they came, or is not of who is signed in: they stay until somebody decides.
          if (answer.status === 409 || answer.status === 404) return {state: 'held', detail, wait: LONGEST_PAUSE_MS};
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

      // Waits for some time, or until there is something new to send.
      rest(milliseconds) {
        return new Promise(resolve => {
          const end = () => {
            clearTimeout(timer);
            removeEventListener('online', end);
            this.wake = undefined;
            resolve();
          };
          const timer = setTimeout(end, milliseconds);
          addEventListener('online', end);
          if (milliseconds >= 60_000) this.wake = end;
        });
      }
    }

    """#
}
