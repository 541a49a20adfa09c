// Keeps the order of a session: a client initializes the server, asks, shuts it down, and ends it. Takes a reader of messages, and gives one
// that lets through what is due; other requests are refused, and other notifications dropped, as the protocol asks.
import type { Message, MessageReader, MessageWriter, RequestMessage } from 'vscode-languageserver';

/** Codes of the protocol. */
const NOT_INITIALIZED = -32002;
const INVALID_REQUEST = -32600;

interface Refusal {
  readonly code: number;
  readonly message: string;
}

export function inOrderOfSession(reader: MessageReader, writer: MessageWriter): MessageReader {
  let phase: 'new' | 'open' | 'over' = 'new';
  /** Moves on with this message, or refuses it. */
  const refusalOf = (method: string): Refusal | undefined => {
    if (method === 'exit') return undefined;
    if (phase === 'over') return { code: INVALID_REQUEST, message: 'The server has been shut down.' };
    if (phase === 'new' && method !== 'initialize')
      return { code: NOT_INITIALIZED, message: 'The server has not been initialized: send "initialize" first.' };
    if (phase === 'open' && method === 'initialize')
      return { code: INVALID_REQUEST, message: 'The server has been initialized already.' };
    phase = method === 'shutdown' ? 'over' : 'open';
    return undefined;
  };
  return {
    onError: reader.onError,
    onClose: reader.onClose,
    onPartialMessage: reader.onPartialMessage,
    listen: (callback) =>
      reader.listen((message) => {
        const { id, method } = message as Partial<RequestMessage>; // a request, a notification, or an answer
        const error = method === undefined ? undefined : refusalOf(method);
        if (error === undefined) callback(message);
        else if (id !== undefined) void writer.write({ jsonrpc: '2.0', id, error } as Message);
      }),
    dispose: () => reader.dispose(),
  };
}
