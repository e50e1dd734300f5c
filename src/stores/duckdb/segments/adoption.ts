import type { DuckDBConnection } from '@duckdb/node-api'
import { inTransaction, literal, queryRows, run } from '../process/sql.js'
import { indexFilesOf, segmentOfIndex } from '../segment-indexes.js'
import type { SetAside } from '../../disk/set-aside.js'
import { segmentEnding, segmentFormat } from '../sealed-files.js'
import { isSampled, type TableKind } from '../tables.js'
import type { KnownBatches } from '../write/known-batches.js'
import { type AdoptionPlan, planAdoption } from './adoption-plan.js'
import { crcOfFile, type FileSum } from './crc-of-file.js'
import type { Deletions } from './deletions.js'
import { addSegment, type ManifestRow, readManifest, unlistSegments } from './manifest.js'
import type { SegmentFiles } from './segment-files.js'
import { readSegmentMark } from './segment-mark.js'
import { readSegmentPath } from './segment-name.js'
import type { Stranger, Unlisted, UnlistedSegment } from './unlisted-segments.js'

/** What adoption works with. */
export interface AdoptionDeps {
  readonly connection: DuckDBConnection
  readonly files: SegmentFiles
  readonly setAside: SetAside
  readonly deletions: Deletions
  readonly batches: KnownBatches
  readonly nowMs: () => number
}

/** Rows of a file that are looked for in another one: some of them may have been deleted meanwhile. */
const SAMPLE_ROWS = 64

/** What distinguishes a row of a kind from all others. */
function keyOf(kind: TableKind): string {
  return isSampled(kind) ? 'ts, series, seq' : 'ts, ingest_id, idx'
}

/**
 * Lists the segments that the manifest does not know, in one transaction, each row once: what of it is in the hot tables as
 * well (out of the journal, or in a hot file that is older) goes from there. What no manifest can list moves to set-aside.
 * Nothing is removed.
 */
export class Adoption {
  readonly #parts: AdoptionDeps

  constructor(parts: AdoptionDeps) {
    this.#parts = parts
  }

