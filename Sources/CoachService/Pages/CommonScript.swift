/// The script of every page.
enum CommonScript {
  static let text = #"""
    // What every page does: signing out, the worker of the shell, and requests that a page of somebody else cannot make.

    export const post = (path, body, type = 'application/json', headers = {}) => fetch(path, {
      method: 'POST', credentials: 'same-origin', body,
      headers: {'Content-Type': type, 'X-Coach': '1', 'Accept': 'application/json', ...headers},
    });

    // Browsers give crypto.randomUUID to safe origins alone.
    export const makeID = () => Array.from(crypto.getRandomValues(new Uint8Array(12)),
      byte => byte.toString(16).padStart(2, '0')).join('');

    export const find = id => document.getElementById(id);

    // The words of a refusal, or of a request that came nowhere.
    export async function words(answer) {
      try {
        const problem = await answer.json();
        // Where the place in what was sent is named, it is of a form that its reader has not written.
        const detail = problem.pointer === undefined ? problem.detail
          : problem.detail?.replace(/^(byte \d+: )?(line \d+: )?(\w+: )?/, '');
        return detail || problem.title || `The service answered ${answer.status}.`;
      } catch {
        return `The service answered ${answer.status}.`;
      }
    }

    // 65 → 1:05, 3665 → 1:01:05
    export function clock(seconds) {
      const whole = Math.max(0, Math.floor(seconds));
      const two = number => String(number).padStart(2, '0');
      const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
      return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
    }

    // How long ago something was, in words.
    export function ago(seconds) {
      if (seconds < 2) return 'now';
      if (seconds < 90) return `${Math.round(seconds)} s ago`;
      return `${Math.round(seconds / 60)} min ago`;
    }

    const signOut = find('sign-out');
    if (signOut) signOut.addEventListener('click', async () => {
      signOut.disabled = true;
      try {
        const answer = await post('/auth/sign-out', '', 'text/plain');
        if (!answer.ok && answer.status !== 401) throw new Error(await words(answer));
        if (window.caches) for (const name of await caches.keys()) await caches.delete(name);
        const workers = await navigator.serviceWorker?.getRegistrations() ?? [];
        for (const worker of workers) await worker.unregister();
        location.assign('/auth/sign-in');
      } catch {
        signOut.disabled = false;
        signOut.textContent = 'Sign out (not now: no connection)';
      }
    });

    // Who has just signed in comes to this page: the shell of /send that is kept may be that of who was signed in before.
    async function renewShell() {
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        if (!await cache.delete('/send')) continue;
        const answer = await fetch('/send', {credentials: 'same-origin'});
        if (answer.ok && !answer.redirected) await cache.put('/send', answer);
      }
    }
    if (signOut && window.caches && location.pathname === '/')
      renewShell().catch(() => {
        // None is kept then until /send is opened.
      });

    if (navigator.serviceWorker && signOut) {
      navigator.serviceWorker.register('/service-worker.js').catch(() => {
        // Without it everything works but a reload that has no network.
      });
    }

    """#
}
