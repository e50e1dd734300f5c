import { expect } from '@jest/globals'
import { queryGraphql } from '../support/graphql-client.js'
import { suitePath } from '../support/suite-path.js'
import { type RunningService, startService } from '../support/running-service.js'
import type { SentLog } from './sets.js'
import { readSet, SETS } from './sets.js'
import { type FileSpan, groups, readJaeger, readTrainTicket, type TraceSet } from './trace-sets.js'

/** A trace as a search gives it. */
export interface Summary {
  readonly trace_id: string
  readonly duration_ns: number
  readonly span_count: number
  readonly services: readonly { readonly service: string; readonly spans: number }[]
}

/** All that was ever sent. */
export const ALL_TIME = { start: '1970-01-01T00:00:00Z', end: 'now' }
const LOGS_PER_REQUEST = 500

/** Earliest start, and duration from there to the last end. */
export function extent(spans: readonly FileSpan[]): { readonly startNs: bigint; readonly tookNs: bigint } {
  const startNs = spans.map(span => span.startNs).reduce((a, b) => (a < b ? a : b))
  const endNs = spans.map(span => span.endNs).reduce((a, b) => (a > b ? a : b))
  return { startNs, tookNs: endNs - startNs }
}

/** A running service that holds the public sets of traces, each in a namespace of its name, and what their files contain. */
export class TraceSite {
  readonly #service: RunningService
  readonly #operator: Readonly<Record<string, string>>
  readonly #namespaces = new Map<string, string>()
  readonly #sets = new Map<string, TraceSet>()
  readonly #grouped = new Map<string, ReadonlyMap<string, readonly FileSpan[]>>()
  #logs: readonly SentLog[] = []

  private constructor(service: RunningService, operator: Readonly<Record<string, string>>) {
    this.#service = service
    this.#operator = operator
  }

  /** Starts the service and sends it the sets. */
  static async open(): Promise<TraceSite> {
    const service = await startService({ flags: ['--rate-queries', '100000', '--limit-page-traces', '1000'] })
    const site = new TraceSite(service, await service.login())
    await site.#load('jaeger', readJaeger(suitePath('')))
    const key = await site.#load('trainticket', readTrainTicket(suitePath('')))
    site.#logs = readSet(
      suitePath(''),
      SETS.find(({ name }) => name === 'trainticket')!
    )
    for (let i = 0; i < site.#logs.length; i += LOGS_PER_REQUEST) {
      const logs = site.#logs.slice(i, i + LOGS_PER_REQUEST)
      await site.call('/api/v1/logs/batch?ack=searchable', { logs }, { 'x-api-key': key })
    }
    await service.settle()
    return site
  }

  async #load(name: string, set: TraceSet): Promise<string> {
    const retention = { logs: 'forever', traces: 'forever' }
    const { id } = await this.call<{ id: string }>('/api/v1/namespaces', { name, retention })
    const { key } = await this.call<{ key: string }>('/api/v1/keys', { name, kind: 'ingest', namespaces: [id] })
    for (const request of set.requests) {
      expect(await this.call('/api/v1/otlp/v1/traces', request, { 'x-api-key': key })).toEqual({})
    }
    this.#namespaces.set(name, id)
    this.#sets.set(name, set)
    return key
  }

  /** The logs of TrainTicket. */
  get logs(): readonly SentLog[] {
    return this.#logs
  }

  /** All spans of a set. */
  spans(name: string): readonly FileSpan[] {
    return this.#sets.get(name)!.spans
  }

  /** Spans of a set by trace. */
  traces(name: string): ReadonlyMap<string, readonly FileSpan[]> {
    const known = this.#grouped.get(name)
    if (known) return known
    const made = groups(this.spans(name), span => span.traceId)
    this.#grouped.set(name, made)
    return made
  }

  /** Ids of the traces with a span that matches, as the file lists them. */
  expected(name: string, matches: (span: FileSpan) => boolean): readonly string[] {
    const matching = this.spans(name).filter(matches)
    return [...new Set(matching.map(({ traceId }) => traceId))].toSorted()
  }

  /** The body of a response; a body to send is posted. Throws unless it is a good one. */
  async call<T>(path: string, json?: object, more: Readonly<Record<string, string>> = {}): Promise<T> {
    const init = json === undefined ? {} : { method: 'POST', json }
    const response = await this.#service.api(path, { ...init, headers: { ...this.#operator, ...more } })
    if (response.status >= 300) throw new Error(`${path}: ${response.status} ${response.text.slice(0, 500)}`)
    return response.json as T
  }

  /** The response of GraphQL in one set's namespace. */
  graphql<T>(name: string, query: string, variables: Readonly<Record<string, unknown>>): Promise<T> {
    const headers = { ...this.#operator, 'x-namespace-id': this.#namespaces.get(name)! }
    return queryGraphql<T>(this.#service.url, query, variables, headers)
  }

  /** The traces that a search finds, none left out. */
  async search(namespace: string, params: Readonly<Record<string, string>>): Promise<readonly Summary[]> {
    const query = new URLSearchParams({ namespace, ...ALL_TIME, limit: '200', ...params }).toString()
    const response = await this.call<{ traces: Summary[]; complete: boolean }>(`/api/v1/traces?${query}`)
    expect(response.complete).toBe(true)
    return response.traces
  }

  /** Ids of the traces that a search finds. */
  async found(namespace: string, params: Readonly<Record<string, string>>): Promise<readonly string[]> {
    return (await this.search(namespace, params)).map(({ trace_id: id }) => id).toSorted()
  }

  close(): Promise<void> {
    return this.#service.close()
  }
}
