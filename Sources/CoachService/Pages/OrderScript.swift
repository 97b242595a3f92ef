/// The script of what `/send` asks before a run.
enum OrderScript {
  static let text = #"""
    // What is asked before a run: for whom, what for, and what the device measures; and what cannot be done on it.
    import { find, makeID, post, words } from './coach.js';
    import { Strap } from './sensors.js';

    const isApple = /iPhone|iPad|iPod/.test(navigator.userAgent)
      || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
    const say = text => { find('begin-note').textContent = text; };

    // A notice of some paragraphs over everything else.
    export function warn(texts) {
      const notice = document.createElement('div');
      notice.className = 'notice';
      for (const text of texts) {
        const paragraph = document.createElement('p');
        paragraph.textContent = text;
        notice.append(paragraph);
      }
      find('problems').append(notice);
    }

    // What cannot be done here, in words that say what is left.
    export function explain() {
      if (!isSecureContext)
        warn(['This page came without HTTPS, and is not on this machine: browsers then give no strap, no position and no '
          + 'motion to it. Open it by HTTPS, or by localhost on the machine that runs the service.',
          'What is left: start the run here, and let an app send the samples. docs/senders.md names those that exist.']);
      else if (!Strap.isThere)
        warn([isApple
          ? 'Safari and Chrome on iPhone and iPad have no Web Bluetooth, so no strap can be used here. The browser Bluefy has '
            + 'it; or let an app send the heart rate: docs/senders.md names HR Push, Sensor Logger and others.'
          : 'This browser has no Web Bluetooth, so no strap can be used here. Chrome and Edge have it, on desktops and '
            + 'Android; or let an app send the heart rate: docs/senders.md names some.',
          'Position, steps and advice work all the same.']);
      if (isApple) warn(['Browsers on iPhone and iPad do not vibrate: advice is shown and spoken.']);
    }

    // The form that begins a run.
    export class OrderForm {
      // `begun` gets the run: {session, sender, usesPosition, usesMotion, sendsMotion}; `mayBegin` says whether one may begin now.
      constructor(begun, mayBegin) {
        Object.assign(this, {begun, mayBegin});
        for (const id of ['person', 'send-motion', 'recognize']) find(id)?.addEventListener('change', () => this.show());
        this.show();
        find('begin').addEventListener('submit', event => {
          event.preventDefault();
          this.submit();
        });
      }

      get person() { return find('person')?.value ?? ''; }
      // Whether the zones of whoever runs are known without an age.
      get isKnown() { return this.person !== '' || find('own-profile')?.dataset.profile === 'known'; }

      // Nothing is asked that is known, or that does not matter.
      show() {
        find('age-field').hidden = this.isKnown;
        if (!find('recognize')) return;
        find('models').hidden = !find('send-motion').checked;
        find('auto-pause').disabled = find('recognize').value === '';
      }

      // The request of a session.
      order() {
        const every = Number(find('every').value);
        const order = {activity: find('activity').value, strategy: {kind: 'period', every, window: every}};
        if (find('goal').value) order.target = find('goal').value;
        // What is recognised is found in the motion that is sent.
        const model = find('send-motion').checked ? find('recognize')?.value : '';
        if (model) {
          order.recognize = model;
          if (!find('auto-pause').checked) order.autoPause = false;
        }
        if (this.person) order.person = this.person;
        if (!this.isKnown) order.profile = {ageYears: Number(find('age').value)};
        return JSON.stringify(order);
      }

      async submit() {
        if (!this.isKnown && !Number(find('age').value)) {
          say('Type in the age: the zones come from it.');
          return find('age').focus();
        }
        const text = this.order();
        // The same request, sent again after a failure, begins no second run.
        if (this.text !== text) Object.assign(this, {text, key: makeID()});
        find('start').disabled = true;
        say('Beginning…');
        try {
          if (!await this.mayBegin()) return;
          const answer = await post('/v1/sessions', text, 'application/json', {'Idempotency-Key': this.key});
          if (!answer.ok) return say(await words(answer));
          const {sessionID} = await answer.json();
          await this.begun({session: sessionID, sender: makeID(), usesPosition: find('use-position').checked,
            usesMotion: find('use-motion').checked, sendsMotion: find('send-motion').checked});
          this.text = undefined;
        } catch {
          say('There is no connection to the service: try again.');
        } finally {
          find('start').disabled = false;
        }
      }
    }

    """#
}
