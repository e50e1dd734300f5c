import { readFile, rename } from 'node:fs/promises'
import path from 'node:path'
import { AppendFile } from '../../../disk/append-file.js'
import { FRAME_HEADER_BYTES, scanFrames, sealFrame } from '../../../disk/checked-frames.js'
import { removeFile, syncFolder } from '../../../disk/durable-files.js'
import { whenMissing } from '../../../disk/when-missing.js'

/** Name of the manifest, next to the folder of journal files: removing that folder leaves it. */
export const JOURNAL_MANIFEST = 'journal.manifest'
const MAGIC = Buffer.from('alidjmn1')
const JSON_START = '{'.charCodeAt(0)
/** A manifest that has grown beyond this is rewritten with its last state alone. */
const REWRITE_BYTES = 256 * 1024

/** A journal file by its number. */
export interface ListedFile {
  readonly number: number
  readonly createdMs: number
  /** When a start found it missing; null for a file that is there. */
  readonly missedMs: number | null
}

/** The content of the manifest. */
export interface JournalState {
  /** Number of the start that wrote it, as text: JSON has no bigint. */
  readonly epoch: string
  /** The highest number given to a journal file. */
  readonly last: number
  /** Files whose requests are not all stored. */
  readonly files: readonly ListedFile[]
}

const NO_STATE: JournalState = { epoch: '0', last: 0, files: [] }

/** The state on disk; `damage` is the position of bytes that are not state, else null. */
export interface ReadManifest {
  readonly state: JournalState
  readonly damage: { readonly at: number; readonly content: Buffer } | null
}

/** Reads the manifest below a data folder: the last whole state in it counts. */
export async function readJournalManifest(dataDir: string): Promise<ReadManifest> {
  const content = await readFile(path.join(dataDir, JOURNAL_MANIFEST)).catch(whenMissing(MAGIC))
  if (!content.subarray(0, MAGIC.length).equals(MAGIC)) return { state: NO_STATE, damage: { at: 0, content } }
  const { frames, damages } = scanFrames(content, MAGIC.length, body => body[0] === JSON_START)
  const last = frames.at(-1)
  const state = last ? (JSON.parse(last.body.toString()) as JournalState) : NO_STATE
  return { state, damage: damages[0] ? { at: damages[0].from, content } : null }
}

/**
 * Lists the journal files that exist, so that a start notices one that was lost. A file is added before its first request is
 * acknowledged, and taken off before it is removed.
 */
export class JournalManifest {
  readonly #path: string
  #state: JournalState
  #out: AppendFile | null = null
  #last: Promise<unknown> = Promise.resolve()

  constructor(dataDir: string, state: JournalState) {
    this.#path = path.join(dataDir, JOURNAL_MANIFEST)
    this.#state = state
  }

  get state(): JournalState {
    return this.#state
  }

  /** Rewrites the file with the present state. */
  rewrite(): Promise<void> {
    return this.#serial(() => this.#rewrite())
  }

  /** On the disk when this resolves. */
  add(number: number, createdMs: number): Promise<void> {
    const { files, last } = this.#state
    const file = { number, createdMs, missedMs: null }
    this.#state = { ...this.#state, last: Math.max(last, number), files: [...files, file] }
    return this.#serial(() => this.#write())
  }

  /** On the disk when this resolves. What rejects is written with the next change. */
  remove(numbers: readonly number[]): Promise<void> {
    this.#state = { ...this.#state, files: this.#state.files.filter(({ number }) => !numbers.includes(number)) }
    return this.#serial(() => this.#write())
  }

  close(): Promise<void> {
    return this.#serial(async () => this.#out?.close())
  }

  #serial(work: () => Promise<void>): Promise<void> {
    const result = this.#last.then(work)
    // The caller has the failure; the next change only waits for the end.
    this.#last = result.catch(() => undefined)
    return result
  }

  async #write(): Promise<void> {
    const out = this.#out
    if (out === null || out.isBroken || out.bytes >= REWRITE_BYTES) return this.#rewrite()
    await writeState(out, this.#state)
  }

  async #rewrite(): Promise<void> {
    const fresh = `${this.#path}.new`
    await removeFile(fresh)
    const out = await AppendFile.create(fresh, MAGIC)
    try {
      await writeState(out, this.#state)
      await rename(fresh, this.#path)
      await syncFolder(path.dirname(this.#path))
    } catch (error) {
      await out.close()
      throw error
    }
    await this.#out?.close()
    this.#out = out
  }
}

async function writeState(out: AppendFile, state: JournalState): Promise<void> {
  const body = Buffer.from(JSON.stringify(state))
  const head = Buffer.alloc(FRAME_HEADER_BYTES)
  sealFrame(head, [body])
  await out.write([head, body], head.length + body.length)
}
