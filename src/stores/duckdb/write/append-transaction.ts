import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { DuckDBAppender, DuckDBConnection } from '@duckdb/node-api'
import type { TransactionStatements } from '../process/transaction-statements.js'
import type { TableLayout } from '../table-layout.js'
import type { TableKind } from '../tables.js'
import type { AppendRequest, PointsAppend } from '../wire/calls.js'
import { decodeNullableStrings, encodeBigints, encodeStrings, type NamedColumns, type StringColumn } from '../wire/columns.js'
import type { Accepted } from './accepted.js'
import type { HotTables } from './hot-tables.js'
import type { KnownBatches } from './known-batches.js'
import { RowChunks } from './row-chunks.js'
import { BATCH_COLUMNS, type ColumnList, hotColumns, SERIES_COLUMNS } from './schema.js'
import { type SeriesRegistry, type Series, touch } from './series-registry.js'
import type { UniqueNumbers } from './unique-numbers.js'

/** What an append transaction works with. */
export interface AppendTransactionDeps {
  readonly layout: TableLayout
  readonly connection: DuckDBConnection
  /** Prepared on the connection. */
  readonly statements: TransactionStatements
  readonly tables: HotTables
  readonly batches: KnownBatches
  readonly series: SeriesRegistry
  readonly numbers: UniqueNumbers
}

interface OpenTable {
  readonly chunks: RowChunks
  readonly appender: DuckDBAppender
}

/** So many rows are copied before other work gets its turn. */
const PAUSELESS_ROWS = 2_000

/** Writes requests into the hot tables, all in one transaction; one at a time per connection. */
export class AppendTransaction {
  readonly #parts: AppendTransactionDeps
  readonly #chunks = new Map<string, RowChunks>()
  #open = new Map<string, OpenTable>()

  constructor(parts: AppendTransactionDeps) {
    this.#parts = parts
  }

  /** Throws when the columns of a request do not fit its rows or the tables: it must not be acknowledged. */
  check(request: AppendRequest): void {
    if (request.kind !== 'points')
      return this.#chunksOf(request.kind, () => hotColumns(this.#parts.layout, request.kind)).check(request.rows, request.columns)
    const { rows, seriesList, series, ts, value, index, histogram } = request
    const fits = [series, ts, value, index].every(({ length }) => length === rows)
    if (!fits || !series.every(position => position >= 0 && position < seriesList.length))
      throw new Error('points do not fit their rows')
    if (histogram && histogram.lengths.length !== rows) throw new Error('histograms do not fit their rows')
  }

  /** Stores all requests or none. Resolves once that is on the disk. */
  async commit(group: readonly Accepted[]): Promise<void> {
    const { statements, series } = this.#parts
    const batchTables = await this.#batchTables(group)
    try {
      await statements.begin()
      await this.#addAll(group, batchTables)
      await this.#addSeries()
      for (const { chunks, appender } of this.#open.values()) {
        chunks.flush(appender)
        appender.flushSync()
        await yieldToEventLoop()
      }
      await statements.commit()
    } catch (error) {
      await this.#rollback()
      throw error
    }
    series.settle()
  }

  /** Lets go of the appenders, because a table they write to is about to change. */
  release(): void {
    for (const { appender } of this.#open.values()) appender.closeSync()
    this.#open.clear()
  }

  async #rollback(): Promise<void> {
    this.#parts.series.forget()
    for (const { chunks, appender } of this.#open.values()) {
      chunks.clear()
      appender.clear()
    }
    // An appender that has failed once stays failed.
    this.#open = new Map()
    // Nothing to roll back when the failure ended the transaction; that failure goes to the caller.
    await this.#parts.statements.rollback().catch(() => undefined)
  }

  async #batchTables(group: readonly Accepted[]): Promise<string[]> {
    const names: string[] = []
    for (const { request } of group) names.push(await this.#parts.batches.tableFor(request.ingestId))
    return names
  }

