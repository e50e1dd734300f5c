import { isGatewayError } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { Namespace } from '../../domain/namespace.js'
import type { Clock } from '../../ports/clock.js'
import type { LabelMatcher } from '../../ports/metric-store.js'
import { Slots } from '../../threads/slots.js'
import { type GridLine, type GridResult, readGrid } from '../promql/grid-bytes.js'
import { promqlToGatewayError } from '../promql/to-gateway-error.js'
import type { PromqlQuery } from '../promql/promql-query.js'
import type { PromqlRequest } from '../promql/promql-request.js'
import type { QuerySettings } from '../settings.js'
import { hostExpression } from './host-expressions.js'

/** Dependencies of `HostQueries`. */
export interface HostQueriesDeps {
  readonly promql: Pick<PromqlQuery, 'run'>
  readonly clock: Clock
  readonly settings: QuerySettings
}

/** Hosts whose series one evaluation reads: 25 machines of 32 CPUs have 6,400 series of `system.cpu.time`. */
const HOSTS_AT_ONCE = 25
/** Evaluations at the same time, of all namespaces and of one: the threads of PromQL have other callers. */
const SLOTS = { size: 6, mostOfOne: 3 }
/** Characters that mean something in a regex (RE2). */
const SIGNS = /[\\.+*?()|[\]{}^$]/g

function hostCondition(names: readonly string[]): Omit<LabelMatcher, 'name'> {
  if (names.length === 1) return { op: 'eq', value: names[0]! }
  return { op: 'regex', value: names.map(name => name.replaceAll(SIGNS, '\\$&')).join('|') }
}

/** Evaluates expressions over the series of hosts. Errors are those of the other reads, never of PromQL. */
export class HostQueries {
  readonly #deps: HostQueriesDeps
  readonly #slots = new Slots<NamespaceId>(SLOTS)

  constructor(deps: HostQueriesDeps) {
    this.#deps = deps
  }

  /**
   * The values of now, from samples of the last five minutes: one line per host and other labels of the expression. What
   * hosts together have too many series for is read host by host. Throws `query_unsupported`, `query_timeout`.
   */
  async latest(ns: Namespace, text: string, hosts: readonly string[], signal: AbortSignal): Promise<readonly GridLine[]> {
    const named = [...new Set(hosts)].filter(name => name !== '')
    const lines: GridLine[] = []
    for (let at = 0; at < named.length; at += HOSTS_AT_ONCE)
      lines.push(...(await this.#together(ns, text, named.slice(at, at + HOSTS_AT_ONCE), signal)))
    return lines
  }

  /** Lines of one host over a grid of whole milliseconds, at most `limit`. */
  async over(
    ns: Namespace,
    { text, host, steps, limit }: Pick<PromqlRequest, 'steps'> & { text: string; host: string; limit: number },
    signal: AbortSignal
  ): Promise<GridResult> {
    return this.#run(ns, { query: hostExpression(text, hostCondition([host])), steps, isRange: true, limit }, signal)
  }

  async #together(ns: Namespace, text: string, hosts: readonly string[], signal: AbortSignal): Promise<readonly GridLine[]> {
    const startMs = Number(this.#deps.clock.nowNs() / 1_000_000n)
    const query = hostExpression(text, hostCondition(hosts))
    try {
      return (await this.#run(ns, { query, steps: { startMs, stepMs: 1, count: 1 }, isRange: false }, signal)).lines
    } catch (error) {
      if (hosts.length === 1 || !isGatewayError(error, 'query_unsupported')) throw error
      const lines: GridLine[] = []
      for (const host of hosts) lines.push(...(await this.#together(ns, text, [host], signal)))
      return lines
    }
  }

  async #run(ns: Namespace, request: PromqlRequest, signal: AbortSignal): Promise<GridResult> {
    const release = await this.#slots.take(ns.id, signal)
    try {
      return readGrid(await this.#deps.promql.run(ns, { ...request, form: 'grid' }, signal))
    } catch (error) {
      throw promqlToGatewayError(error, this.#deps.settings.timeoutMs)
    } finally {
      release()
    }
  }
}

/** The value of a label of a line; null where it has none. */
export function labelOf({ labels }: Pick<GridLine, 'labels'>, name: string): string | null {
  return labels.find(label => label.name === name)?.value ?? null
}

/** The value of a line of one time; null where it is not a number. */
export function valueOf({ values: [value] }: Pick<GridLine, 'values'>): number | null {
  return value === undefined || value === null || !Number.isFinite(value) ? null : value
}
