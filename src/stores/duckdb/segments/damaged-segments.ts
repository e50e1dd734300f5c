import { stat } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Gap } from '../gaps.js'
import { checkFrame, checkWhole } from './check-segment.js'
import { type ManifestRow, readManifest, readSums } from './manifest.js'
import type { SegmentFiles } from './segment-files.js'

/** What the register works with. */
export interface DamagedSegmentsDeps {
  readonly connection: DuckDBConnection
  readonly files: SegmentFiles
  readonly nowMs: () => number
  /** Called whenever a segment is found damaged, or readable again. */
  readonly onChange: () => void
}

interface Damage {
  readonly row: ManifestRow
  readonly reason: string
  /** Size and time of the file when it was found so: another one is looked at again. */
  readonly state: string
}

/** A whole file is read again for another failed read after this long at the earliest: failing queries must not become load. */
const RECHECK_MS = 60_000
const CHECKS_AT_ONCE = 16

/**
 * Listed segments that cannot be read: reads and merges go on without them, and report it. Nothing of them is removed; one that
 * is put back in its place counts again.
 */
export class DamagedSegments {
  readonly #parts: DamagedSegmentsDeps
  readonly #byFile = new Map<string, Damage>()
  readonly #readWholeMs = new Map<string, number>()
  #looking: Promise<unknown> = Promise.resolve()

  constructor(parts: DamagedSegmentsDeps) {
    this.#parts = parts
  }

  /** Looks at the frames of all listed segments. */
  async load(): Promise<void> {
    const rows = await readManifest(this.#parts.connection)
    const sums = await readSums(this.#parts.connection)
    for (let at = 0; at < rows.length; at += CHECKS_AT_ONCE) {
      await Promise.all(
        rows.slice(at, at + CHECKS_AT_ONCE).map(async row => {
          const reason = await checkFrame(this.#parts.files.pathOf(row.file), sums.get(row.file))
          if (reason !== null) await this.#note(row, reason)
        })
      )
    }
  }

  has(file: string): boolean {
    return this.#byFile.has(file)
  }

  /** One sentence for health; empty without damage. */
  get detail(): string {
    const first = [...this.#byFile.values()][0]
    if (!first) return ''
    const more = this.#byFile.size === 1 ? '' : ` (and ${this.#byFile.size - 1} more segments)`
    return `segments/${first.row.file} ${first.reason}${more}: responses miss its rows; restore the file, or see docs/operations.md`
  }

  /** The damaged segments as the manifest lists them. */
  get rows(): readonly ManifestRow[] {
    return [...this.#byFile.values()].map(({ row }) => row)
  }

  get count(): number {
    return this.#byFile.size
  }

  /** The gaps of results. */
  get gaps(): readonly Gap[] {
    return [...this.#byFile.values()].map(({ row: { kind, ns, minNs, maxNs, rows, file }, reason }) => {
      return { kind, ns, minNs, maxNs, rows, reason: `segments/${file} ${reason}`, isOpen: true }
    })
  }

  /** After a read of these files failed: whether one of them is damaged. Reads that fail together look once. */
  async isAmong(files: readonly string[]): Promise<boolean> {
    const looked = this.#looking.then(() => this.#look(files))
    // The failure reaches this caller below; the next one looks for itself.
    this.#looking = looked.catch(() => undefined)
    await looked
    return files.some(file => this.has(file))
  }

  async #look(files: readonly string[]): Promise<void> {
    const rows = (await this.#rowsOf(files)).filter(({ file }) => !this.has(file))
    if (await this.#check(rows, (path, row, sums) => checkFrame(path, sums.get(row.file)))) return
    const { nowMs } = this.#parts
    const due = rows.filter(({ file }) => nowMs() - (this.#readWholeMs.get(file) ?? -RECHECK_MS) >= RECHECK_MS)
    for (const { file } of due) this.#readWholeMs.set(file, nowMs())
    await this.verify(due)
  }

  /** Reads these segments whole; true when one is damaged that was not known to be. */
  verify(rows: readonly ManifestRow[]): Promise<boolean> {
    return this.#check(rows, (path, row, sums) => checkWhole(this.#parts.connection, path, row, sums.get(row.file)))
  }

  /** Forgets what is listed no more and what was put back. */
  async review(): Promise<void> {
    if (this.#byFile.size === 0) return
    const listed = new Map((await readManifest(this.#parts.connection)).map(row => [row.file, row]))
    const sums = await readSums(this.#parts.connection)
    for (const [file, { state }] of this.#byFile) {
      const path = this.#parts.files.pathOf(file)
      const row = listed.get(file)
      if (row && (await stateOf(path)) === state) continue
      const reason = row ? await checkWhole(this.#parts.connection, path, row, sums.get(file)) : null
      if (row && reason !== null) await this.#note(row, reason)
      else this.#byFile.delete(file)
      this.#readWholeMs.delete(file)
      this.#parts.onChange()
    }
  }

  async #rowsOf(files: readonly string[]): Promise<readonly ManifestRow[]> {
    const requested = new Set(files)
    return (await readManifest(this.#parts.connection)).filter(({ file }) => requested.has(file))
  }

  async #check(
    rows: readonly ManifestRow[],
    check: (path: string, row: ManifestRow, sums: Awaited<ReturnType<typeof readSums>>) => Promise<string | null>
  ): Promise<boolean> {
    if (rows.length === 0) return false
    const sums = await readSums(this.#parts.connection)
    let isFound = false
    for (const row of rows) {
      const reason = await check(this.#parts.files.pathOf(row.file), row, sums)
      if (reason === null) continue
      await this.#note(row, reason)
      isFound = true
    }
    if (isFound) this.#parts.onChange()
    return isFound
  }

  async #note(row: ManifestRow, reason: string): Promise<void> {
    this.#byFile.set(row.file, { row, reason, state: await stateOf(this.#parts.files.pathOf(row.file)) })
  }
}

async function stateOf(path: string): Promise<string> {
  // A file that cannot be looked at is in a state of its own: it is tried again when that changes.
  return stat(path).then(
    ({ size, mtimeMs, ino }) => `${size} ${mtimeMs} ${ino}`,
    () => 'missing'
  )
}
