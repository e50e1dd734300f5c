import type { NamespaceId } from '../../domain/ids.js'
import type { GapSignal, ReadGaps } from '../../ports/read-gaps.js'
import type { WaitingRecords } from '../../ports/record-spool.js'

type SpoolSignal = WaitingRecords['signal']

/** Signals of the spool by those that reads speak of, and what their records are called. */
const SPOOLED: Readonly<Record<GapSignal, readonly [signal: SpoolSignal, one: string, many: string]>> = {
  logs: ['logs', 'log waits', 'logs wait'],
  metrics: ['metrics', 'metric point waits', 'metric points wait'],
  traces: ['spans', 'span waits', 'spans wait'],
  rum: ['rum', 'page view waits', 'page views wait'],
  errors: ['errors', 'error waits', 'errors wait']
}

/** Records of a namespace that wait, on this gateway and on others. */
export type CountWaiting = (ns: NamespaceId, signal: SpoolSignal) => { readonly here: number; readonly elsewhere: number }

/** Tells readers how many acknowledged records wait for their store. When these happened is not known without reading them all. */
export function waitingGaps(count: CountWaiting): ReadGaps {
  const of = (ns: NamespaceId, signal: GapSignal): readonly string[] => {
    const [spoolSignal, one, many] = SPOOLED[signal]
    const { here, elsewhere } = count(ns, spoolSignal)
    const sentence = (records: number, where: string): string =>
      `${records} ${records === 1 ? one : many} for the store ${where} and may be missing here`
    return [
      ...(here > 0 ? [sentence(here, 'on this gateway')] : []),
      ...(elsewhere > 0 ? [sentence(elsewhere, 'on other gateways')] : [])
    ]
  }
  return { of }
}

/** The gaps of all sources, each once. */
export function allGaps(sources: readonly ReadGaps[]): ReadGaps {
  return { of: (ns, signal, range) => [...new Set(sources.flatMap(source => source.of(ns, signal, range)))] }
}
