/// The script of what is done with groups: making, joining, sharing, leaving.
enum GroupScript {
  static let text = #"""
    // Groups: making one, joining, what is shared, leaving.
    import { find, words } from './coach.js';

    export const note = text => { find('note').textContent = text; };
    export const groupPath = (id, person) =>
      `/v1/groups/${encodeURIComponent(id)}${person === undefined ? '' : `/members/${encodeURIComponent(person)}`}`;

    // The answer of a change, or nothing where it was refused or there is no connection: then the page says so.
    export async function change(method, path, body) {
      note('');
      const headers = {'X-Coach': '1', 'Accept': 'application/json'};
      if (body) headers['Content-Type'] = 'application/json';
      try {
        const answer = await fetch(path, {method, headers, credentials: 'same-origin', body: body && JSON.stringify(body)});
        if (answer.ok) return answer;
        note(await words(answer));
      } catch {
        note('Not done: there is no connection.');
      }
      return undefined;
    }

    find('make')?.addEventListener('submit', async event => {
      event.preventDefault();
      const answer = await change('POST', '/v1/groups', {name: find('name').value.trim()});
      if (answer) location.assign(`/board/${(await answer.json()).groupID}`);
    });

    const share = find('share');
    share?.addEventListener('submit', async event => {
      event.preventDefault();
      const shares = [...share.querySelectorAll('[name=share]:checked')].map(box => box.value);
      const answer = await change('PUT', groupPath(share.dataset.group, share.dataset.person), {shares});
      if (!answer) return;
      if (find('leave')) note('Saved: every board shows it so from now on.');
      else location.assign(`/board/${share.dataset.group}`);
    });

    find('leave')?.addEventListener('click', async () => {
      if (await change('DELETE', groupPath(share.dataset.group, share.dataset.person))) location.assign('/groups');
    });

    find('copy')?.addEventListener('click', async () => {
      const address = find('invite');
      address.select();
      try {
        await navigator.clipboard.writeText(address.value);
        note('The address is copied.');
      } catch {
        note('Copy the address that is marked.');
      }
    });

    find('end')?.addEventListener('click', async () => {
      const id = document.querySelector('h1[data-group]').dataset.group;
      if (await change('DELETE', groupPath(id))) location.assign('/groups');
    });

    """#
}

/// The script of `/board/{id}`.
enum TileScript {
  static let text = #"""
    // The board of a group. A heart rate that is older than five seconds is never shown: words take its place.
    import { ago, clock, find } from './coach.js';
    import { change, groupPath } from './groups.js';
    import { Screen } from './sensors.js';

    const STALE_SECONDS = 4.5;
    // Boards come each five seconds at least.
    const SILENT_SECONDS = 8;
    const COMING_SECONDS = 2.5;
    const SVG = 'http://www.w3.org/2000/svg';
    const NEEDS = {
      slowDown: {words: 'Slow down', path: 'M50 94 4 40H32V6H68V40H96z'},
      noHeartRate: {words: 'No heart rate', path: 'M50 6 96 90H4zM44 36V64H56V36zM44 70V80H56V70z'},
      speedUp: {words: 'Speed up', path: 'M50 6 96 60H68V94H32V60H4z'},
      rarelyInTarget: {words: 'Rarely in the target', path: 'M6 50 50 6 94 50 50 94z'},
      none: {words: 'Fine', path: 'M8 52 22 38 42 58 78 18 92 32 42 86z'},
      paused: {words: 'Paused', path: 'M20 10H42V90H20zM58 10H80V90H58z'},
      noRun: {words: 'No run now', path: 'M10 42H90V58H10z'},
      notShared: {words: 'Heart rate is not shared', path: 'M10 42H90V58H10z'},
      unknown: {words: 'Not known: no connection', path: 'M6 50 50 6 94 50 50 94z'},
    };
    const BANDS = {below: 'Below zone 1', aboveMaximum: 'Above the maximum'};
    const CUES = {speedUp: 'Speed up', hold: 'Hold', slowDown: 'Slow down'};
    const title = document.querySelector('h1[data-group]');
    const id = title.dataset.group;
    const list = find('tiles');
    const now = () => performance.now() / 1000;

    let board, receivedAt = 0, connection = 'Connecting…', isGone = false;
    const nodes = new Map();

    function put(node, text) {
      if (node.textContent !== text) node.textContent = text;
      node.hidden = text === '';
    }

