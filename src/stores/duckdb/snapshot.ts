import type { DuckDBConnection } from '@duckdb/node-api'
import type { NamespaceId } from '../../domain/ids.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { FreeColumns } from './free-columns.js'
import type { TableLayout } from './table-layout.js'
import type { TableKind } from './tables.js'

/** A sealed Parquet file of one namespace and kind, as the manifest knows it. */
export interface Segment {
  /** Absolute path. */
  readonly file: string
  readonly rows: number
  readonly bytes: number
  readonly minNs: bigint
  /** Inclusive. */
  readonly maxNs: bigint
  /** Rows, by their number in the file, that are known not to match the request. */
  readonly skips?: readonly RowRange[]
}

/** Rows of a file from `from` to before `to`. */
export interface RowRange {
  readonly from: number
  readonly to: number
}

/**
 * One consistent view of one namespace's rows of one kind: everything acknowledged before it was opened is in exactly
 * one of the hot tables or segments, and stays readable until it is closed. Use `connection` for every statement.
 */
export interface Snapshot {
  /** What columns the tables have, and how segments of earlier formats become them. */
  readonly layout: TableLayout
  readonly connection: DuckDBConnection
  /** Qualified names of hot tables; rows of all namespaces, so each statement needs `ns = $ns`. */
  readonly hotTables: readonly string[]
  /** Those that overlap the range, newest `maxNs` first. */
  readonly segments: readonly Segment[]
  /** The free columns of segments by path; null for a segment that lists none. */
  readonly freeColumns: (files: readonly string[]) => Promise<ReadonlyMap<string, FreeColumns | null>>
}

/** Opens snapshots; implemented by the writing side, used by the reading side. */
export interface Snapshots {
  /**
   * Runs `read` inside one transaction on a connection of its own. Aborting the signal interrupts the running statement.
   * Heavy reads wait for one of a few slots, of which a namespace never holds all; reads of samples and searches have slots
   * of their own, and light reads wait for neither.
   * Event times before the namespace's deletion mark are outside: `read` is given a range that begins there.
   */
  withSnapshot<T>(
    kind: TableKind,
    ns: NamespaceId,
    range: TimeRange,
    options: { readonly heavy: boolean; readonly signal: AbortSignal },
    read: (snapshot: Snapshot, range: TimeRange) => Promise<T>
  ): Promise<T>
}