  /** Returns what was done, as sentences. */
  async run({ segments, strangers }: Unlisted): Promise<readonly string[]> {
    const deleted = segments.filter(({ kind, ns }) => this.#parts.deletions.isDropped(kind, ns))
    const plan = await this.#plan(segments.filter(segment => !deleted.includes(segment)))
    await this.#commit(plan, deleted)
    const moved = [
      ...strangers,
      ...plan.superseded.map(({ file }) => ({ file, reason: 'has rows that other segments also have' })),
      ...(await this.#present(plan.replaced)).map(file => ({ file, reason: 'was replaced by a segment that was not listed' }))
    ]
    for (const each of moved) await this.#move(each)
    return [
      ...adoptedSentence(plan.adopt),
      ...moved.map(({ file, reason }) => `${file} ${reason}: it was moved to set-aside as ${asideName(file)}`)
    ]
  }

  #plan(segments: readonly UnlistedSegment[]): Promise<AdoptionPlan> {
    const { connection, files } = this.#parts
    return readManifest(connection).then(async listed =>
      planAdoption(segments, await this.#onDisk(listed), {
        // A file whose mark cannot be read replaced nothing as far as anybody knows.
        markOf: async file => readSegmentMark(connection, files.pathOf(file)).catch(() => []),
        // All are tested at once; after a failure one by one.
        sourcesOf: async (file, older) =>
          this.#sourcesOf(file, older).catch(async () => {
            // An unreadable listed segment is not a source: the check of damage reports it.
            const each = older.map(async one => this.#sourcesOf(file, [one]).catch(() => []))
            return (await Promise.all(each)).flat()
          })
      })
    )
  }

  async #onDisk(listed: readonly ManifestRow[]): Promise<readonly ManifestRow[]> {
    const present = new Set(await this.#parts.files.all())
    return listed.filter(({ file }) => present.has(file))
  }

  async #present(files: readonly string[]): Promise<readonly string[]> {
    const present = new Set(await this.#parts.files.all())
    return files.filter(file => present.has(file))
  }

  async #sourcesOf(file: ManifestRow, older: readonly ManifestRow[]): Promise<readonly string[]> {
    if (older.length === 0) return []
    const { connection, files } = this.#parts
    const key = keyOf(file.kind)
    const paths = new Map(older.map(each => [files.pathOf(each.file), each.file]))
    const sample = `SELECT ${key}, filename FROM read_parquet([${[...paths.keys()].map(literal).join(', ')}], filename = true,
      file_row_number = true) WHERE file_row_number < ${SAMPLE_ROWS}`
    const sql = `SELECT DISTINCT sample.filename AS path FROM (${sample}) AS sample
      JOIN (SELECT ${key} FROM read_parquet(${literal(files.pathOf(file.file))})) AS rows USING (${key})`
    const rows = await queryRows<{ path: string }>(connection, sql)
    return rows.flatMap(({ path }) => paths.get(path) ?? [])
  }

  async #commit({ adopt, replaced }: AdoptionPlan, deleted: readonly UnlistedSegment[]): Promise<void> {
    const { connection, batches, nowMs } = this.#parts
    if (adopt.length + replaced.length + deleted.length === 0) return
    const sums = await this.#sumsOf(adopt)
    await batches.adopt(
      adopt
        .filter(({ kind }) => !isSampled(kind))
        .map(({ kind, ns, file }) => ({ kind, ns, path: this.#parts.files.pathOf(file) })),
      nowMs()
    )
    await inTransaction(connection, async () => {
      for (const segment of adopt) {
        await this.#removeFromHot(segment)
        const { kind, ns, day, file, rows, bytes, minNs, maxNs } = segment
        await addSegment(connection, { kind, ns, day, file, rows, bytes, minNs, maxNs }, sums)
      }
      await unlistSegments(connection, replaced)
      // Their namespace was deleted by a transaction of its own.
      for (const { file } of deleted) await run(connection, "INSERT INTO hot.main.garbage VALUES ('file', ?)", [file])
    })
  }

  async #removeFromHot({ kind, ns, file }: UnlistedSegment): Promise<void> {
    const { connection, files } = this.#parts
    const key = keyOf(kind)
    const tables = await queryRows<{ name: string }>(connection, 'SELECT name FROM hot.main.hot_tables WHERE kind = ?', [kind])
    for (const { name } of tables) {
      await run(
        connection,
        `DELETE FROM hot.main.${name} WHERE ns = ?
           AND (${key}) IN (SELECT (${key}) FROM read_parquet(${literal(files.pathOf(file))}))`,
        [ns]
      )
    }
  }

  async #sumsOf(segments: readonly UnlistedSegment[]): Promise<ReadonlyMap<string, FileSum>> {
    const { files } = this.#parts
    const present = new Set(await files.all())
    const sums = new Map<string, FileSum>()
    for (const { file } of segments) {
      for (const each of [file, ...indexFilesOf(file)]) if (present.has(each)) sums.set(each, await crcOfFile(files.pathOf(each)))
    }
    return sums
  }

  async #move({ file }: Stranger): Promise<void> {
    const { files, setAside } = this.#parts
    const present = new Set(await files.all())
    const indexes = segmentOfIndex(file) === null ? indexFilesOf(file) : []
    for (const each of [...indexes, file]) if (present.has(each)) await setAside.move(files.pathOf(each), asideName(each))
  }
}

/** As the names of frames that were set aside: kind and namespace first. */
export function asideName(file: string): string {
  const segment = segmentOfIndex(file) ?? file
  const named = readSegmentPath(segment)
  if (named === null) return file.replaceAll('/', '-')
  const { ns, kind, day, epoch, number } = named
  return `${kind}-${ns}-${day}-${epoch}_${number}${segmentEnding(segmentFormat(segment))}${file.slice(segment.length)}`
}

function adoptedSentence(adopted: readonly UnlistedSegment[]): readonly string[] {
  if (adopted.length === 0) return []
  const rows = adopted.reduce((sum, segment) => sum + segment.rows, 0)
  return [`${adopted.length} segments with ${rows} rows were missing from the manifest and were added`]
}
