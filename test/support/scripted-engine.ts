import { GatewayError } from '../../src/domain/errors.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import { recordId } from '../../src/domain/ids.js'
import type { AppendResult, Batch } from '../../src/ports/append.js'
import type { EventStore } from '../../src/ports/event-store.js'
import type { LogStore } from '../../src/ports/log-store.js'
import type { MetricStore } from '../../src/ports/metric-store.js'
import type { Engine } from '../../src/stores/shared/engine.js'

/** How the next append ends: stored, an error, stored without a response, or neither. */
export type Script = (ns: NamespaceId, batch: Batch<Item>) => Promise<AppendResult>
type Item = { readonly index: number }

/** One append as the engine saw it. */
export interface RequestCase {
  readonly ns: NamespaceId
  readonly signal: string
  readonly batch: Batch<Item>
}

/** An error that adapters throw when the engine is not there. */
export function unavailable(): GatewayError {
  return new GatewayError('store_unavailable', 'connection refused')
}

/** The writing side of an engine whose responses the test writes; what it stores is by record id, as in a real one. */
export class ScriptedEngine {
  readonly requests: RequestCase[] = []
  /** Record ids, in the order in which they were stored, by `signal namespace`. */
  readonly stored = new Map<string, string[]>()
  readonly dropped: NamespaceId[] = []
  settled = 0
  /** What happens to appends until this changed. */
  script: Script | null = null
  #onRequest: (() => void)[] = []

  /** Refuses everything with this error. */
  failWith(make: () => Error): void {
    this.script = async () => {
      throw make()
    }
  }

  /** Works again. */
  recover(): void {
    this.script = null
  }

  /** Resolves when so many appends have arrived in all. */
  async requestedTimes(count: number): Promise<void> {
    while (this.requests.length < count) await new Promise<void>(resolve => this.#onRequest.push(resolve))
  }

  store(signal: string, ns: NamespaceId, { ingestId, items }: Batch<Item>): AppendResult {
    const key = `${signal} ${ns}`
    const ids = this.stored.get(key) ?? []
    this.stored.set(key, ids)
    const known = new Set(ids)
    const fresh = items.map(({ index }) => recordId(ingestId, index)).filter(id => !known.has(id))
    ids.push(...fresh)
    return { accepted: fresh.length, deduplicated: items.length - fresh.length, failures: [] }
  }

  get engine(): Engine & { logs: LogStore; metrics: MetricStore; events: EventStore } {
    const append = (signal: string) => (ns: NamespaceId, batch: Batch<Item>) => this.#append(signal, ns, batch)
    const rest = {
      settle: async () => void this.settled++,
      deleteBefore: async () => undefined,
      dropNamespace: async (ns: NamespaceId) => void this.dropped.push(ns)
    }
    return {
      name: 'scripted',
      health: async () => [{ name: 'scripted', healthy: true, latencyMs: 0, detail: '' }],
      sizes: async () => [],
      gauges: async () => ({}),
      close: async () => undefined,
      logs: { append: append('logs'), ...rest } as unknown as LogStore,
      metrics: { append: append('metrics'), ...rest } as unknown as MetricStore,
      events: { appendRum: append('rum'), appendErrors: append('errors'), ...rest } as unknown as EventStore
    }
  }

  async #append(signal: string, ns: NamespaceId, batch: Batch<Item>): Promise<AppendResult> {
    this.requests.push({ ns, signal, batch })
    for (const notify of this.#onRequest.splice(0)) notify()
    return this.script ? this.script(ns, batch) : this.store(signal, ns, batch)
  }
}
