import { isGatewayError } from '../../domain/errors.js'
import type { Filter } from '../../domain/filter.js'
import { type Namespace, retentionStartNs } from '../../domain/namespace.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Cut, Warning } from '../../domain/warning.js'
import type { EventStore } from '../../ports/event-store.js'
import type { MetricStore } from '../../ports/metric-store.js'
import { comparedErrors, type ComparedSignal, errorTitles } from './compared-errors.js'
import { pastRetention } from '../read-window.js'
import { ComparedMetrics } from './compared-metrics.js'

/** Services whose error groups and metrics are compared, those with most rows. */
export const MAX_COMPARED_SERVICES = 20
const SERVICE = { in: 'known', name: 'service' } as const

/** Two windows, and the services that the rows of both are of, those with most rows first. */
export interface ServiceWindows {
  readonly base: TimeRange
  readonly other: TimeRange
  readonly services: readonly string[]
  readonly nowNs: bigint
  /** Counts the logs or spans of a range that match. */
  readonly count: (range: TimeRange, filter: Filter) => Promise<number>
}

const NOTHING: ComparedSignal = { compared: [], warnings: [] }

/** What is compared next to logs or spans: error groups and metrics of the same services. */
export class ServiceSignals {
  readonly #events: Pick<EventStore, 'searchErrors' | 'errorGroups'>
  readonly #metrics: ComparedMetrics

  constructor({ events, metrics }: { readonly events: EventStore; readonly metrics: MetricStore }) {
    this.#events = events
    this.#metrics = new ComparedMetrics(metrics)
  }

  /** What cannot be read is a warning: it hides no difference of the rows. */
  async compare(ns: Namespace, windows: ServiceWindows, signal: AbortSignal): Promise<ComparedSignal> {
    if (windows.services.length === 0) return NOTHING
    const services = windows.services.slice(0, MAX_COMPARED_SERVICES)
    const left = windows.services.length - services.length
    const compared = { ...windows, services }
    const parts = await Promise.all([
      orWarning('error groups', signal, () => this.#errors(ns, compared, signal)),
      orWarning('metrics', signal, () => this.#ofMetrics(ns, compared, signal))
    ])
    return {
      compared: parts.flatMap(each => each.compared),
      warnings: [...(left > 0 ? [tooManyServices(left)] : []), ...parts.flatMap(({ warnings }) => warnings)]
    }
  }

  /** Type and message of error groups, by fingerprint. */
  titles(ns: Namespace['id'], fingerprints: readonly string[], range: TimeRange, signal: AbortSignal) {
    return errorTitles(this.#events, ns, { fingerprints, range }, signal)
  }

  async #errors(ns: Namespace, windows: ServiceWindows, signal: AbortSignal): Promise<ComparedSignal> {
    const { base, other, warnings } = kept(ns, windows, 'errors')
    const filter: Filter = { kind: 'in', field: SERVICE, values: [...windows.services] }
    const [before, after] = await Promise.all([base, other].map(range => windows.count(range, filter)))
    const rows = { base: before!, other: after! }
    const found = await comparedErrors(this.#events, ns.id, { base, other, rows, filter }, signal)
    return { ...found, warnings: [...warnings, ...found.warnings] }
  }

  async #ofMetrics(ns: Namespace, windows: ServiceWindows, signal: AbortSignal): Promise<ComparedSignal> {
    const { warnings, ...ranges } = kept(ns, windows, 'metrics')
    const found = await this.#metrics.compare(ns, { ...windows, ...ranges }, signal)
    return { ...found, warnings: [...warnings, ...found.warnings] }
  }
}

interface KeptWindows {
  readonly base: TimeRange
  readonly other: TimeRange
  /** That the retention of the signal cut one of them. */
  readonly warnings: readonly Warning[]
}

/** The parts of both windows that the retention of a signal keeps. */
function kept({ retention }: Namespace, { base, other, nowNs }: ServiceWindows, signal: 'errors' | 'metrics'): KeptWindows {
  const oldestNs = retentionStartNs(retention, signal, nowNs)
  const [keptBase, keptOther] = [base, other].map(({ startNs, endNs }): TimeRange => {
    const earliest = startNs > oldestNs ? startNs : oldestNs
    return { startNs: earliest < endNs ? earliest : endNs, endNs }
  })
  const isCut = base.startNs < oldestNs || other.startNs < oldestNs
  return { base: keptBase!, other: keptOther!, warnings: isCut ? [pastRetention(signal, oldestNs)] : [] }
}

function tooManyServices(left: number): Cut {
  return {
    kind: 'cap',
    detail: `error groups and metrics of ${left} services with fewer rows were not compared`,
    limit: MAX_COMPARED_SERVICES,
    remedy: 'Add a condition on service.'
  }
}

async function orWarning(what: string, signal: AbortSignal, compare: () => Promise<ComparedSignal>): Promise<ComparedSignal> {
  try {
    return await compare()
  } catch (error) {
    signal.throwIfAborted()
    if (!isGatewayError(error)) throw error
    return { compared: [], warnings: [`${what} were not compared: ${error.message}`] }
  }
}
