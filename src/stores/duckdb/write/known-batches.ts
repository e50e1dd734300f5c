import { type DuckDBConnection, LIST, listValue, VARCHAR } from '@duckdb/node-api'
import type { IngestId, NamespaceId } from '../../../domain/ids.js'
import { firstUlidAt, ulidTimeMs } from '../../../domain/ulid.js'
import type { AppendResult } from '../../../ports/append.js'
import { BoundedMap } from '../../../threads/bounded-map.js'
import { literal, queryRows, run } from '../process/sql.js'
import type { TableKind } from '../tables.js'
import { BATCH_COLUMNS, createTable } from './schema.js'

/** What one request stored. */
export interface BatchOutcome {
  readonly accepted: number
  readonly failures: AppendResult['failures']
}

const HOUR_MS = 3_600_000
/** Whole tables are dropped when their time is over: deleting rows would leave holes. */
const BATCH_PERIOD_MS = 6 * HOUR_MS
const KEPT_MS = 48 * HOUR_MS
const MAX_RECENT = 100_000
const TABLE_NAME = /^batches_(\d+)$/

/** One text for one request. */
export function batchKey(kind: TableKind, ns: NamespaceId, ingestId: IngestId): string {
  return `${kind} ${ns} ${ingestId}`
}

/**
 * The ingest ids of the last 48 h. New ones are distinguished from known ones without a look into the tables: recent ids are in
 * memory, and an id above `#floor` that is not is new, since ids grow.
 */
export class KnownBatches {
  readonly #connection: DuckDBConnection
  readonly #recent = new BoundedMap<string, { readonly ingestId: IngestId; readonly outcome: BatchOutcome }>(MAX_RECENT)
  readonly #periods: Set<number>
  /** Ids at or below it may be in the tables alone. */
  #floor: string

  constructor(connection: DuckDBConnection, periods: Set<number>, floor: string) {
    this.#connection = connection
    this.#periods = periods
    this.#floor = floor
  }

  /** Reads which tables there are and the largest id in them. */
  static async load(connection: DuckDBConnection): Promise<KnownBatches> {
    const tables = await queryRows<{ table_name: string }>(
      connection,
      "SELECT table_name FROM duckdb_tables() WHERE database_name = 'hot'"
    )
    const periods = new Set<number>()
    let floor = ''
    for (const { table_name: name } of tables) {
      const period = TABLE_NAME.exec(name)?.[1]
      if (period === undefined) continue
      periods.add(Number(period))
      const rows = await queryRows<{ top: string | null }>(connection, `SELECT max(ingest_id) AS top FROM hot.main.${name}`)
      const top = rows[0]?.top ?? ''
      if (top > floor) floor = top
    }
    return new KnownBatches(connection, periods, floor)
  }

  /** What an earlier request of this id stored; null without one. */
  async find(kind: TableKind, ns: NamespaceId, ingestId: IngestId): Promise<BatchOutcome | null> {
    const recent = this.#recent.peek(batchKey(kind, ns, ingestId))
    if (recent) return recent.outcome
    if (ingestId > this.#floor) return null
    const period = this.#periodOf(ingestId)
    if (!this.#periods.has(period)) return null
    const rows = await queryRows<{ accepted: number; failures: string | null }>(
      this.#connection,
      `SELECT accepted, failures FROM hot.main.batches_${period} WHERE kind = ? AND ns = ? AND ingest_id = ?`,
      [kind, ns, ingestId]
    )
    const row = rows[0]
    if (!row) return null
    const failures = row.failures === null ? [] : (JSON.parse(row.failures) as AppendResult['failures'])
    return { accepted: row.accepted, failures }
  }

  /** Keys (`batchKey`) of those ids that the tables know: for many ids at once, before anything was remembered. */
  async findStored(ids: readonly IngestId[]): Promise<ReadonlySet<string>> {
    const stored = new Set<string>()
    for (const period of new Set(ids.map(id => this.#periodOf(id)))) {
      if (!this.#periods.has(period)) continue
      const own = ids.filter(id => this.#periodOf(id) === period)
      const sql = `SELECT kind, ns, ingest_id FROM hot.main.batches_${period} WHERE ingest_id IN (SELECT unnest($1))`
      const reader = await this.#connection.runAndReadAll(sql, [listValue(own)], [LIST(VARCHAR)])
      for (const [kind, ns, id] of reader.getRows()) stored.add(`${String(kind)} ${String(ns)} ${String(id)}`)
    }
    return stored
  }

  /** Notes what a committed request stored. */
  remember(kind: TableKind, ns: NamespaceId, ingestId: IngestId, outcome: BatchOutcome): void {
    const key = batchKey(kind, ns, ingestId)
    const oldest = this.#recent.size < MAX_RECENT || this.#recent.has(key) ? undefined : this.#recent.pop()
    if (oldest && oldest.ingestId > this.#floor) this.#floor = oldest.ingestId
    this.#recent.set(key, { ingestId, outcome })
  }

  /** Name of the table that holds an id; made when it is the first of its period. Not to be called inside a transaction. */
  async tableFor(ingestId: IngestId): Promise<string> {
    const period = this.#periodOf(ingestId)
    const name = `batches_${period}`
    if (this.#periods.has(period)) return name
    await this.#connection.run(createTable(name, BATCH_COLUMNS).replace('TABLE', 'TABLE IF NOT EXISTS'))
    this.#periods.add(period)
    return name
  }

  /** Learns the ids of the last 48 h from files of records whose requests no table knows. */
  async adopt(
    files: readonly { readonly kind: TableKind; readonly ns: NamespaceId; readonly path: string }[],
    nowMs: number
  ): Promise<void> {
    const first = Math.floor((nowMs - KEPT_MS) / BATCH_PERIOD_MS)
    for (let period = first; period <= Math.floor(nowMs / BATCH_PERIOD_MS); period++) {
      const bounds = [period, period + 1].map(each => literal(firstUlidAt(each * BATCH_PERIOD_MS)))
      for (const { kind, ns, path } of files) {
        const found = `SELECT ingest_id, count(*) AS rows FROM read_parquet(${literal(path)})
          WHERE ingest_id >= ${bounds[0]} AND ingest_id < ${bounds[1]} GROUP BY ingest_id`
        const [top] = await queryRows<{ id: string | null }>(this.#connection, `SELECT max(ingest_id) AS id FROM (${found})`)
        if (top!.id === null) continue
        const table = `hot.main.${await this.tableFor(top!.id as IngestId)}`
        await run(
          this.#connection,
          `INSERT INTO ${table} SELECT ?, ?, ingest_id, CAST(rows AS INTEGER), NULL FROM (${found})
            WHERE ingest_id NOT IN (SELECT ingest_id FROM ${table} WHERE kind = ? AND ns = ?)`,
          [kind, ns, kind, ns]
        )
        if (top!.id > this.#floor) this.#floor = top!.id
      }
    }
  }

  /** Drops the tables of ids older than 48 h; returns their names. */
  async expire(nowMs: number): Promise<string[]> {
    const names: string[] = []
    for (const period of this.#periods) {
      if ((period + 1) * BATCH_PERIOD_MS > nowMs - KEPT_MS) continue
      this.#periods.delete(period)
      await run(this.#connection, `DROP TABLE hot.main.batches_${period}`)
      names.push(`batches_${period}`)
    }
    return names
  }

  #periodOf(ingestId: IngestId): number {
    return Math.floor(ulidTimeMs(ingestId) / BATCH_PERIOD_MS)
  }
}
