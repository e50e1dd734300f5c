import type { DuckDBConnection } from '@duckdb/node-api'
import type { NamespaceId } from '../../../domain/ids.js'
import { distinctPoints } from '../distinct-points.js'
import type { DuckDbLimits } from '../limits.js'
import type { FailPoints } from '../process/fail-points.js'
import { literal, queryRows, run } from '../process/sql.js'
import type { TableLayout } from '../table-layout.js'
import { isSampled, type TableKind } from '../tables.js'
import { createHotTable, segmentOrder } from '../write/schema.js'
import type { HotTables } from '../write/hot-tables.js'
import type { UniqueNumbers } from '../write/unique-numbers.js'
import type { Deletions } from './deletions.js'
import type { KnownManifest } from './known-manifest.js'
import { addSegment } from './manifest.js'
import { type HotGroup, planSeal } from './seal-plan.js'
import type { FileSums, SegmentFiles, WrittenSegment } from './segment-files.js'

const NS_PER_DAY = 86_400_000_000_000n

/** What sealing works with. */
export interface SealDeps {
  readonly layout: TableLayout
  readonly connection: DuckDBConnection
  readonly files: SegmentFiles
  readonly tables: Pick<HotTables, 'bytesOf'>
  readonly manifest: KnownManifest
  readonly deletions: Deletions
  readonly numbers: UniqueNumbers
  readonly failPoints: FailPoints
  readonly limits: DuckDbLimits
  readonly nowMs: () => number
}

/** `due`: what need not wait; `all`: everything; `purge`: as `due`, and hot tables are rewritten without deleted rows. */
export type SealScope = 'due' | 'all' | 'purge'

type SealPlan = ReturnType<typeof planSeal>

interface TableRow {
  readonly name: string
  readonly created_ms: bigint
}

interface GroupRow {
  readonly ns: NamespaceId
  readonly day: bigint
  readonly rows: bigint
  readonly low: bigint
  readonly high: bigint
}

interface Sealed extends WrittenSegment {
  readonly minNs: bigint
  readonly maxNs: bigint
}

/** Names of one table's rows from several: an SQL source. */
function unionOf(tables: readonly string[], where = ''): string {
  return tables.map(table => `SELECT * FROM hot.main.${table}${where}`).join(' UNION ALL BY NAME ')
}

/** Turns hot tables that take no more appends into segments. */
export class Sealer {
  readonly #parts: SealDeps

  constructor(parts: SealDeps) {
    this.#parts = parts
  }

