import type { Filter } from '../../domain/filter.js'
import type { Namespace } from '../../domain/namespace.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Clock } from '../../ports/clock.js'
import { HOUR_MS, readWindow } from '../read-window.js'
import { changeOf, redOfRow } from './red.js'
import type { Change, ServiceSummary } from './service-result.js'
import type { CountedService, ServiceCounts } from './service-counts.js'
import type { Warning } from '../../domain/warning.js'

/** How services differ from what they were. */
export interface Changes {
  readonly of: (service: Pick<ServiceSummary, 'name' | 'red'>) => Change | null
  readonly complete: boolean
  readonly warnings: readonly Warning[]
}

/** What is not compared. */
export const NO_CHANGES: Changes = { of: () => null, complete: true, warnings: [] }

/** Compares services of a window with the window of the same length before. */
export class ServiceChanges {
  readonly #counts: ServiceCounts
  readonly #clock: Clock

  constructor(counts: ServiceCounts, clock: Clock) {
    this.#counts = counts
    this.#clock = clock
  }

  /** No change where the retention does not keep all of the window before. */
  async since(
    ns: Namespace,
    requested: { readonly services: readonly CountedService[]; readonly range: TimeRange; readonly filter: Filter },
    signal: AbortSignal
  ): Promise<Changes> {
    const { startNs, endNs } = requested.range
    const beforeNs = startNs - (endNs - startNs)
    if (startNs >= endNs || beforeNs <= 0n) return NO_CHANGES
    const place = { namespace: ns, signal: 'traces', nowNs: this.#clock.nowNs() } as const
    const { range, warnings: cut } = readWindow({ start: String(beforeNs), end: String(startNs) }, place, HOUR_MS)
    if (cut.length > 0) return NO_CHANGES
    const { rows, ...facts } = await this.#counts.again(
      ns,
      requested.services,
      { range, filter: requested.filter, parts: {} },
      signal
    )
    return { of: ({ name, red }) => changeOf(red, redOfRow(rows.get(name), range)), ...facts }
  }
}
