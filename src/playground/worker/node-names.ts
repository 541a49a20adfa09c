// The few names of Node.js that the compiler and the runtime use, for a worker in a browser. The build puts them in their place.

const decoder = new TextDecoder();

/** Bytes that can be told as text. */
class TextBytes extends Uint8Array {
  override toString(encoding = 'utf8'): string {
    return encoding === 'base64' ? btoa(String.fromCharCode(...this)) : decoder.decode(this);
  }
}

const bytesOf = (given: string | Uint8Array, encoding: string): Uint8Array => {
  if (typeof given !== 'string') return given;
  return encoding === 'base64' ? Uint8Array.from(atob(given), (one) => one.charCodeAt(0)) : new TextEncoder().encode(given);
};

const namedBuffer = {
  from: (given: string | Uint8Array | ArrayBuffer, encoding: string | number = 'utf8', length?: number): TextBytes =>
    given instanceof ArrayBuffer
      ? new TextBytes(given, Number(encoding), length)
      : new TextBytes(bytesOf(given, String(encoding))),
  byteLength: (given: string): number => bytesOf(given, 'utf8').length,
  isBuffer: (given: unknown): boolean => given instanceof TextBytes,
};

const namedProcess = {
  env: {},
  cwd: (): string => '/',
  hrtime(): readonly [seconds: number, nanoseconds: number] {
    const now = performance.now();
    return [Math.floor(now / 1000), Math.round((now % 1000) * 1e6)];
  },
};

const tasks: (() => void)[] = [];
let channel: InstanceType<typeof MessageChannel> | undefined;

/** Timers of browsers wait 4 milliseconds when they are nested; messages don't. */
function soon(task: () => void): void {
  if (channel === undefined) {
    channel = new MessageChannel();
    channel.port1.addEventListener('message', () => tasks.shift()?.());
    channel.port1.start();
  }
  tasks.push(task);
  channel.port2.postMessage(undefined);
}

export { namedBuffer as Buffer, namedProcess as process, soon as setImmediate };