  /** Seals the waiting hot tables of a kind that `scope` selects. */
  async seal(kind: TableKind, scope: SealScope): Promise<void> {
    const tables = await this.#waitingTables(kind)
    if (tables.length === 0) return
    const plan = planSeal(await this.#groups(kind, tables), this.#rules(scope === 'all'))
    // A lone table of rows that go on waiting stays as it is.
    const isIdle = plan.seal.length === 0 && tables.length === 1 && plan.wait.length > 0
    if (isIdle && scope !== 'purge') return
    await this.#carryOut(kind, tables, plan)
  }

  async #carryOut(kind: TableKind, tables: readonly TableRow[], { seal, wait }: SealPlan): Promise<void> {
    const { connection, failPoints, files, manifest, tables: hotTables } = this.#parts
    const names = seal.map(({ ns, day }) => ({ kind, ns, day }))
    // Those that go on waiting are written as well, into a table of their own.
    const sizeBytes = hotTables.bytesOf(
      kind,
      [...seal, ...wait].reduce((sum, { rows }) => sum + rows, 0)
    )
    const { result: sealed, sums } = await files.keepOrDiscard(connection, { names, sizeBytes }, async announced => {
      const written: Sealed[] = []
      for (const [i, group] of seal.entries()) written.push(await this.#write(kind, tables, { group, file: announced[i]! }))
      failPoints.reach('seal.copied')
      return written
    })
    failPoints.reach('seal.synced')
    await manifest.change(connection, () => this.#publish(kind, tables, { sealed, sums, wait }))
    failPoints.reach('seal.committed')
  }

  /** The oldest time since which rows of a kind wait; null when none do. */
  async oldestWaitMs(kind: TableKind): Promise<number | null> {
    const sql = `SELECT min(ms) AS ms FROM (SELECT since_ms AS ms FROM hot.main.waiting WHERE kind = $1
      UNION ALL SELECT created_ms FROM hot.main.hot_tables WHERE kind = $1 AND state = 'waiting')`
    const rows = await queryRows<{ ms: bigint | null }>(this.#parts.connection, sql, [kind])
    const ms = rows[0]?.ms
    return ms === null || ms === undefined ? null : Number(ms)
  }

  #rules(isForced: boolean): Parameters<typeof planSeal>[1] {
    const { limits, nowMs } = this.#parts
    const { minSegmentRows, maxWaitingRows, sealAgeMs } = limits
    return { minSegmentRows, maxWaitingRows, sealAgeMs, nowMs: nowMs(), isForced }
  }

  #waitingTables(kind: TableKind): Promise<TableRow[]> {
    const sql = "SELECT name, created_ms FROM hot.main.hot_tables WHERE kind = ? AND state = 'waiting'"
    return queryRows<TableRow>(this.#parts.connection, sql, [kind])
  }

  async #groups(kind: TableKind, tables: readonly TableRow[]): Promise<HotGroup[]> {
    const { connection, deletions } = this.#parts
    const source = unionOf(tables.map(({ name }) => name))
    const sql = `SELECT ns, ts // ${NS_PER_DAY} AS day, count(*) AS rows, min(ts) AS low, max(ts) AS high FROM (${source}) GROUP BY ALL`
    const since = await this.#waitingSince(kind)
    // The young table's rows came after its creation; a clock that went back only makes them wait less.
    const createdMs = Math.max(...tables.map(table => Number(table.created_ms)))
    const groups: HotGroup[] = []
    for (const { ns, day, rows, low, high } of await queryRows<GroupRow>(connection, sql)) {
      const markNs = deletions.markOf(kind, ns)
      if (deletions.isDropped(kind, ns) || (markNs !== undefined && high < markNs)) continue
      const minNs = markNs !== undefined && low < markNs ? markNs : low
      const sinceMs = since.get(`${ns} ${day}`) ?? createdMs
      groups.push({ ns, day: Number(day), rows: Number(rows), minNs, maxNs: high, sinceMs })
    }
    return groups
  }

  async #waitingSince(kind: TableKind): Promise<Map<string, number>> {
    const sql = 'SELECT ns, day, since_ms FROM hot.main.waiting WHERE kind = ?'
    const rows = await queryRows<{ ns: string; day: number; since_ms: bigint }>(this.#parts.connection, sql, [kind])
    return new Map(rows.map(({ ns, day, since_ms: sinceMs }) => [`${ns} ${day}`, Number(sinceMs)]))
  }

  async #write(
    kind: TableKind,
    tables: readonly TableRow[],
    { group, file }: { readonly group: HotGroup; readonly file: string }
  ): Promise<Sealed> {
    const { connection, files } = this.#parts
    const { ns, day, minNs, maxNs } = group
    const where = ` WHERE ns = ${literal(ns)} AND ts BETWEEN ${minNs} AND ${maxNs} AND ts // ${NS_PER_DAY} = ${day}`
    const union = unionOf(
      tables.map(({ name }) => name),
      where
    )
    const rows = isSampled(kind) && (await this.#hasRepeats(union)) ? distinctPoints(union) : union
    const source = {
      parts: [{ sql: rows, free: null }],
      rows: group.rows,
      columns: this.#parts.layout.names(kind),
      order: segmentOrder(kind)
    }
    const written = await files.write(connection, source, { file, name: { kind, ns, day }, replaces: [] })
    return { ...written, minNs, maxNs }
  }

  /** Whether a series has two values for one time. Mostly none has: the test costs a sixth of looking for the latest. */
  async #hasRepeats(query: string): Promise<boolean> {
    const sql = `SELECT 1 FROM (${query}) GROUP BY series, ts HAVING count(*) > 1 LIMIT 1`
    return (await queryRows(this.#parts.connection, sql)).length > 0
  }

  async #publish(
    kind: TableKind,
    tables: readonly TableRow[],
    { sealed, sums, wait }: { readonly sealed: readonly Sealed[]; readonly sums: FileSums; readonly wait: readonly HotGroup[] }
  ): Promise<void> {
    const { connection } = this.#parts
    for (const segment of sealed) await addSegment(connection, segment, sums)
    if (kind === 'points') await this.#noteSeriesTimes(tables)
    await run(connection, 'DELETE FROM hot.main.waiting WHERE kind = ?', [kind])
    await this.#carry(kind, tables, wait)
    for (const { name } of tables) {
      await run(connection, 'DELETE FROM hot.main.hot_tables WHERE name = ?', [name])
      await run(connection, "INSERT INTO hot.main.garbage VALUES ('table', ?)", [name])
    }
  }

  /** Moves the rows that go on waiting into one table of their own. */
  async #carry(kind: TableKind, tables: readonly TableRow[], wait: readonly HotGroup[]): Promise<void> {
    if (wait.length === 0) return
    const { connection, numbers } = this.#parts
    const name = `${kind}_${numbers.nextName()}`
    await connection.run(createHotTable(this.#parts.layout, kind, name))
    const oldestMs = Math.min(...wait.map(({ sinceMs }) => sinceMs))
    await run(connection, "INSERT INTO hot.main.hot_tables VALUES (?, ?, 'waiting', ?)", [kind, name, oldestMs])
    for (const { ns, day, sinceMs } of wait)
      await run(connection, 'INSERT INTO hot.main.waiting VALUES (?, ?, ?, ?)', [kind, ns, day, sinceMs])
    const source = unionOf(tables.map(table => table.name))
    await run(
      connection,
      `INSERT INTO hot.main.${name} BY NAME SELECT rows.* FROM (${source}) rows JOIN hot.main.waiting w
         ON w.kind = ? AND w.ns = rows.ns AND w.day = rows.ts // ${NS_PER_DAY}`,
      [kind]
    )
  }

  /** Adds to the table of series the times that so far only the hot points have. */
  async #noteSeriesTimes(tables: readonly TableRow[]): Promise<void> {
    const source = unionOf(tables.map(({ name }) => name))
    await this.#parts.connection.run(
      `UPDATE hot.main.series SET first_ns = least(first_ns, seen.low), last_ns = greatest(last_ns, seen.high)
         FROM (SELECT series, min(ts) AS low, max(ts) AS high FROM (${source}) GROUP BY series) seen
        WHERE series.id = seen.series AND (seen.low < first_ns OR seen.high > last_ns)`
    )
  }
}
