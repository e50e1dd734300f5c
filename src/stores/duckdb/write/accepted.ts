import type { AppendRequest } from '../wire/calls.js'
import { isNamed, packAppend } from '../wire/packed-append.js'
import type { JournalFile } from './journal/journal-file.js'
import type { PinnedSeries } from './series-registry.js'
import type { BatchOutcome } from './known-batches.js'

/** A request that is on the disk in the journal and is still to be written to the hot tables. */
export interface Accepted {
  readonly request: AppendRequest
  /** The call as it came over the pipe. */
  readonly payload: Buffer
  /** What it takes in a table and in memory (`storedBytes`). */
  readonly bytes: number
  /** Positions in `seriesList` that were refused; decided once, before the result. */
  readonly refused: readonly number[]
  /** The series of points that are known already; none of other records. */
  readonly pinned: PinnedSeries
  readonly outcome: BatchOutcome
  readonly file: JournalFile
}

/** What a request stores when the series at `refused` are left out. */
export function outcomeOf(request: AppendRequest, refused: readonly number[], reason: string): BatchOutcome {
  if (request.kind !== 'points' || refused.length === 0) return { accepted: request.rows, failures: [] }
  const isRefused = new Set(refused)
  const failures: BatchOutcome['failures'][number][] = []
  request.series.forEach((position, i) => {
    if (isRefused.has(position)) failures.push({ index: request.index[i]!, reason, overBudgetAt: i })
  })
  return { accepted: request.rows - failures.length, failures }
}

/** The payload, with name and labels of each series that it names by an id: for readers without the registry of series. */
export function payloadInFull({ request, payload, pinned }: Accepted, format: number): Buffer {
  if (request.kind !== 'points' || request.seriesList.every(isNamed)) return payload
  const seriesList = request.seriesList.map((each, position) => {
    const series = pinned[position]
    return series ? { key: series.key, type: series.type } : each
  })
  const packed = packAppend({ ...request, seriesList }, format)
  const full = Buffer.alloc(packed.bytes)
  packed.write(full, 0)
  return full
}
