import type { Namespace } from '../../domain/namespace.js'
import type { Order, Position } from '../../domain/search.js'
import type { Clock } from '../../ports/clock.js'
import { boundedCount } from '../bounds.js'
import { HOUR_MS, readWindow } from '../read-window.js'
import type { WindowBounds } from '../result.js'
import { type ExportedRecords, type ExportLimits, ExportRun } from './export-run.js'

/** Rows of an export, and the milliseconds after which it reads no further page. */
export const MAX_EXPORT_ROWS = 5_000_000
export const MAX_EXPORT_MS = 600_000

/** Which rows to export. */
export interface ExportQuery<Conditions> extends WindowBounds {
  readonly conditions: Conditions
  /** By time; default `desc`. */
  readonly order?: Order | undefined
  readonly limit?: number | undefined
}

/** Reads all rows of one signal that match, page by page, within bounds that the result states. Retention holds at reading. */
export class RecordExport<Row extends Position, Conditions> {
  readonly #records: ExportedRecords<Row, Conditions>
  readonly #clock: Clock
  readonly #limits: ExportLimits

  constructor(records: ExportedRecords<Row, Conditions>, deps: { readonly clock: Clock; readonly limits: ExportLimits }) {
    this.#records = records
    this.#clock = deps.clock
    this.#limits = deps.limits
  }

  /** Throws `invalid_field`, `invalid_query`, `invalid_time_range`, `query_unsupported`; its pages throw what a search does. */
  open(ns: Namespace, query: ExportQuery<Conditions>): ExportRun<Row> {
    const { signal, filterOf } = this.#records
    const { maxRows } = this.#limits
    const limit = boundedCount(query.limit, 'limit', { least: 1, most: maxRows, otherwise: maxRows })
    const window = readWindow(query, { namespace: ns, signal, nowNs: this.#clock.nowNs() }, HOUR_MS)
    const request = { ns, filter: filterOf(query.conditions), window, order: query.order ?? 'desc', limit }
    return new ExportRun(this.#records, request, { clock: this.#clock, limits: this.#limits })
  }
}
