/// The buttons that command a live run, on `/live` and `/send`.
enum CommandScript {
  static let text = #"""
    // The buttons that command a run, and what a finger on a treadmill does with them.
    import { find } from './coach.js';

    // A finger that taps twice asks for one thing: for this long a button that was tapped answers no other tap, and what has just
    // come under the finger answers none. Who clicks or types does it faster, and aims.
    const HELD_MS = 1000;
    const CLICKED_MS = 200;
    const UNDER_FINGER_MS = 500;
    const UNDER_FINGER_PX = 48;

    const isOfFinger = event => event.detail > 0 && event.pointerType !== 'mouse';
    const isHeld = button => button.getAttribute('aria-disabled') === 'true';
    const holds = new Map();
    // A button that is held keeps the focus, which one that is disabled loses.
    function hold(button, milliseconds) {
      clearTimeout(holds.get(button));
      button.setAttribute('aria-disabled', 'true');
      holds.set(button, setTimeout(() => button.removeAttribute('aria-disabled'), milliseconds));
    }

    const commands = () => [...document.querySelectorAll('button[data-command]')];
    // They have come under the finger by a tap on something else.
    export const holdCommands = () => commands().forEach(button => hold(button, UNDER_FINGER_MS));

    // The buttons that command a run, and the question before its end. `command` gets the button; `stop` ends the run.
    export function answerCommands(command, stop) {
      for (const button of commands())
        button.addEventListener('click', event => {
          if (isHeld(button) || event.detail > 1) return;
          hold(button, isOfFinger(event) ? HELD_MS : CLICKED_MS);
          command(button);
        });
      const dialog = find('stop-dialog');
      let opening;
      find('stop').addEventListener('click', event => {
        opening = event;
        dialog.showModal();
      });
      // The second tap on Stop may lie on an answer. A mouse is aimed, a finger on a treadmill is not; keys have no place.
      const isSecondTap = event => {
        if (!opening || event.detail === 0 || event.timeStamp - opening.timeStamp > UNDER_FINGER_MS) return false;
        const isNear = Math.hypot(event.clientX - opening.clientX, event.clientY - opening.clientY) <= UNDER_FINGER_PX;
        return isOfFinger(event) || isNear;
      };
      for (const [id, act] of [['stop-no', () => 0], ['stop-yes', stop]])
        find(id).addEventListener('click', event => {
          if (isSecondTap(event)) return;
          dialog.close();
          act();
        });
      dialog.addEventListener('close', holdCommands);
    }

    """#
}
