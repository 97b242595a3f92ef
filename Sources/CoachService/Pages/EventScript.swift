/// The records of a live run as they come, on `/live` and `/send`.
enum EventScript {
  static let text = #"""
    // A stream calls for the types that it names alone.
    const TYPES = ['started', 'cue', 'withheld', 'signalLost', 'signalRestored', 'paused', 'resumed', 'lap',
      'stepChanged', 'targetChanged', 'strategyChanged', 'activity', 'activityDiffers', 'ended'];

    // The records of a session as they come. It goes on after the last one by itself, and says when it cannot.
    export class Events {
      last = 0;

      constructor(id, take, report) {
        Object.assign(this, {id, take, report});
        this.open();
        addEventListener('online', () => this.source.readyState === EventSource.CLOSED && this.open());
      }

      // What was refused may be allowed again: somebody has signed in anew.
      retry() {
        if (this.isRefused) this.open();
      }

      open() {
        clearTimeout(this.timer);
        this.isRefused = false;
        this.source?.close();
        const source = this.source = new EventSource(`/v1/sessions/${encodeURIComponent(this.id)}/events?after=${this.last}`);
        source.addEventListener('open', () => this.report('', 200));
        source.addEventListener('state', event => this.take(JSON.parse(event.data)));
        for (const type of TYPES) source.addEventListener(type, event => this.record(event));
        source.addEventListener('error', () => {
          this.report('The connection is lost; it comes back by itself.', 0);
          if (source.readyState === EventSource.CLOSED) this.timer = setTimeout(() => this.ask(), 3000);
        });
      }

      record(event) {
        const number = Number(event.lastEventId);
        if (number <= this.last) return;
        this.last = number;
        const record = JSON.parse(event.data);
        this.take(record);
        if (record.type === 'ended') this.close();
      }

      // Why there is no stream. Of a run that is over nothing comes any more: the status is 204 then, which only a stream gets.
      async ask() {
        const stream = new AbortController();
        try {
          const answer = await fetch(`/v1/sessions/${encodeURIComponent(this.id)}/events?after=${this.last}`,
            {headers: {Accept: 'text/event-stream'}, credentials: 'same-origin', signal: stream.signal});
          stream.abort();
          if ([204, 401, 404].includes(answer.status)) {
            this.isRefused = answer.status !== 204;
            return this.report('', answer.status);
          }
        } catch {
          // No network: the next attempt finds out.
        }
        this.open();
      }

      close() {
        clearTimeout(this.timer);
        this.source.close();
      }
    }

    """#
}
