import type { NamespaceId } from '../../domain/ids.js'
import type { GapSignal, ReadGaps } from '../../ports/read-gaps.js'
import type { WaitingRecords } from '../../ports/record-spool.js'
import { type Cut, distinctWarnings, type Warning } from '../../domain/warning.js'

type SpoolSignal = WaitingRecords['signal']

/** Signals of the spool by those that reads speak of, and what their records are called. */
const SPOOLED: Readonly<Record<GapSignal, readonly [signal: SpoolSignal, one: string, many: string]>> = {
  logs: ['logs', 'log is spooled', 'logs are spooled'],
  metrics: ['metrics', 'metric point is spooled', 'metric points are spooled'],
  traces: ['spans', 'span is spooled', 'spans are spooled'],
  rum: ['rum', 'page view is spooled', 'page views are spooled'],
  errors: ['errors', 'error is spooled', 'errors are spooled']
}

/** Records of a namespace that wait, on this gateway and on others. */
export type CountWaiting = (ns: NamespaceId, signal: SpoolSignal) => { readonly here: number; readonly elsewhere: number }

/** Reports to readers how many acknowledged records wait for their store. Their times are unknown without reading them all. */
export function waitingGaps(count: CountWaiting): ReadGaps {
  const of = (ns: NamespaceId, signal: GapSignal): readonly Warning[] => {
    const [spoolSignal, one, many] = SPOOLED[signal]
    const { here, elsewhere } = count(ns, spoolSignal)
    const cut = (records: number, where: string): Cut => ({
      kind: 'spooled',
      detail: `${records} ${records === 1 ? one : many} ${where} and may be missing in the response`,
      remedy: 'Repeat the query later: the records are stored as soon as the store responds.'
    })
    return [...(here > 0 ? [cut(here, 'on this gateway')] : []), ...(elsewhere > 0 ? [cut(elsewhere, 'on other gateways')] : [])]
  }
  return { of }
}

/** The gaps of all sources, each once. */
export function allGaps(sources: readonly ReadGaps[]): ReadGaps {
  return { of: (ns, signal, range) => distinctWarnings(sources.flatMap(source => source.of(ns, signal, range))) }
}

/** The result of a read, marked with its gaps. */
export function withGaps<GappedResult extends { readonly complete: boolean; readonly warnings: readonly Warning[] }>(
  result: GappedResult,
  gaps: readonly Warning[]
): GappedResult {
  if (gaps.length === 0) return result
  return { ...result, complete: false, warnings: distinctWarnings([...result.warnings, ...gaps]) }
}
