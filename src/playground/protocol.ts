// The messages between the page of the playground and its worker. The worker holds the compiler and the runtime; it gets plain data and
// gives plain data, and HTML that is safe to show.

/** A workflow, and the files that it may call. */
export interface OpenFile {
  /** `order.wf`. */
  readonly name: string;
  readonly text: string;
}

/** An edit of the text: offsets, and what goes between them. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

export interface Problem {
  readonly from: number;
  readonly to: number;
  /** 1-based. */
  readonly line: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly fixes: readonly { readonly title: string; readonly changes: readonly TextChange[] }[];
}

export interface Look {
  readonly problems: readonly Problem[];
  readonly colours: readonly {
    readonly from: number;
    readonly to: number /** A kind of token, as the language server names it. */;
    readonly type: string;
  }[];
}

export interface Views {
  /** SVG. */
  readonly drawing: string;
  /** HTML. */
  readonly rules: string;
  /** HTML: the fields of a form. */
  readonly fields: string;
  /** Differs if the form has other fields. */
  readonly shape: string;
}

/** Names and values of the fields of a form. */
export type Entries = readonly (readonly [name: string, value: string])[];

export interface Ran {
  readonly status: 'completed' | 'rejected' | 'error' | 'not started';
  /** HTML. */
  readonly result: string;
  /** 1-based lines that the run took. */
  readonly lines: readonly number[];
  /** SVG with the way of the run; absent if nothing ran. */
  readonly drawing?: string;
}

export interface Example extends OpenFile {
  /** The request to begin with. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** The settings to begin with: services, messages, variables and time. */
  readonly around?: Readonly<Record<string, unknown>>;
}

export interface Proposed {
  readonly from: number;
  readonly items: readonly { readonly label: string; readonly kind: string; readonly detail?: string }[];
}

/** The questions that the worker answers, with what they take and give. */
export interface Questions {
  readonly examples: (given: Record<string, never>) => readonly Example[];
  /** Files of a folder, which workflows may call. */
  readonly know: (given: { readonly files: readonly OpenFile[] }) => true;
  readonly look: (given: OpenFile) => Look;
  readonly views: (given: OpenFile & { readonly request: Readonly<Record<string, unknown>> | undefined }) => Views;
  readonly complete: (given: OpenFile & { readonly offset: number }) => Proposed;
  readonly hover: (
    given: OpenFile & { readonly offset: number },
  ) => { readonly from: number; readonly to: number; readonly markdown: string } | undefined;
  readonly format: (given: OpenFile) => string | undefined;
  readonly run: (given: OpenFile & { readonly entries: Entries; readonly around: string }) => Promise<Ran> | Ran;
}

export type WorkerQuestion = keyof Questions;
export type WorkerGiven<Name extends WorkerQuestion> = Parameters<Questions[Name]>[0];
export type WorkerAnswer<Name extends WorkerQuestion> = Awaited<ReturnType<Questions[Name]>>;

export interface Asked {
  readonly id: number;
  readonly name: WorkerQuestion;
  readonly given: unknown;
}

export interface WorkerReply {
  readonly id: number;
  readonly answer?: unknown;
  /** The reason why there is none. */
  readonly fault?: string;
}
