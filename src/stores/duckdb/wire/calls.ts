import type { Gap } from '../gaps.js'
import type { DuckDbLimits } from '../limits.js'
import type { ErrorCode } from '../../../domain/errors.js'
import type { IngestId, NamespaceId } from '../../../domain/ids.js'
import type { MetricType } from '../../../domain/metric-point.js'
import type { AppendResult } from '../../../ports/append.js'
import type { RecordKind } from '../tables.js'
import type { NamedColumns, StringColumn } from './columns.js'

/** Rows of one request for one namespace; the store process adds `ns` and `ingest_id`. */
export interface RowsAppend {
  readonly kind: Exclude<RecordKind, 'points'>
  readonly ns: NamespaceId
  readonly ingestId: IngestId
  readonly rows: number
  /** With a column `ingest_id` they are rows of several requests, of which `ingestId` is the first. */
  readonly columns: NamedColumns
}

/** A series that is named in full with the points of a request. */
export interface NamedSeries {
  /** Name and labels in one text (`parseSeriesKey`): equal for equal series. */
  readonly key: string
  readonly type: MetricType
}

/** A series with the id that the store returned. */
export interface NumberedSeries {
  readonly id: bigint
}

/** A series that is new to the store process. */
export type SentSeries = NamedSeries | NumberedSeries

/** Points of one request: parallel columns, `series` by position in `seriesList`. */
export interface PointsAppend {
  readonly kind: 'points'
  /** The format that it was written in, where that is an earlier one: columns that were added since have their defaults. */
  readonly format?: number
  readonly ns: NamespaceId
  readonly ingestId: IngestId
  readonly rows: number
  readonly seriesList: readonly SentSeries[]
  readonly series: Int32Array
  readonly ts: BigInt64Array
  readonly value: Float64Array
  /**
   * Native histograms (`EncodedHistogram`) of the points; null for other points, or for the column if there are no histograms.
   */
  readonly histogram: StringColumn | null
  /** Position of each point in its request, for failures. */
  readonly index: Int32Array
}

/** Rows that the store process appends. */
export type AppendRequest = RowsAppend | PointsAppend

/** Outcome of an append of points. */
export interface StoredAppend extends AppendResult {
  /** Ids of the series that were named in full, in their order; 0 for a series without an id. Absent: no series has one. */
  readonly seriesIds?: BigInt64Array
}

/** A call to the store process: `method` and its arguments by position. */
export interface ProcessCall {
  readonly method: string
  readonly args: readonly unknown[]
}

/** The health of the engine; empty strings if all is well. */
export interface EngineHealth {
  /** Why the last write failed. */
  readonly trouble: string
  /** Which segments cannot be read. */
  readonly damage: string
  /** What an operator should look at some time. */
  readonly notes: string
}

/** How an error crosses the pipe. */
export interface WireError {
  readonly code: ErrorCode
  readonly message: string
  readonly retryAfterS?: number
}

/** Events that the store process sends by itself. */
export type StoreEvent =
  | { readonly type: 'ready'; readonly detail: string }
  | { readonly type: 'failed'; readonly error: WireError }
  /** The gaps of results from here on. */
  | { readonly type: 'gaps'; readonly gaps: readonly Gap[] }
  | {
      readonly type: 'log'
      readonly level: 'info' | 'warn' | 'error'
      readonly message: string
      readonly fields: Readonly<Record<string, unknown>>
    }
  /** A background job failed (why), or succeeded (null) after it had failed. */
  | { readonly type: 'job'; readonly job: string; readonly failure: string | null }

/** What the store process is started with: JSON in its first argument. */
export interface ProcessOptions {
  /** The format of the columns that the parent sends. */
  readonly format: number
  readonly dataDir: string
  readonly lockWaitMs: number
  readonly limits: DuckDbLimits
  readonly failPoint: string | null
}
