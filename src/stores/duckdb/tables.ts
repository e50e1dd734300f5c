import { APM_ERROR } from '../../domain/records/error.js'
import { LOG } from '../../domain/records/log.js'
import { RUM_TABLE } from '../../domain/records/rum.js'
import { SPAN } from '../../domain/records/span.js'
import { columnsOf, columnsSince, type ColumnType, type Columns } from './field-columns.js'

/**
 * The tables of the embedded engine. The hot table of a kind has these columns behind `ns VARCHAR`; a sealed segment
 * has exactly these columns (its namespace is in the manifest and in its path).
 */
export type TableKind = 'logs' | 'points' | 'histograms' | 'rum' | 'errors' | 'spans'

/** Kinds of records; rows of histograms belong to their points. */
export type RecordKind = Exclude<TableKind, 'histograms'>

/** The columns of every kind. */
export type Tables = Readonly<Record<TableKind, Columns>>

/** Columns of spans that serve searching only: derived from attributes and kind (`domain/peer`), and from events. */
export const DERIVED_OF_SPANS = { peer: 15, peer_kind: 16, protocol: 17, exceptions_json: 18 } as const

// What a span lists, as JSON in a form of this engine (`wire/span-columns`).
const SPAN_STRINGS = { ...DERIVED_OF_SPANS, events_json: 19, links_json: 20, dropped_json: 21 }

// `ts` is event time in Unix nanoseconds; (`ts`, `ingest_id`, `idx`) orders records and is unique. `*_json` hold the
// flattened object as JSON; `*_sent` the object as sent, only where flattening changed it. `*_fold` hold the case-folded
// text, only where DuckDB's lower() differs from it (see domain/case-folding).
export const TABLES: Tables = {
  logs: columnsOf(LOG),
  // `seq` grows with every commit: of two values of one series and time the higher one counts.
  points: { ts: 'BIGINT', series: 'BIGINT', seq: 'BIGINT', value: 'DOUBLE' },
  // Histograms of the points whose value is the mark of a histogram (`wire/histogram-mark`); written with them.
  histograms: { ts: 'BIGINT', series: 'BIGINT', seq: 'BIGINT', histogram: 'VARCHAR' },
  rum: columnsOf(RUM_TABLE),
  errors: columnsOf(APM_ERROR),
  // `fields_*` are the attributes, `tags_*` the resource.
  spans: columnsOf(SPAN, SPAN_STRINGS)
}

/** One change of the columns of a kind. */
export type ColumnChange =
  /** A new column at the end of its table; rows from before have `default` there, or NULL. */
  | { readonly add: string; readonly default?: string | number }
  /** A column that was of type `from` and is of a type that holds all of its values. */
  | { readonly widen: string; readonly from: ColumnType }
  /** A column that is gone; it was of type `from`. */
  | { readonly drop: string; readonly from: ColumnType }

/** What a format changes in the one before it. */
export interface FormatStep {
  /** The format that the step makes: one more than the step before it. */
  readonly format: number
  /** Kinds of records that are new. */
  readonly kinds?: readonly TableKind[]
  readonly columns?: Readonly<Partial<Record<TableKind, readonly ColumnChange[]>>>
  /** SQL that brings the bookkeeping tables of the hot file (`write/schema`) up to date. */
  readonly statements?: readonly string[]
}

/** The first format that was ever written. */
export const FIRST_FORMAT = 1

/**
 * Every change of what is stored, oldest first. How older hot tables are altered, older segments read and older journal
 * entries decoded follows from it (`table-layout`). Released steps never change: add a step, and with it the column in
 * `TABLES`.
 */
export const FORMAT_STEPS: readonly FormatStep[] = [
  { format: 2, kinds: ['spans'] },
  { format: 3, kinds: ['histograms'] },
  // Journal entries and names of segments state the format of their columns.
  { format: 4 },
  { format: 5, columns: { logs: columnsSince(5, LOG) } },
  { format: 6, columns: { logs: columnsSince(6, LOG) } }
]

/** Whether rows of a kind are samples of series: of several for one series and time the latest counts. */
export function isSampled(kind: TableKind): boolean {
  return kind === 'points' || kind === 'histograms'
}
