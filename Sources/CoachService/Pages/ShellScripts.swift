internal import TextFormats

/// What a browser needs to install the pages: the manifest, and the worker that keeps their shell.
enum PageShell {
  /// The manifest.
  static var manifest: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("id", "/")
      writer.member("name", "coach")
      writer.member("short_name", "coach")
      writer.member("description", "Runs by heart rate: how fast to go to stay in the zone")
      writer.member("lang", "en")
      writer.member("start_url", "/send")
      writer.member("scope", "/")
      writer.member("display", "standalone")
      writer.member("background_color", "#10151b")
      writer.member("theme_color", "#10151b")
      writer.array("icons") { icons in
        icons.object { icon in
          icon.member("src", PageAsset.icon.path)
          icon.member("sizes", "any")
          icon.member("type", "image/svg+xml")
          icon.member("purpose", "any")
        }
      }
    }
    writer.endLine()
    return writer.bytes
  }

  /// The worker. It answers for the shell of `/send` where there is no network, so that a reload goes on with a run; it never
  /// keeps an answer of the service.
  static var worker: String {
    let assets = PageAsset.all.map { "'\($0.path)'" }.joined(separator: ", ")
    let version = AccessSecret.base64URL(Array(AccessSecret.digest(of: assets).prefix(9)))
    return """
      const KEPT = 'coach-\(version)';
      const ASSETS = [\(assets)];
      const SHELL = '/send';

      addEventListener('install', event => {
        event.waitUntil(caches.open(KEPT).then(cache => cache.addAll(ASSETS)).then(() => first()).then(() => skipWaiting()));
      });
      // A redirect leads to signing in, and is none.
      async function keep(answer) {
        if (!answer.ok || answer.type !== 'basic' || answer.redirected) return;
        const cache = await caches.open(KEPT);
        await cache.put(SHELL, answer);
      }
      // The page may be open for the first time, and be loaded again without a network.
      async function first() {
        try {
          await keep(await fetch(SHELL, {credentials: 'same-origin'}));
        } catch {
          // It is kept when it is opened.
        }
      }
      addEventListener('activate', event => {
        const isOld = name => name.startsWith('coach-') && name !== KEPT;
        event.waitUntil(caches.keys()
          .then(names => Promise.all(names.filter(isOld).map(name => caches.delete(name))))
          .then(() => clients.claim()));
      });
      async function shell(request) {
        try {
          const answer = await fetch(request);
          await keep(answer.clone());
          return answer;
        } catch (problem) {
          const kept = await caches.match(SHELL);
          if (kept) return kept;
          throw problem;
        }
      }
      addEventListener('fetch', event => {
        const url = new URL(event.request.url);
        if (event.request.method !== 'GET' || url.origin !== location.origin) return;
        if (ASSETS.includes(url.pathname)) {
          event.respondWith(caches.match(event.request).then(kept => kept || fetch(event.request)));
        } else if (url.pathname === SHELL && event.request.mode === 'navigate') {
          event.respondWith(shell(event.request));
        }
      });

      """
  }
}
