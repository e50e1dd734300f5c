import { statSync } from 'node:fs'
import { mkdir, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { isNamespaceId, type NamespaceId } from '../../../domain/ids.js'
import type { Writing } from '../../disk/disk-room.js'
import { removeFile, syncFile, syncFolder } from '../../disk/durable-files.js'
import { literal } from '../process/sql.js'
import type { FreeColumnList } from '../free-columns.js'
import type { TableKind } from '../tables.js'
import { copyWithFreeColumns, type FreeCopyDeps, type SegmentRows, segmentRowsSql } from './free-copy.js'
import { indexFilesOf, segmentOfIndex } from '../segment-indexes.js'
import type { UniqueNumbers } from '../write/unique-numbers.js'
import { crcOfFile, type FileSum } from './crc-of-file.js'
import { segmentMark } from './segment-mark.js'
import { segmentPath } from './segment-name.js'
import { announceFiles, settleFiles } from './write-intents.js'
import { gramIndexFile } from '../gram-index.js'
import { idIndexFile } from '../id-index.js'
import { traceIndexFile } from '../trace-index.js'
import { writeGramIndex } from './write-gram-index.js'
import { writeIdIndex } from './write-id-index.js'
import { writeTraceIndex } from './write-trace-index.js'

/** A segment as its indexes need to know it. */
interface IndexedSegment {
  readonly kind: TableKind
  readonly day: number
  readonly rows: number
  /** Logs get an index from this many rows on. */
  readonly gramIndexRows: number
}

/** An index that was written. */
interface WrittenIndex {
  /** Its path, next to the segment. */
  readonly fileOf: (segment: string) => string
  readonly bytes: number
}

/** Writes the indexes of a segment of this kind. */
async function writeIndexes(
  connection: DuckDBConnection,
  segment: string,
  { kind, day, rows, gramIndexRows }: IndexedSegment
): Promise<readonly WrittenIndex[]> {
  if (kind === 'spans') return present(traceIndexFile, await writeTraceIndex(connection, segment, day))
  if (kind !== 'logs') return []
  const ids = present(idIndexFile, await writeIdIndex(connection, segment))
  return rows < gramIndexRows ? ids : [...ids, ...present(gramIndexFile, await writeGramIndex(connection, segment))]
}

function present(fileOf: WrittenIndex['fileOf'], bytes: number): readonly WrittenIndex[] {
  return bytes === 0 ? [] : [{ fileOf, bytes }]
}

const ROW_GROUP_ROWS = 32_768
// Ids of spans, of which a row group has some 20,000, get dictionaries and with them Bloom filters. Those of logs have an index
// of their own (`id-index`): dictionaries of so many entries would cost 3 bytes and 0.7 us a log.
const LARGE_DICTIONARY = 24_576
const SMALL_DICTIONARY = 1_024
// A dictionary has one entry for all NaNs and one for both zeros: marks of ended series and of histograms would be lost. Even a
// dictionary of one entry is one where a row group has nothing else. None also takes less room, but for files that hold nothing but
// gauges of few decimals: points of many kinds take 2.8 bytes without, 5.2 with up to 24,576 entries.
const NO_DICTIONARY = 0
// Level 1 writes logs in 60 % of the time of level 3, and into no more bytes.
const COPY_OPTIONS = `FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, PARQUET_VERSION v2, ROW_GROUP_SIZE ${ROW_GROUP_ROWS}`

/** Values up to which a chunk of a column has a dictionary. */
function dictionaryOf(kind: TableKind): number {
  if (kind === 'points') return NO_DICTIONARY
  return kind === 'logs' ? SMALL_DICTIONARY : LARGE_DICTIONARY
}

/** A Parquet file that has been written and is on the disk, but that is not listed yet. */
export interface WrittenSegment {
  readonly kind: TableKind
  readonly ns: NamespaceId
  readonly day: number
  /** Below the folder of segments. */
  readonly file: string
  readonly rows: number
  readonly bytes: number
}

/** Sizes and checksums of files, by their paths below the folder of segments. */
export type FileSums = ReadonlyMap<string, FileSum>

/** What to call a new segment. */
export interface SegmentName {
  readonly kind: TableKind
  readonly ns: NamespaceId
  readonly day: number
}

/** How segments are written. */
export interface SegmentFileOptions {
  /** Logs get an index from this many rows on. */
  readonly gramIndexRows: number
  /** The format that names of new segments end with. */
  readonly format: number
  readonly freeColumns: FreeCopyDeps
  /** Runs what writes, or throws `storage_full` when acknowledged rows need the room. */
  readonly inRoom: <T>(writing: Writing, work: () => Promise<T>) => Promise<T>
}

/** Kinds of which segments get free columns. */
const KINDS_WITH_FREE_COLUMNS: ReadonlySet<TableKind> = new Set(['logs', 'spans'])

/** The folder of Parquet files, one folder per namespace. Names are never used twice. */
export class SegmentFiles {
  readonly #folder: string
  readonly #numbers: UniqueNumbers
  readonly #options: SegmentFileOptions
  #written: string[] = []

  constructor(folder: string, numbers: UniqueNumbers, options: SegmentFileOptions) {
    this.#folder = folder
    this.#numbers = numbers
    this.#options = options
  }

  pathOf(file: string): string {
    return path.join(this.#folder, file)
  }

  /**
   * Runs `writing`, which writes the segments of these names by `write`, at most about `sizeBytes`, and forces them to the disk;
   * when that fails, removes them. `storage_full`, before anything is written, where the room is for acknowledged rows. Returns
   * the checksums of what was written, too. Files of a transaction that fails later stay until the next start, which knows for
   * sure whether it was committed.
   */
  keepOrDiscard<T>(
    connection: DuckDBConnection,
    { names, sizeBytes }: { readonly names: readonly SegmentName[]; readonly sizeBytes: number },
    writing: (files: readonly string[]) => Promise<T>
  ): Promise<{ readonly result: T; readonly sums: FileSums }> {
    const room = { sizeBytes, writtenBytes: () => this.#writtenBytes() }
    return this.#options.inRoom(room, () => this.#keepOrDiscard(connection, names, writing))
  }

  async #keepOrDiscard<T>(
    connection: DuckDBConnection,
    names: readonly SegmentName[],
    writing: (files: readonly string[]) => Promise<T>
  ): Promise<{ readonly result: T; readonly sums: FileSums }> {
    this.#written = []
    const files = names.map(name => this.#pathOfNew(name))
    await announceFiles(connection, files)
    try {
      const result = await writing(files)
      return { result, sums: await this.#sync() }
    } catch (error) {
      await this.discard(connection, files)
      throw error
    }
  }

  /** Bytes of the files that are being written. */
  #writtenBytes(): number {
    const sizes = this.#written.map(file => statSync(this.pathOf(file), { throwIfNoEntry: false })?.size ?? 0)
    return sizes.reduce((sum, size) => sum + size, 0)
  }

  /** Writes rows into a file that was announced; `replaces` are segments whose rows these are. */
  async write(
    connection: DuckDBConnection,
    source: SegmentRows,
    { file, name, replaces }: { readonly file: string; readonly name: SegmentName; readonly replaces: readonly string[] }
  ): Promise<WrittenSegment> {
    const { kind, day } = name
    await mkdir(path.dirname(this.pathOf(file)), { recursive: true })
    this.#written.push(file)
    const dictionary = dictionaryOf(kind)
    const copy = async (free: FreeColumnList | null) => {
      // Of a statement that failed.
      await removeFile(this.pathOf(file))
      const options = `${COPY_OPTIONS}, DICTIONARY_SIZE_LIMIT ${dictionary}, ${segmentMark(replaces, free)}`
      const sql = `COPY (${segmentRowsSql(source, free)}) TO ${literal(this.pathOf(file))} (${options})`
      return (await connection.run(sql)).rowsChanged
    }
    const rows = KINDS_WITH_FREE_COLUMNS.has(kind)
      ? await copyWithFreeColumns(connection, source, copy, this.#options.freeColumns)
      : await copy(null)
    const { gramIndexRows } = this.#options
    const indexes = await writeIndexes(connection, this.pathOf(file), { kind, day, rows, gramIndexRows })
    this.#written.push(...indexes.map(({ fileOf }) => fileOf(file)))
    const { size } = await stat(this.pathOf(file))
    return { ...name, file, rows, bytes: indexes.reduce((sum, { bytes }) => sum + bytes, size) }
  }

  /** Removes files that were announced and that no transaction will list. */
  async discard(connection: DuckDBConnection, files: readonly string[]): Promise<void> {
    const gone: string[] = []
    for (const file of files) if (await this.remove(file)) gone.push(file)
    // Struck off or not: the next start looks for them again.
    await settleFiles(connection, gone).catch(() => undefined)
  }

  /** Removes a file, and with a segment its indexes; false when it must be tried again. */
  async remove(file: string): Promise<boolean> {
    let isGone = true
    const indexes = segmentOfIndex(file) === null ? indexFilesOf(file) : []
    for (const each of [...indexes, file]) isGone = (await removeFile(this.pathOf(each))) && isGone
    return isGone
  }

  /** Every file in the folders of namespaces. */
  async all(): Promise<readonly string[]> {
    const files: string[] = []
    for (const entry of await readdir(this.#folder, { withFileTypes: true })) {
      if (!entry.isDirectory()) files.push(entry.name)
      else for (const name of await readdir(this.pathOf(entry.name))) files.push(`${entry.name}/${name}`)
    }
    return files
  }

  #pathOfNew(name: SegmentName): string {
    if (!isNamespaceId(name.ns)) throw new Error('not a namespace id')
    return segmentPath(name, this.#numbers.nextName(), this.#options.format)
  }

  // Files, their folders, and the folder of folders.
  async #sync(): Promise<FileSums> {
    const files = this.#written
    const sums = new Map<string, FileSum>()
    if (files.length === 0) return sums
    for (const file of files) {
      await syncFile(this.pathOf(file))
      sums.set(file, await crcOfFile(this.pathOf(file)))
    }
    for (const folder of new Set(files.map(file => path.dirname(file)))) await syncFolder(this.pathOf(folder))
    await syncFolder(this.#folder)
    return sums
  }
}
