// What changes in the store → events for the pages that are open. A page that lost its connection asks for itself anew when it is back, so
// nothing has to be kept for it.
import type { ServerResponse } from 'node:http';
import type { Changed, DurableEngine } from '../../durable/durable-engine.js';
import { streamHeaders } from '../http/console-reply.js';

export interface LiveEvents {
  /** Answers with a stream that lasts until the client leaves. False where too many are open. */
  open(response: ServerResponse): boolean;
  close(): void;
}

const MOST_STREAMS = 500;
/** Proxies close what is silent; a page takes a longer silence for a lost connection. */
const HEARTBEAT_MS = 15_000;
/** Ids in one event; with more, every page looks for itself. */
const MOST_IDS = 100;

export function createLiveEvents(store: Pick<DurableEngine, 'watch'>): LiveEvents {
  const streams = new Set<ServerResponse>();
  let stop: (() => void) | undefined;
  let heartbeat: NodeJS.Timeout | undefined;

  const tellAll = (text: string): void => {
    for (const stream of streams) {
      // A reader that is stuck gets nothing more; it asks for its page when it is back.
      if (stream.writableLength > 64 * 1024) stream.destroy();
      else stream.write(text);
    }
  };
  const onChange = ({ runs, tasks, elsewhere }: Changed): void => {
    const ids = elsewhere === true || runs.length > MOST_IDS ? '*' : runs.map(({ run }) => run);
    tellAll(`event: change\ndata: ${JSON.stringify({ runs: ids, tasks: tasks || elsewhere === true })}\n\n`);
  };
  const begin = (): void => {
    stop ??= store.watch(onChange);
    heartbeat ??= setInterval(() => tellAll('event: beat\ndata: {}\n\n'), HEARTBEAT_MS).unref();
  };
  const end = (): void => {
    stop?.();
    clearInterval(heartbeat);
    stop = heartbeat = undefined;
  };
  return {
    open(response) {
      if (streams.size >= MOST_STREAMS) return false;
      begin();
      response.writeHead(200, [...streamHeaders]);
      response.write('retry: 2000\nevent: hello\ndata: {}\n\n');
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