    // Facts that break between each other only.
    function putParts(node, parts) {
      const text = parts.join(' · ');
      node.hidden = text === '';
      if (node.textContent === text) return;
      node.replaceChildren(...parts.flatMap((part, index) => {
        const span = document.createElement('span');
        span.textContent = part;
        return index === 0 ? [span] : [' · ', span];
      }));
    }

    function make(person) {
      const tile = document.createElement('li');
      tile.className = 'tile';
      const part = (name, kind = 'p') => {
        const node = document.createElement(kind);
        node.className = `tile-${name}`;
        tile.append(node);
        return node;
      };
      const name = document.createElement('bdi');
      name.textContent = person;
      part('name', 'h2').append(name);
      const word = part('word');
      const sign = document.createElementNS(SVG, 'svg');
      sign.setAttribute('viewBox', '0 0 100 100');
      sign.setAttribute('aria-hidden', 'true');
      const path = document.createElementNS(SVG, 'path');
      path.setAttribute('fill', 'currentColor');
      path.setAttribute('fill-rule', 'evenodd');
      sign.append(path);
      const text = document.createElement('span');
      word.append(sign, text);
      const pulse = part('pulse');
      const bpm = document.createElement('span');
      bpm.className = 'tile-bpm';
      const unit = document.createElement('span');
      unit.className = 'unit';
      unit.textContent = ' bpm';
      pulse.append(bpm, unit);
      return {tile, path, text, pulse, bpm, absent: part('absent'), zone: part('zone'), cue: part('cue'),
        facts: part('facts'), place: part('place')};
    }

    // A screen that hears nothing does not take that for runners who have lost their heart rate: while one is fresh, boards
    // come several times a second.
    const areBoardsComing = () => connection === '' && now() - receivedAt <= COMING_SECONDS;
    const isSilentSince = since => since > (connection === '' ? SILENT_SECONDS : STALE_SECONDS);

    // What is fresh of a member, and why a word is needed now.
    function look(member) {
      const since = now() - receivedAt;
      const isSilent = isGone || isSilentSince(since);
      const isFresh = !isSilent && member.heartRateBPM > 0 && member.heartRateAgeSeconds + since <= STALE_SECONDS;
      let need = member.need ?? 'notShared';
      if (isSilent) need = 'unknown';
      else if (member.heartRateBPM > 0 && !isFresh && need !== 'paused') need = areBoardsComing() ? 'noHeartRate' : 'unknown';
      return {isSilent, isFresh, need, since};
    }

    function draw(member, node) {
      const {isSilent, isFresh, need, since} = look(member);
      const sharesHeart = member.shares.includes('heartRate');
      if (node.tile.dataset.need !== need) {
        node.tile.dataset.need = need;
        node.path.setAttribute('d', NEEDS[need].path);
      }
      put(node.text, member.shares.length === 0 && !isSilent ? 'Shares nothing' : NEEDS[need].words);
      put(node.bpm, isFresh ? String(member.heartRateBPM) : '');
      node.pulse.hidden = !isFresh;
      const isRunning = sharesHeart && !isSilent && member.state !== 'noRun';
      put(node.absent, !isRunning || isFresh || need === 'unknown' ? ''
        : member.signal === 'none' ? 'No heart rate has come yet.' : 'The heart rate is lost: an old one is not shown.');
      const zone = member.zoneLabel ? `Zone ${member.zoneLabel}: ${member.zoneName}` : BANDS[member.band] ?? '';
      put(node.zone, isFresh ? zone : '');
      const {cue} = member;
      put(node.cue, isFresh && cue ? `${CUES[cue.action]}, ${ago(cue.ageSeconds + since)}` : '');
      const facts = [];
      if (isRunning) {
        if (member.compliance !== undefined) facts.push(`${Math.round(member.compliance * 100)} % in the target`);
        const [lower, upper] = [member.targetLowerBPM, member.targetUpperBPM];
        if (lower && upper) facts.push(`target ${lower}–${upper}`);
        facts.push(clock(member.activeSeconds));
      }
      putParts(node.facts, facts);
      const {position} = member;
      put(node.place, position && !isSilent && position.ageSeconds + since <= 15
        ? `${position.latitude.toFixed(5)}, ${position.longitude.toFixed(5)}, ${ago(position.ageSeconds + since)}`
        : !isSilent && member.shares.includes('position') && member.state !== 'noRun' ? 'The position is not known.' : '');
    }

    function drawStatus(isSilent) {
      let [kind, text] = ['good', 'Live'];
      if (isGone) [kind, text] = ['over', connection];
      else if (!board) [kind, text] = ['bad', connection || 'Waiting for the board.'];
      else if (isSilent) [kind, text] = ['bad', `No news for ${Math.round(now() - receivedAt)} s. ${connection}`.trim()];
      put(find('status'), text);
      find('status').dataset.kind = kind;
    }