  async #addAll(group: readonly Accepted[], batchTables: readonly string[]): Promise<void> {
    let rows = 0
    for (const [i, accepted] of group.entries()) {
      await this.#add(accepted, batchTables[i]!)
      rows += accepted.request.rows
      if (rows < PAUSELESS_ROWS) continue
      rows = 0
      await yieldToEventLoop()
    }
  }

  async #table(name: string, shape: string, columns: () => ColumnList): Promise<OpenTable> {
    const open = this.#open.get(name)
    if (open) return open
    const chunks = this.#chunksOf(shape, columns)
    const appender = await this.#parts.connection.createAppender(name, 'main', 'hot')
    const opened = { chunks, appender }
    this.#open.set(name, opened)
    return opened
  }

  #chunksOf(shape: string, columns: () => ColumnList): RowChunks {
    const chunks = this.#chunks.get(shape) ?? new RowChunks(columns())
    this.#chunks.set(shape, chunks)
    return chunks
  }

  #rows(kind: TableKind): Promise<OpenTable> {
    return this.#table(this.#parts.tables.current(kind).name, kind, () => hotColumns(this.#parts.layout, kind))
  }

  async #add(accepted: Accepted, batchTable: string): Promise<void> {
    const { request, outcome } = accepted
    if (request.kind === 'points') await this.#addPoints(request, accepted)
    else await this.#addRows(request)
    const { chunks, appender } = await this.#table(batchTable, batchTable, () => BATCH_COLUMNS)
    const columns: NamedColumns = { accepted: Int32Array.of(outcome.accepted) }
    const constants = {
      kind: Buffer.from(request.kind),
      ns: Buffer.from(request.ns),
      ingest_id: Buffer.from(request.ingestId),
      ...(outcome.failures.length > 0 && { failures: Buffer.from(JSON.stringify(outcome.failures)) })
    }
    chunks.add(appender, 1, columns, constants)
  }

  async #addRows({ kind, ns, ingestId, rows, columns }: Exclude<AppendRequest, PointsAppend>): Promise<void> {
    const { chunks, appender } = await this.#rows(kind)
    // Rows of several requests bring their own ids.
    const id = columns['ingest_id'] ? null : { ingest_id: Buffer.from(ingestId) }
    chunks.add(appender, rows, columns, { ns: Buffer.from(ns), ...id })
  }

  async #addPoints(request: PointsAppend, accepted: Accepted): Promise<void> {
    const kept = keepPoints(request, this.#parts.series.stage(request.ns, request.seriesList, accepted))
    const { chunks, appender } = await this.#rows('points')
    const columns = { ts: kept.ts, series: kept.ids, seq: kept.ids.slice().fill(this.#parts.numbers.next()), value: kept.value }
    const stored = this.#sampleColumns('points', request, kept.ids.length, columns)
    chunks.add(appender, kept.ids.length, stored, { ns: Buffer.from(request.ns) })
    // Journals of earlier versions know no histograms.
    if (request.histogram) await this.#addHistograms(request, request.histogram, kept, columns.seq)
  }

  /** The histograms among points that were kept. */
  async #addHistograms(
    request: PointsAppend,
    histogram: StringColumn,
    { rows, ids, ts }: KeptPoints,
    seq: BigInt64Array
  ): Promise<void> {
    const strings = decodeNullableStrings(histogram)
    const at = Array.from(ids.keys()).filter(i => strings[rows[i]!] !== null)
    if (at.length === 0) return
    const pick = (column: BigInt64Array): BigInt64Array => BigInt64Array.from(at, i => column[i]!)
    const columns = { ts: pick(ts), series: pick(ids), seq: pick(seq), histogram: encodeStrings(at, i => strings[rows[i]!]!) }
    const { chunks, appender } = await this.#rows('histograms')
    const stored = this.#sampleColumns('histograms', request, at.length, columns)
    chunks.add(appender, at.length, stored, { ns: Buffer.from(request.ns) })
  }

  #sampleColumns(kind: TableKind, { format }: PointsAppend, rows: number, columns: NamedColumns): NamedColumns {
    return format === undefined ? columns : this.#parts.layout.upgraded(kind, format, rows, columns)
  }

  async #addSeries(): Promise<void> {
    const { staged } = this.#parts.series
    if (staged.length === 0) return
    const { chunks, appender } = await this.#table('series', 'series', () => SERIES_COLUMNS)
    const columns = {
      ns: encodeStrings(staged, ({ ns }) => ns),
      id: encodeBigints(staged, ({ series }) => series.id),
      name: encodeStrings(staged, ({ series }) => series.name),
      type: encodeStrings(staged, ({ series }) => series.type),
      labels: encodeStrings(staged, ({ series }) => series.labelsJson),
      first_ns: encodeBigints(staged, ({ series }) => series.firstSeenNs),
      last_ns: encodeBigints(staged, ({ series }) => series.lastSeenNs)
    }
    chunks.add(appender, staged.length, columns, {})
  }
}

interface KeptPoints {
  /** Rows of the request. */
  readonly rows: Int32Array
  readonly ids: BigInt64Array
  readonly ts: BigInt64Array
  readonly value: Float64Array
}

function keepPoints(request: PointsAppend, known: readonly (Series | null)[]): KeptPoints {
  const { rows } = request
  const ids = new BigInt64Array(rows)
  const ts = new BigInt64Array(rows)
  const value = new Float64Array(rows)
  const from = new Int32Array(rows)
  let kept = 0
  for (let i = 0; i < rows; i++) {
    const series = known[request.series[i]!]!
    if (!series) continue
    const time = request.ts[i]!
    touch(series, time, time)
    from[kept] = i
    ids[kept] = series.id
    ts[kept] = time
    value[kept++] = request.value[i]!
  }
  return { rows: from.subarray(0, kept), ids: ids.subarray(0, kept), ts: ts.subarray(0, kept), value: value.subarray(0, kept) }
}
