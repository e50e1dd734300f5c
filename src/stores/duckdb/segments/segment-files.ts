import { mkdir, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { isNamespaceId, type NamespaceId } from '../../../domain/ids.js'
import { removeFile, syncFile, syncFolder } from '../../durable-files.js'
import { literal } from '../process/sql.js'
import type { TableKind } from '../tables.js'
import { indexFilesOf, segmentOfIndex } from '../segment-indexes.js'
import type { UniqueNumbers } from '../write/unique-numbers.js'
import { writeIndex } from './write-index.js'

const ROW_GROUP_ROWS = 32_768
// Trace and span ids, of which a row group has some 20,000 where 60 % of the logs carry one, get dictionaries and with them
// bloom filters: the logs of one trace among ten million are found in a third of the time, for 6 bytes a log.
const DICTIONARY_VALUES = 24_576
// A dictionary has one entry for all NaNs and one for both zeros: marks of ended series and of histograms would be lost. Even a
// dictionary of one entry is one where a row group has nothing else. None also takes less room, but for files that hold nothing but
// gauges of few decimals: points of many kinds take 2.8 bytes without, 5.2 with up to 24,576 entries.
const NO_DICTIONARY = 0
// Level 1 writes logs in 60 % of the time of level 3, and into no more bytes.
const COPY_OPTIONS = `FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, PARQUET_VERSION v2, ROW_GROUP_SIZE ${ROW_GROUP_ROWS}`

/** A Parquet file that has been written and is on the disk, but that nobody knows yet. */
export interface WrittenSegment {
  readonly kind: TableKind
  readonly ns: NamespaceId
  readonly day: number
  /** Below the folder of segments. */
  readonly file: string
  readonly rows: number
  readonly bytes: number
}

/** What to call a new segment. */
export interface SegmentName {
  readonly kind: TableKind
  readonly ns: NamespaceId
  readonly day: number
}

/** The folder of Parquet files, one folder per namespace. Names are never used twice. */
export class SegmentFiles {
  readonly #folder: string
  readonly #numbers: UniqueNumbers
  readonly #gramIndexRows: number
  #written: string[] = []

  constructor(folder: string, numbers: UniqueNumbers, gramIndexRows: number) {
    this.#folder = folder
    this.#numbers = numbers
    this.#gramIndexRows = gramIndexRows
  }

  pathOf(file: string): string {
    return path.join(this.#folder, file)
  }

  /** Writes the rows of a query, in its order, into a new file. To be called within `keepOrDiscard`. */
  async write(connection: DuckDBConnection, query: string, name: SegmentName): Promise<WrittenSegment> {
    const { kind, ns, day } = name
    if (!isNamespaceId(ns)) throw new Error('not a namespace id')
    const file = `${ns}/${kind}-${day}-${this.#numbers.nextName()}.parquet`
    await mkdir(path.dirname(this.pathOf(file)), { recursive: true })
    this.#written.push(file)
    const dictionary = kind === 'points' ? NO_DICTIONARY : DICTIONARY_VALUES
    const options = `${COPY_OPTIONS}, DICTIONARY_SIZE_LIMIT ${dictionary}`
    const result = await connection.run(`COPY (${query}) TO ${literal(this.pathOf(file))} (${options})`)
    const rows = result.rowsChanged
    const index = await writeIndex(connection, this.pathOf(file), { kind, day, rows, gramIndexRows: this.#gramIndexRows })
    if (index) this.#written.push(index.fileOf(file))
    const { size } = await stat(this.pathOf(file))
    return { ...name, file, rows, bytes: size + (index?.bytes ?? 0) }
  }

  // Files, their folders, and the folder of folders.
  async #sync(): Promise<void> {
    const files = this.#written
    if (files.length === 0) return
    for (const file of files) await syncFile(this.pathOf(file))
    for (const folder of new Set(files.map(file => path.dirname(file)))) await syncFolder(this.pathOf(folder))
    await syncFolder(this.#folder)
  }

  /**
   * Runs `writing` and forces what it wrote to the disk; when that fails, e.g. because the disk is full, removes it. Files
   * of a transaction that fails later stay until the next start, which knows for sure whether it was committed.
   */
  async keepOrDiscard<T>(writing: () => Promise<T>): Promise<T> {
    this.#written = []
    try {
      const result = await writing()
      await this.#sync()
      return result
    } catch (error) {
      for (const file of this.#written) await this.remove(file)
      throw error
    }
  }

  /** Removes a file, and with a segment its indexes; false when it must be tried again. */
  async remove(file: string): Promise<boolean> {
    let isGone = true
    const indexes = segmentOfIndex(file) === null ? indexFilesOf(file) : []
    for (const each of [...indexes, file]) isGone = (await removeFile(this.pathOf(each))) && isGone
    return isGone
  }

  /** Removes every file that is not one of `known`; answers how many. */
  async removeUnknown(known: ReadonlySet<string>): Promise<number> {
    let removed = 0
    for (const entry of await readdir(this.#folder, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue
      for (const name of await readdir(this.pathOf(entry.name))) {
        const file = `${entry.name}/${name}`
        if (!known.has(segmentOfIndex(file) ?? file) && (await this.remove(file))) removed++
      }
    }
    return removed
  }
}
