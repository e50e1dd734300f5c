import { allOf, type Field, type Filter } from '../../domain/filter.js'
import { flatten } from '../../domain/flatten.js'
import type { JsonObject } from '../../domain/json.js'
import type { Namespace, RetainedSignal } from '../../domain/namespace.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Clock } from '../../ports/clock.js'
import type { LogStore } from '../../ports/log-store.js'
import type { TraceStore } from '../../ports/trace-store.js'
import { DAY_MS, HOUR_MS, keptRange } from '../read-window.js'
import type { HostFacts } from './host-result.js'

/** Dependencies of `HostFactsReader`. */
export interface HostFactsDeps {
  readonly logs: Pick<LogStore, 'search'>
  readonly traces: Pick<TraceStore, 'newestOrigins' | 'stats'>
  readonly clock: Clock
}

/** Latest spans, and latest logs, that are looked at for the attributes of the hosts of a page. */
const NEWEST_RECORDS = 200
/** Services of all hosts of a page. */
const MOST_SERVICES = 1_000
const MOST_LABELS = 50
const MAX_PAGE_BYTES = 4 * 1024 * 1024
const MS_NS = 1_000_000n

const HOST: Field = { in: 'known', name: 'host' }
const SERVICE: Field = { in: 'known', name: 'service' }
/** Resource attributes of the machine, by OpenTelemetry's semantic conventions; its address and id are among them. */
const OF_HOST = /^(?:host|os|cloud|k8s\.node|k8s\.cluster|device)\./

/** What records state of a host, and the attribute that names it. */
interface Origin {
  readonly host: string
  readonly attributes: JsonObject
}

function textOf(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

function factsOf(attributes: JsonObject): HostFacts {
  const flat = flatten(attributes)
  const text = (name: string): string | null => textOf(flat[name])
  const labels = Object.keys(flat)
    .filter(name => OF_HOST.test(name))
    .sort()
    .flatMap(name => {
      const value = text(name)
      return value === null ? [] : [{ name, value }]
    })
  return {
    os: text('os.description') ?? text('os.name') ?? text('os.type'),
    arch: text('host.arch'),
    kernel: text('os.kernel.release') ?? text('os.version'),
    labels: labels.slice(0, MOST_LABELS)
  }
}

/** What the latest records of the last day state of hosts. */
export class HostFactsReader {
  readonly #deps: HostFactsDeps

  constructor(deps: HostFactsDeps) {
    this.#deps = deps
  }

  /** Of those hosts that the latest spans and logs with resource attributes are of; of one host always. */
  async of(ns: Namespace, hosts: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, HostFacts>> {
    const found = new Map<string, HostFacts>()
    const [ofSpans, ofLogs] = await Promise.all([this.#ofSpans(ns, hosts, signal), this.#ofLogs(ns, hosts, signal)])
    for (const { host, attributes } of [...ofSpans, ...ofLogs]) {
      if (found.has(host)) continue
      const facts = factsOf(attributes)
      if (facts.labels.length > 0) found.set(host, facts)
    }
    return found
  }

  /** Names of the services whose spans came from the hosts, most spans first. */
  async services(ns: Namespace, hosts: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, readonly string[]>> {
    const request = {
      range: this.#range(ns, 'traces'),
      filter: allOf([among(hosts), { kind: 'exists', field: SERVICE }]),
      ...{ groupBy: [HOST, SERVICE], percentiles: [], limit: MOST_SERVICES }
    }
    const { rows } = await this.#deps.traces.stats(ns.id, request, signal)
    const services = new Map<string, string[]>()
    for (const { key } of rows) {
      const [host, service] = key
      if (host == null || service == null) continue
      services.set(host, [...(services.get(host) ?? []), service])
    }
    return services
  }

  async #ofSpans(ns: Namespace, hosts: readonly string[], signal: AbortSignal): Promise<readonly Origin[]> {
    const limit = hosts.length === 1 ? 1 : NEWEST_RECORDS
    const request = { range: this.#range(ns, 'traces'), filter: among(hosts), limit }
    const origins = await this.#deps.traces.newestOrigins(ns.id, request, signal)
    return origins.flatMap(({ resource }) => {
      const host = textOf(flatten(resource)['host.name'])
      return host === null ? [] : [{ host, attributes: resource }]
    })
  }

  async #ofLogs(ns: Namespace, hosts: readonly string[], signal: AbortSignal): Promise<readonly Origin[]> {
    const limit = hosts.length === 1 ? 1 : NEWEST_RECORDS
    const rows = { limit, order: 'desc', maxBytes: MAX_PAGE_BYTES } as const
    const found = await this.#deps.logs.search(ns.id, { range: this.#range(ns, 'logs'), filter: among(hosts), rows }, signal)
    return (found.rows ?? []).flatMap(({ host, tags }) => (host === null ? [] : [{ host, attributes: tags }]))
  }

  #range(ns: Namespace, signal: RetainedSignal): TimeRange {
    const nowNs = this.#deps.clock.nowNs()
    const range = { startNs: nowNs - BigInt(DAY_MS) * MS_NS, endNs: nowNs + BigInt(HOUR_MS) * MS_NS }
    return keptRange(range, { namespace: ns, signal, nowNs })
  }
}

function among(hosts: readonly string[]): Filter {
  return { kind: 'in', field: HOST, values: hosts }
}