    // Spoken by screen readers, so that it changes only when somebody else needs a word.
    function drawCall(members) {
      const needs = members.map(member => [member.person, look(member).need]);
      const isUnknown = !board || isGone || isSilentSince(now() - receivedAt) || needs.some(([, need]) => need === 'unknown');
      const calls = needs
        .filter(([, need]) => ['slowDown', 'noHeartRate', 'speedUp'].includes(need))
        .map(([person, need]) => `${person}: ${NEEDS[need].words.toLowerCase()}`);
      const text = calls.length === 0 ? 'Nobody needs a word.' : `Needs a word – ${calls.join('; ')}`;
      if (find('call')) put(find('call'), isUnknown ? '' : text);
    }

    function drawAll() {
      const members = isGone ? [] : board?.members ?? [];
      const persons = new Set(members.map(member => member.person));
      for (const [person, node] of nodes) {
        if (persons.has(person)) continue;
        node.tile.remove();
        nodes.delete(person);
      }
      members.forEach((member, index) => {
        if (!nodes.has(member.person)) nodes.set(member.person, make(member.person));
        const node = nodes.get(member.person);
        draw(member, node);
        if (list.children[index] !== node.tile) list.insertBefore(node.tile, list.children[index] ?? null);
      });
      list.dataset.size = members.length <= 6 ? 'large' : members.length <= 12 ? 'medium' : 'small';
      find('empty').hidden = !board || isGone || members.length > 0;
      drawStatus(Boolean(board) && isSilentSince(now() - receivedAt));
      drawCall(members);
    }

    // Who is in, by name, for whom the group belongs to.
    const shared = {'': 'nothing', heartRate: 'heart rate and zone', position: 'position',
      'heartRate,position': 'heart rate, zone and position'};
    function drawMembers() {
      const place = find('members');
      const members = [...board.members].sort((left, right) => left.person < right.person ? -1 : 1);
      const key = JSON.stringify(members.map(member => [member.person, member.shares]));
      if (!place || place.dataset.key === key) return;
      place.dataset.key = key;
      place.replaceChildren(...members.map(member => {
        const item = document.createElement('li');
        const name = document.createElement('strong');
        const isolated = document.createElement('bdi');
        isolated.textContent = member.person;
        name.append(isolated);
        const what = document.createElement('p');
        what.textContent = `Shares ${shared[member.shares.join()]}.`;
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = 'Take out';
        button.setAttribute('aria-label', `Take out ${member.person}`);
        // Who is out has to join again, so that one touch by mistake takes nobody out.
        button.addEventListener('click', () => {
          if (button.dataset.asked) return change('DELETE', groupPath(id, member.person));
          button.dataset.asked = 'yes';
          button.textContent = 'Press again to take out';
          button.setAttribute('aria-label', `Press again to take out ${member.person}`);
          return undefined;
        });
        item.append(name, what, button);
        return item;
      }));
    }

    function take(record) {
      board = record;
      receivedAt = now();
      connection = '';
      drawMembers();
      drawAll();
    }

    let source, timer;
    function open() {
      clearTimeout(timer);
      source?.close();
      source = new EventSource(`${groupPath(id)}/events`);
      source.addEventListener('board', event => take(JSON.parse(event.data)));
      source.addEventListener('error', () => {
        connection = 'The connection is lost; it comes back by itself.';
        if (source.readyState === EventSource.CLOSED) timer = setTimeout(ask, 2000);
        drawAll();
      });
    }

    // Why there is no stream.
    async function ask() {
      try {
        const answer = await fetch(`${groupPath(id)}/events?wait=0`,
          {headers: {Accept: 'application/x-ndjson'}, credentials: 'same-origin'});
        if (answer.status === 401) return location.reload();
        if (answer.status === 404) {
          isGone = true;
          connection = title.dataset.audience === 'member' ? 'You are in this group no more.' : 'There is no such group any more.';
          return drawAll();
        }
      } catch {
        // No network: the next attempt finds out.
      }
      return open();
    }

    open();
    new Screen(() => {}).start();
    setInterval(drawAll, 250);
    addEventListener('pagehide', () => source.close());
    addEventListener('pageshow', event => event.persisted && open());
    addEventListener('offline', () => {
      connection = 'The connection is lost; it comes back by itself.';
      drawAll();
    });
    addEventListener('online', () => source.readyState === EventSource.CLOSED && !isGone && open());

    """#
}
