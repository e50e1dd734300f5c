import type { DuckDBConnection } from '@duckdb/node-api'
import type { DuckDbLimits } from '../limits.js'
import type { FailPoints } from '../process/fail-points.js'
import { inTransaction, literal, queryRows } from '../process/sql.js'
import { isSampled } from '../tables.js'
import { segmentOrder } from '../write/schema.js'
import type { Deletions } from './deletions.js'
import { addSegment, type ManifestRow, readManifest, retireSegments } from './manifest.js'
import { groupByDay, planMerge } from './merge-plan.js'
import { distinctPoints } from '../distinct-points.js'
import type { SegmentFiles } from './segment-files.js'

/** What merging works with. */
export interface MergeParts {
  readonly connection: DuckDBConnection
  readonly files: SegmentFiles
  readonly deletions: Deletions
  readonly failPoints: FailPoints
  readonly limits: DuckDbLimits
}

/** Makes one segment of several small ones. */
export class Merger {
  readonly #parts: MergeParts

  constructor(parts: MergeParts) {
    this.#parts = parts
  }

  /** Does the first merge that is due; false when there is none. */
  async mergeNext(): Promise<boolean> {
    const { connection, limits, deletions } = this.#parts
    for (const group of groupByDay(await readManifest(connection))) {
      // Its files go as they are.
      if (deletions.isDropped(group[0]!.kind, group[0]!.ns)) continue
      const inputs = planMerge(group, limits.maxSegmentRows)
      if (inputs === null) continue
      await this.#merge(inputs)
      return true
    }
    return false
  }

  /** Writes a segment anew without what is deleted. */
  rewrite(segment: ManifestRow): Promise<void> {
    return this.#merge([segment])
  }

  async #merge(inputs: readonly ManifestRow[]): Promise<void> {
    const { connection, files, failPoints, deletions } = this.#parts
    const { kind, ns, day } = inputs[0]!
    const markNs = deletions.markOf(kind, ns) ?? 0n
    const written = await files.keepOrDiscard(async () => {
      const file = await files.write(connection, this.#query(inputs, markNs), { kind, ns, day })
      failPoints.reach('merge.copied')
      return file
    })
    failPoints.reach('merge.synced')
    const lows = inputs.map(({ minNs }) => (minNs < markNs ? markNs : minNs))
    const minNs = lows.reduce((a, b) => (a < b ? a : b))
    const maxNs = inputs.map(input => input.maxNs).reduce((a, b) => (a > b ? a : b))
    const isPublished = await inTransaction(connection, async () => {
      if (!(await this.#areListed(inputs))) return false
      await retireSegments(
        connection,
        inputs.map(({ file }) => file)
      )
      if (written.rows > 0) await addSegment(connection, { ...written, minNs, maxNs })
      return true
    })
    // Retention or a deletion was faster than the merge, or nothing was left to keep: its file is nobody's.
    if (!isPublished || written.rows === 0) await files.remove(written.file)
    failPoints.reach('merge.committed')
  }

  #query(inputs: readonly ManifestRow[], markNs: bigint): string {
    const { kind } = inputs[0]!
    const list = inputs.map(({ file }) => literal(this.#parts.files.pathOf(file))).join(', ')
    const source = `SELECT * FROM read_parquet([${list}]) WHERE ts >= ${markNs}`
    return `SELECT * FROM (${isSampled(kind) ? distinctPoints(source) : source}) ORDER BY ${segmentOrder(kind)}`
  }

  async #areListed(inputs: readonly ManifestRow[]): Promise<boolean> {
    const files = inputs.map(({ file }) => literal(file)).join(', ')
    const sql = `SELECT count(*) AS found FROM hot.main.segments WHERE file IN (${files})`
    const rows = await queryRows<{ found: bigint }>(this.#parts.connection, sql)
    return Number(rows[0]!.found) === inputs.length
  }
}
