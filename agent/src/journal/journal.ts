import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { StreamRecord } from '../files/stream-record.js'
import { LIMITS } from '../limits.js'

/** One entry: the newest state of a stream, or a pattern that has been looked for. */
type Entry =
  | { readonly stream: StreamRecord }
  /** `lookedAtMs`: files that changed before were seen by an earlier look. */
  | { readonly pattern: string; readonly lookedAtMs: number }
  | { readonly forget: string }

const SUM_DIGITS = 16

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, SUM_DIGITS)
}

function lineOf(entry: Entry): string {
  const text = JSON.stringify(entry)
  return `${checksum(text)} ${text}\n`
}

/** The entry of a line; null for one that was torn or damaged. */
function entryOf(line: string): Entry | null {
  const text = line.slice(SUM_DIGITS + 1)
  return line.slice(0, SUM_DIGITS) === checksum(text) ? (JSON.parse(text) as Entry) : null
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/**
 * What the agent knows of its streams, on disk: an append-only file of lines with checksums, whose last entry of a stream
 * counts. A torn last line is what a crash leaves and is ignored.
 */
export class Journal {
  readonly #path: string
  readonly streams = new Map<string, StreamRecord>()
  readonly patterns = new Map<string, number>()
  /** Lines other than the last that could not be read. */
  damagedLines = 0
  #handle: FileHandle | null = null
  #bytes = 0
  /** The last write failed within a line. */
  #isTorn = false
  #writing: Promise<unknown> = Promise.resolve()
  #syncing: Promise<void> | null = null
  #next: Promise<void> | null = null

  private constructor(path: string) {
    this.#path = path
  }

  /** Reads the journal in `stateDir`, or begins one. */
  static async open(stateDir: string): Promise<Journal> {
    await mkdir(stateDir, { recursive: true, mode: 0o700 })
    const journal = new Journal(join(stateDir, 'journal'))
    await journal.#read()
    await journal.#rewrite()
    return journal
  }

  /** Notes the newest state of a stream; it is crash-safe after the next `sync`. */
  async put(record: StreamRecord): Promise<void> {
    this.streams.set(record.id, record)
    await this.#append({ stream: record })
  }

  async forget(id: string): Promise<void> {
    if (this.streams.delete(id)) await this.#append({ forget: id })
  }

  async looked(pattern: string, lookedAtMs: number): Promise<void> {
    this.patterns.set(pattern, lookedAtMs)
    await this.#append({ pattern, lookedAtMs })
  }

  /** Resolves when all that was noted before is crash-safe. Calls of a moment share a sync. */
  sync(): Promise<void> {
    if (this.#syncing === null) {
      this.#syncing = this.#syncNow()
      return this.#syncing
    }
    this.#next ??= this.#syncing.then(() => {
      this.#next = null
      this.#syncing = this.#syncNow()
      return this.#syncing
    })
    return this.#next
  }

  async close(): Promise<void> {
    await this.sync()
    await this.#handle?.close()
    this.#handle = null
  }

  async #syncNow(): Promise<void> {
    try {
      await this.#handle!.datasync()
    } finally {
      this.#syncing = null
    }
  }

  async #read(): Promise<void> {
    const text = await readFile(this.#path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      throw error
    })
    const lines = text.split('\n')
    lines.pop()
    for (const line of lines) if (line !== '') this.#take(entryOf(line))
  }

  #take(entry: Entry | null): void {
    if (entry === null) this.damagedLines++
    else if ('stream' in entry) this.streams.set(entry.stream.id, entry.stream)
    else if ('pattern' in entry) this.patterns.set(entry.pattern, entry.lookedAtMs)
    else this.streams.delete(entry.forget)
  }

  /** One write after the other; a failed one leaves the next to go on. */
  #append(entry: Entry): Promise<void> {
    const written = this.#writing.then(() => this.#write(lineOf(entry)))
    this.#writing = written.catch(() => undefined)
    return written
  }

  async #write(line: string): Promise<void> {
    const text = this.#isTorn ? `\n${line}` : line
    this.#isTorn = true
    await this.#handle!.appendFile(text)
    this.#isTorn = false
    this.#bytes += text.length
    if (this.#bytes > LIMITS.journalBytes) await this.#rewrite()
  }

  /** Writes what counts into a new file, which takes the place of the old one when it is on disk. */
  async #rewrite(): Promise<void> {
    const lines = [
      ...[...this.patterns].map(([pattern, lookedAtMs]) => lineOf({ pattern, lookedAtMs })),
      ...[...this.streams.values()].map(stream => lineOf({ stream }))
    ].join('')
    const next = `${this.#path}.next`
    const handle = await open(next, 'w', 0o600)
    await handle.writeFile(lines)
    await handle.sync()
    await rename(next, this.#path)
    await syncFolder(dirname(this.#path))
    await this.#handle?.close()
    this.#handle = handle
    this.#bytes = lines.length
  }
}
