// A disk that has done what a trace says, up to a power cut: what was flushed is there, and any part of the rest.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TraceEvent } from './write-trace.js';

type Change = { readonly offset: number; readonly data?: Buffer };

interface DiskFile {
  readonly path: string;
  flushed: Buffer;
  pending: Change[];
  /** Its name is on disk: the folder was flushed after the file was created. */
  isNamed: boolean;
  isRemoved: boolean;
}

const SECTOR = 512;

export interface CutOptions {
  /** Returns numbers from 0 to 1. If it returns 1, nothing unflushed is kept. */
  readonly random: () => number;
  /** Whether a flush of this file counts. */
  readonly flushes?: (path: string) => boolean;
}

export class SimulatedDisk {
  readonly #folder: string;
  readonly #files = new Map<string, DiskFile>();

  /** @param events up to the moment of the power cut */
  constructor(folder: string, events: readonly TraceEvent[], flushes: (path: string) => boolean = () => true) {
    this.#folder = folder;
    const open = new Map<number, string>();
    for (const { kind, file, offset, data } of events) {
      if (kind === 'opened') open.set(file, this.#open(data.toString()));
      else if (kind === 'removed') this.#remove(data.toString());
      else this.#change(open.get(file) ?? '', kind, offset, data, flushes);
    }
  }

  /** Writes what remains to another folder. */
  writeTo(folder: string, random: () => number): void {
    mkdirSync(folder, { recursive: true });
    for (const file of this.#files.values()) {
      // Locks die with the machine, and shared memory is created again.
      if (/\.lock$|-shm$/.test(file.path)) continue;
      if ((!file.isNamed || file.isRemoved) && random() >= 0.5) continue;
      const kept = file.pending.reduce((content, change) => applied(content, partOf(change, random)), file.flushed);
      writeFileSync(path.join(folder, path.basename(file.path)), kept, { mode: 0o600 });
    }
  }

  #open(name: string): string {
    if (name !== this.#folder && (this.#files.get(name)?.isRemoved ?? true)) {
      this.#files.set(name, { path: name, flushed: Buffer.alloc(0), pending: [], isNamed: false, isRemoved: false });
    }
    return name;
  }

  #remove(name: string): void {
    const file = this.#files.get(name);
    if (file !== undefined) file.isRemoved = true;
  }

  #change(name: string, kind: TraceEvent['kind'], offset: number, data: Buffer, flushes: (path: string) => boolean): void {
    if (name === this.#folder && kind === 'flushed') this.#flushNames();
    const file = this.#files.get(name);
    if (file === undefined) return;
    if (kind === 'written') file.pending.push({ offset, data });
    else if (kind === 'cut') file.pending.push({ offset });
    else if (flushes(name)) {
      file.flushed = file.pending.reduce(applied, file.flushed);
      file.pending = [];
    }
  }

  #flushNames(): void {
    for (const [name, file] of this.#files) {
      if (file.isRemoved) this.#files.delete(name);
      else file.isNamed = true;
    }
  }
}

function applied(content: Buffer, { offset, data }: Change): Buffer {
  if (data === undefined) {
    const cut = Buffer.alloc(offset);
    content.copy(cut, 0, 0, Math.min(offset, content.length));
    return cut;
  }
  const whole = content.length >= offset + data.length ? Buffer.from(content) : Buffer.alloc(offset + data.length);
  if (whole.length !== content.length) content.copy(whole);
  data.copy(whole, offset);
  return whole;
}

/** All of a write, nothing, or some of its sectors. */
function partOf(change: Change, random: () => number): Change {
  const { offset, data } = change;
  const chance = random();
  if (data === undefined) return chance < 0.5 ? change : { offset: 0, data: Buffer.alloc(0) };
  if (chance < 0.4) return change;
  if (chance >= 0.8 || data.length <= SECTOR) return { offset, data: Buffer.alloc(0) };
  return { offset, data: data.subarray(0, SECTOR * Math.floor(random() * (data.length / SECTOR))) };
}
