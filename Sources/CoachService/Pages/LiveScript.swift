/// The script of `/live/{id}`.
enum LiveScript {
  static let text = #"""
    // A run on another screen: what the runner sees, and commands for whoever stands beside.
    import { find, makeID, post, words } from './coach.js';
    import { Board, speak, spokenCue, spokenReminder } from './board.js';
    import { answerCommands } from './commands.js';
    import { Events } from './events.js';

    const id = document.querySelector('[data-session]').dataset.session;
    const board = new Board();
    const note = text => { find('note').textContent = text; };

    function over() {
      for (const button of document.querySelectorAll('.commands button')) button.disabled = true;
      find('over').hidden = false;
    }

    const events = new Events(id, record => {
      board.take(record);
      // Of what was before the page came nothing is said.
      const isNew = board.state && record.atSeconds > board.state.atSeconds - 10;
      if (record.type === 'cue' && isNew) speak(spokenCue(record), true);
      if (record.type === 'activityDiffers' && isNew) speak(spokenReminder(record), true);
      if (record.type === 'ended') over();
    }, (text, status) => {
      board.connection = text;
      if (status === 401) {
        board.connection = 'Signed out: sign in again to see more.';
        location.reload();
      }
      if (status === 404) board.connection = 'There is no such run any more.';
      if (status === 204) {
        board.isOver = true;
        over();
      }
      board.draw();
    });

    async function command(name, target) {
      note('');
      try {
        const body = {type: 'command', id: makeID(), command: name, ...(target ? {target} : {})};
        const answer = await post(`/v1/sessions/${encodeURIComponent(id)}/commands`, JSON.stringify(body));
        if (!answer.ok) return note(await words(answer));
        const record = await answer.json();
        note(record.accepted ? `Done: ${name}${target ? ` ${target}` : ''}.` : `Not done: ${record.reason}.`);
      } catch {
        note('Not done: there is no connection.');
      }
    }

    answerCommands(button => command(button.dataset.command, button.dataset.target), () => command('stop'));
    addEventListener('pagehide', () => events.close());
    addEventListener('pageshow', event => event.persisted && events.open());

    """#
}
