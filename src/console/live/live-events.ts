// Notifies open pages of changes in the store. A page that lost its connection fetches itself again after reconnecting, so no events are
// kept.
import type { ServerResponse } from 'node:http';
import type { Changed, DurableEngine } from '../../durable/durable-engine.js';
import { FIGURES_FRESH_MS } from '../history/read-cache.js';
import { streamHeaders } from '../http/console-reply.js';

export interface LiveEvents {
  /** Answers with a stream that lasts until the client disconnects. False if too many are open. */
  open(response: ServerResponse): boolean;
  close(): void;
}

const MOST_STREAMS = 500;
/** Proxies close silent connections, and a page treats a longer silence as a lost connection. */
const HEARTBEAT_MS = 15_000;
/** Maximum ids per event. With more, every page refreshes. */
const MOST_IDS = 100;

export function createLiveEvents(store: Pick<DurableEngine, 'watch'>): LiveEvents {
  const streams = new Set<ServerResponse>();
  let stop: (() => void) | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let late: NodeJS.Timeout | undefined;

  const sendToAll = (text: string): void => {
    for (const stream of streams) {
      // A client that doesn't read gets no more events. It fetches its page after reconnecting.
      if (stream.writableLength > 64 * 1024) stream.destroy();
      else stream.write(text);
    }
  };
  const tell = (runs: readonly string[] | '*', tasks: boolean): void =>
    sendToAll(`event: change\ndata: ${JSON.stringify({ runs, tasks })}\n\n`);
  const onChange = ({ runs, tasks, elsewhere }: Changed): void => {
    tell(elsewhere === true || runs.length > MOST_IDS ? '*' : runs, tasks || elsewhere === true);
    // Lists that were fetched meanwhile may show figures from before the change.
    clearTimeout(late);
    late = setTimeout(() => tell([], false), FIGURES_FRESH_MS).unref();
  };
  const begin = (): void => {
    stop ??= store.watch(onChange);
    heartbeat ??= setInterval(() => sendToAll('event: beat\ndata: {}\n\n'), HEARTBEAT_MS).unref();
  };
  const end = (): void => {
    stop?.();
    clearInterval(heartbeat);
    clearTimeout(late);
    stop = heartbeat = undefined;
  };
  return {
    open(response) {
      if (streams.size >= MOST_STREAMS) return false;
      begin();
      response.writeHead(200, [...streamHeaders]);
      // The clock of the browser may be wrong.
      response.write(`retry: 2000\nevent: hello\ndata: ${Date.now()}\n\n`);
      streams.add(response);
      response.on('close', () => {
        streams.delete(response);
        if (streams.size === 0) end();
      });
      return true;
    },
    close() {
      for (const stream of streams) stream.end();
      end();
    },
  };
}
