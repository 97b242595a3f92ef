/// The script of the sensors of a browser.
enum SensorScript {
  static let text = #"""
    // The sensors of a browser: a strap by Web Bluetooth, position, steps, and a screen that stays on.

    const CONNECT_MS = 8_000;
    const ATTEMPTS = 3;
    const BETWEEN_MS = 1_500;
    const G = 9.80665;

    const rest = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

    // Ends a promise that may never end by itself, as those of a strap which is gone.
    function limited(promise, milliseconds) {
      let timer;
      const limit = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error('it took too long')), milliseconds);
      });
      return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
    }

    // The characteristic Heart Rate Measurement, 0x2A37. Source: Bluetooth SIG, Heart Rate Service 1.0, section 3.1.
    export function heartRateMeasurement(view) {
      const flags = view.getUint8(0);
      let at = 1;
      const bpm = flags & 1 ? view.getUint16(at, true) : view.getUint8(at);
      at += flags & 1 ? 2 : 1;
      // Whether the strap feels the skin; undefined where it cannot know.
      const hasContact = flags & 4 ? Boolean(flags & 2) : undefined;
      if (flags & 8) at += 2;
      const rr = [];
      if (flags & 16)
        for (; at + 1 < view.byteLength; at += 2) rr.push(Math.round(view.getUint16(at, true) * 1000 / 1024));
      return {bpm, hasContact, rr};
    }

    export class Strap {
      device = null;
      isWanted = false;

      // `onValue` gets a measurement; `onState` gets 'connecting', 'connected', 'lost' or 'failed', and words.
      constructor(onValue, onState) {
        Object.assign(this, {onValue, onState});
        this.take = event => {
          const {value} = event.target;
          if (value && value.byteLength >= 2) this.onValue(heartRateMeasurement(value));
        };
        this.lose = () => {
          if (!this.isWanted) return;
          this.onState('lost', 'The strap is gone; it is looked for.');
          this.again();
        };
      }

      static get isThere() { return Boolean(navigator.bluetooth?.requestDevice); }

      // Asks which strap. It has to come of a tap.
      async choose() {
        const device = await navigator.bluetooth.requestDevice({filters: [{services: ['heart_rate']}]});
        this.leave();
        await this.use(device);
      }

      // Takes the strap of before a reload, where the browser lets a page know those that it may use.
      async resume(id) {
        if (!navigator.bluetooth?.getDevices) return false;
        const device = (await navigator.bluetooth.getDevices()).find(one => one.id === id);
        if (!device) return false;
        await this.use(device);
        return true;
      }

      async use(device) {
        this.device = device;
        this.isWanted = true;
        device.addEventListener('gattserverdisconnected', this.lose);
        await this.again();
      }

      // Some attempts with time limits of their own; then somebody has to tap.
      async again() {
        if (this.isTrying) return;
        this.isTrying = true;
        try {
          for (let attempt = 1; attempt <= ATTEMPTS && this.isWanted; attempt += 1) {
            try {
              this.onState('connecting', `Connecting to ${this.device.name ?? 'the strap'}, attempt ${attempt} of ${ATTEMPTS}…`);
              await limited(this.connect(), CONNECT_MS);
              this.onState('connected', `${this.device.name ?? 'A strap'} is connected.`);
              return;
            } catch {
              this.quit();
              if (attempt < ATTEMPTS) await rest(BETWEEN_MS);
            }
          }
        } finally {
          this.isTrying = false;
        }
        if (this.isWanted) this.onState('failed', 'The strap does not answer. Is it on and wet?');
      }

      // Services and characteristics do not outlive a connection: they are fetched each time.
      async connect() {
        const server = await this.device.gatt.connect();
        const service = await server.getPrimaryService('heart_rate');
        const characteristic = await service.getCharacteristic('heart_rate_measurement');
        characteristic.addEventListener('characteristicvaluechanged', this.take);
        await characteristic.startNotifications();
        this.characteristic = characteristic;
      }

      quit() {
        this.characteristic?.removeEventListener('characteristicvaluechanged', this.take);
        this.characteristic = null;
        try {
          this.device?.gatt.disconnect();
        } catch {
          // It is gone already.
        }
      }

      leave() {
        this.isWanted = false;
        this.device?.removeEventListener('gattserverdisconnected', this.lose);
        this.quit();
      }
    }

    // Positions, as they come.
    export class Position {
      constructor(onLine, onState) { Object.assign(this, {onLine, onState}); }

      start() {
        if (!navigator.geolocation || !isSecureContext) return this.onState('Not on this page: it needs HTTPS.');
        this.onState('Looking for it…');
        this.watch = navigator.geolocation.watchPosition(place => {
          // A watch that begins again may give the last place of before once more.
          const last = Number(localStorage.getItem('position'));
          if (place.timestamp <= last && last <= Date.now()) return;
          localStorage.setItem('position', String(place.timestamp));
          const {latitude, longitude, altitude, accuracy, altitudeAccuracy, speed, heading} = place.coords;
          const line = {type: 'location', time: new Date(place.timestamp).toISOString(), latitude, longitude,
            horizontalAccuracyMeters: accuracy};
          if (Number.isFinite(altitude) && altitude !== null) line.altitudeMeters = altitude;
          if (Number.isFinite(speed) && speed !== null && speed >= 0) line.speedMetersPerSecond = speed;
          // What browsers call heading is the direction of travel; standing still it is not a number.
          if (Number.isFinite(heading) && heading !== null && heading >= 0) line.courseDegrees = heading;
          if (Number.isFinite(altitudeAccuracy) && altitudeAccuracy !== null) line.verticalAccuracyMeters = altitudeAccuracy;
          this.onState(`Within ${Math.round(accuracy)} m.`);
          this.onLine(line);
        }, problem => {
          this.onState(problem.code === 1 ? 'Not allowed in this browser.' : 'Not known just now.');
        }, {enableHighAccuracy: true, maximumAge: 0, timeout: 20_000});
      }

      stop() {
        if (this.watch !== undefined) navigator.geolocation.clearWatch(this.watch);
        this.watch = undefined;
      }
    }

    // Steps from the acceleration: a step is a rise over the mean by a fifth of g, not sooner than a quarter of a second
    // after the one before.
    export class Steps {
      static RISE_G = 0.2;
      static LEAST_MS = 250;
      count = 0;
      mean = 1;
      isHigh = false;
      last = 0;

      constructor(onSteps, onState) {
        Object.assign(this, {onSteps, onState});
        this.take = event => {
          const axes = event.accelerationIncludingGravity;
          if (!axes || axes.x === null) return;
          this.add(Math.hypot(axes.x, axes.y, axes.z) / G, event.timeStamp);
        };
      }

      add(magnitude, time) {
        this.isHeard = true;
        this.mean += 0.02 * (magnitude - this.mean);
        const rise = magnitude - this.mean;
        if (!this.isHigh && rise > Steps.RISE_G && time - this.last >= Steps.LEAST_MS) {
          this.isHigh = true;
          this.last = time;
          this.count += 1;
        } else if (rise < 0) {
          this.isHigh = false;
        }
      }

      static get needsTap() { return typeof DeviceMotionEvent?.requestPermission === 'function'; }

      async start(isTapped) {
        if (typeof DeviceMotionEvent === 'undefined' || !isSecureContext)
          return this.onState('Not on this page: it needs HTTPS and a device with a motion sensor.');
        if (Steps.needsTap) {
          if (!isTapped) return this.onState('It needs a tap.');
          if (await DeviceMotionEvent.requestPermission() !== 'granted') return this.onState('Not allowed in this browser.');
        }
        addEventListener('devicemotion', this.take);
        this.onState('No motion is heard yet.');
        this.timer = setInterval(() => {
          if (this.isHeard) this.onState('Steps are counted from its motion.');
          const {count} = this;
          this.count = 0;
          if (count > 0) this.onSteps(count);
        }, 5000);
      }

      stop() {
        removeEventListener('devicemotion', this.take);
        clearInterval(this.timer);
      }
    }

    // Streams of which nothing comes any more: each is reported once, and once more when it is back.
    export class Silences {
      static LIMITS_MS = {location: 30_000, motion: 5_000};
      static WORDS = {location: 'Position', motion: 'Motion'};
      streams = new Map();

      // `report` gets words, and whether it is lost.
      constructor(report) { this.report = report; }

      hear(type) {
        if (!(type in Silences.LIMITS_MS)) return;
        const stream = this.streams.get(type) ?? {isSilent: false};
        this.streams.set(type, Object.assign(stream, {at: performance.now()}));
      }

      check() {
        for (const [type, stream] of this.streams) {
          const isSilent = performance.now() - stream.at > Silences.LIMITS_MS[type];
          if (isSilent === stream.isSilent) continue;
          stream.isSilent = isSilent;
          this.report(`${Silences.WORDS[type]} ${isSilent ? 'lost' : 'is back'}`, isSilent);
        }
      }

      forget() { this.streams.clear(); }
    }

    // Keeps the screen on while the page is seen.
    export class Screen {
      constructor(onState) {
        this.onState = onState;
        document.addEventListener('visibilitychange', () => this.isWanted && !document.hidden && this.start());
      }

      async start() {
        this.isWanted = true;
        if (!navigator.wakeLock) return this.onState('It may go dark: keep it on by hand.');
        try {
          this.lock = await navigator.wakeLock.request('screen');
          this.onState('It stays on.');
          this.lock.addEventListener('release', () => this.onState('It may go dark.'));
        } catch {
          this.onState('It may go dark: the browser saves power.');
        }
      }

      stop() {
        this.isWanted = false;
        this.lock?.release();
      }
    }

    """#
}
