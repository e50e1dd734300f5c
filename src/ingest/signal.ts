import type { ErrorCode } from '../domain/errors.js'
import type { NamespaceId } from '../domain/ids.js'
import type { RetainedSignal } from '../domain/namespace.js'
import type { AppendResult, Batch } from '../ports/append.js'
import type { UsageDelta } from '../ports/usage-ledger.js'
import type { IngestReply } from './ingest-request.js'
import type { ItemCheck, RefusedItem } from './item-check.js'
import type { MetricNotes } from './metric-notes.js'
import type { LogOptions } from './recognize-log/log-options.js'
import type { LogReadings } from './recognize-log/log-readings.js'
import type { RecordRules } from './rules/rule-pass.js'

/** All that differs between the kinds of records on their way in. */
export interface IngestSignal<Item extends { readonly index: number }> {
  /** The ledger's name of the signal. */
  readonly name: UsageDelta['signal']
  /** Whose retention bounds the age of records. */
  readonly retained: RetainedSignal
  /** The item, its parts (the samples of a data point, which share its index), or why it is refused. */
  parse(raw: unknown, check: ItemCheck): Item | readonly Item[] | RefusedItem
  /** Adds the metadata of the items to `check.notes`. */
  note?(raw: unknown, check: ItemCheck): void
  /** Keeps what was noted; resolves when it is crash-safe. */
  keep?(ns: NamespaceId, notes: MetricNotes): Promise<void>
  append(ns: NamespaceId, batch: Batch<Item>): Promise<AppendResult>
  settle(ns: NamespaceId): Promise<void>
  /** What the response reports on how the items were recognized. */
  read?(items: readonly Item[], logs: LogReadings, options: LogOptions): Pick<IngestReply, 'read' | 'warnings'>
  /** Range of the times of the items, Unix milliseconds; null without any. Of signals that have streams. */
  times?(items: readonly Item[]): { readonly minMs: number; readonly maxMs: number } | null
  /** What rules of the namespace do to its records; absent: nothing. */
  readonly rules?: RecordRules<Item>
  /** The record as a dry run shows it. */
  show(item: Item): object
  /** Code of an item that only the store refused. */
  readonly refusedByStore: ErrorCode
}
