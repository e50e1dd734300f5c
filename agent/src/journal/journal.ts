import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { StreamRecord } from '../files/stream-record.js'
import { LIMITS } from '../limits.js'

/** When files of a pattern were looked for, Unix milliseconds. */
export interface PatternLooks {
  /** All that was written before is known. */
  readonly lookedAtMs: number
  readonly firstMs: number
}

/** One entry: the newest state of a stream, or a pattern that has been looked for. */
type Entry = { readonly stream: StreamRecord } | ({ readonly pattern: string } & PatternLooks) | { readonly forget: string }

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
  readonly patterns = new Map<string, PatternLooks>()
  /** Lines other than the last that could not be read. */
  damagedLines = 0
  #handle: FileHandle | null = null
  #bytes = 0
  /** The last write failed within a line. */
  #isTorn = false
  /** The last sync failed. */
  #isUnsure = false
  #rewriteAtBytes = LIMITS.journalBytes
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

  /** Notes the newest state of a stream; resolves when it is crash-safe. */
  async note(record: StreamRecord): Promise<void> {
    await this.put(record)
    await this.sync()
  }

  async forget(id: string): Promise<void> {
    if (this.streams.delete(id)) await this.#append({ forget: id })
  }

  /** Notes a look. @param lookedAtMs all that was written before is known. @param nowMs of the look. */
  async looked(pattern: string, lookedAtMs: number, nowMs: number): Promise<void> {
    const looks = { lookedAtMs, firstMs: Math.min(this.patterns.get(pattern)?.firstMs ?? nowMs, nowMs) }
    this.patterns.set(pattern, looks)
    await this.#append({ pattern, ...looks })
  }

  /** Resolves when all that was noted before is crash-safe. Calls of a moment share a sync. */
  sync(): Promise<void> {
    if (this.#syncing === null) {
      this.#syncing = this.#syncNow()
      return this.#syncing
    }
    const after = (): Promise<void> => {
      this.#next = null
      this.#syncing = this.#syncNow()
      return this.#syncing
    }
    this.#next ??= this.#syncing.then(after, after)
    return this.#next
  }

  async close(): Promise<void> {
    await this.sync()
    await this.#handle?.close()
    this.#handle = null
  }

  async #syncNow(): Promise<void> {
    try {
      // After a sync that failed, it is not known which lines are on disk.
      if (this.#isUnsure) await this.#serially(() => this.#rewrite())
      else await this.#handle!.datasync()
      this.#isUnsure = false
    } catch (error) {
      this.#isUnsure = true
      throw error
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
    else if ('pattern' in entry) this.patterns.set(entry.pattern, { lookedAtMs: entry.lookedAtMs, firstMs: entry.firstMs })
    else this.streams.delete(entry.forget)
  }

  /** One write after the other; a failed one leaves the next to go on. */
  #serially(write: () => Promise<void>): Promise<void> {
    const written = this.#writing.then(write)
    // The caller has the failure.
    this.#writing = written.catch(() => undefined)
    return written
  }

  #append(entry: Entry): Promise<void> {
    return this.#serially(() => this.#write(lineOf(entry)))
  }

  async #write(line: string): Promise<void> {
    const bytes = Buffer.from(this.#isTorn ? `\n${line}` : line)
    this.#isTorn = true
    await this.#handle!.appendFile(bytes)
    this.#isTorn = false
    this.#bytes += bytes.length
    if (this.#bytes < this.#rewriteAtBytes) return
    this.#rewriteAtBytes = 2 * this.#bytes
    // The line is written: without room for a second file the journal grows on.
    await this.#rewrite().catch(() => undefined)
  }

  /** Writes what counts into a new file, which takes the place of the old one when it is on disk. */
  async #rewrite(): Promise<void> {
    const lines = Buffer.from(
      [
        ...[...this.patterns].map(([pattern, looks]) => lineOf({ pattern, ...looks })),
        ...[...this.streams.values()].map(stream => lineOf({ stream }))
      ].join('')
    )
    const next = `${this.#path}.next`
    const handle = await open(next, 'w', 0o600)
    try {
      await handle.writeFile(lines)
      await handle.sync()
      await rename(next, this.#path)
    } catch (error) {
      await handle.close()
      throw error
    }
    const old = this.#handle
    this.#handle = handle
    this.#isTorn = false
    this.#bytes = lines.length
    this.#rewriteAtBytes = Math.max(LIMITS.journalBytes, 2 * this.#bytes)
    await old?.close()
    await syncFolder(dirname(this.#path))
  }
}
