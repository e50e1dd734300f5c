import { GatewayError } from '../../src/domain/errors.js'
import { recordId, type NamespaceId, type RecordId } from '../../src/domain/ids.js'
import { formatNs } from '../../src/domain/timestamp.js'
import type { Batch } from '../../src/ports/append.js'
import type { Stores } from '../../src/ports/stores.js'
import { errorDocument } from '../../src/stores/elasticsearch/document/error-document.js'
import type { DocumentKind } from '../../src/stores/elasticsearch/document/field-names.js'
import { mappingsOf, settingsOf } from '../../src/stores/elasticsearch/document/index-template.js'
import { logDocument } from '../../src/stores/elasticsearch/document/log-document.js'
import { rumDocument } from '../../src/stores/elasticsearch/document/rum-document.js'
import { EventReader } from '../../src/stores/elasticsearch/read/event-reader.js'
import { HttpSearchEngine, type Send } from '../../src/stores/elasticsearch/read/http-search-engine.js'
import { LogReader } from '../../src/stores/elasticsearch/read/log-reader.js'
import type { ServerAccess } from '../servers/variables.js'

export async function openSearchReaderStores(
  access: ServerAccess,
  flavour: 'elasticsearch' | 'opensearch',
  generations = 1
): Promise<Stores> {
  const auth = access.username
    ? { authorization: `Basic ${Buffer.from(`${access.username}:${access.password}`).toString('base64')}` }
    : {}
  const call = async (method: string, path: string, body?: string, headers = {}, signal?: AbortSignal): Promise<any> => {
    const response = await fetch(access.url + path, {
      method,
      body: body ?? null,
      headers: { 'content-type': 'application/json', ...auth, ...headers } as any,
      signal: signal ?? null
    })
    const answer = (await response.json()) as any
    if (response.status >= 400)
      throw new GatewayError('store_unavailable', JSON.stringify(answer).slice(0, 600) + (body ?? '').slice(0, 600))
    return answer
  }
  const send: Send = async ({ method, path, querystring, body, headers }, signal) => {
    try {
      return await call(method, `${path}?${new URLSearchParams(querystring)}`, body, headers, signal)
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    }
  }
  const made = new Map<string, Promise<string>>()
  const floors = new Map<string, bigint>()
  const dropped = new Set<string>()
  const seen = new Set<string>()
  let turn = 0
  const indexOf = (ns: string, kind: DocumentKind, number: number) => {
    const name = `esread-${kind}-${ns}-${number}`
    if (!made.has(name)) {
      const shape = { flavour, kind, search: 'exact', replicas: 0, refreshSeconds: 60 } as const
      made.set(
        name,
        call('PUT', `/${name}`, JSON.stringify({ settings: settingsOf(shape), mappings: mappingsOf(shape) })).then(() => name)
      )
    }
    return made.get(name)!
  }
  const targets = {
    of: async (ns: NamespaceId, kind: string) => {
      const names = await Promise.all(
        [...made].filter(([name]) => name.startsWith(`esread-${kind}-${ns}-`)).map(([, ready]) => ready)
      )
      const floor = floors.get(`${kind} ${ns}`)
      const mandatory = [
        { term: { ns } },
        ...(floor === undefined ? [] : [{ range: { '@timestamp': { gte: formatNs(floor) } } }])
      ]
      return { indices: dropped.has(ns) ? [] : names, mandatory, search: 'exact' as const }
    }
  }
  const append =
    <Item extends { readonly index: number }>(
      kind: DocumentKind,
      write: (ns: NamespaceId, id: RecordId, item: Item, tri: boolean) => string
    ) =>
    async (ns: NamespaceId, { ingestId, items }: Batch<Item>) => {
      if (dropped.has(ns)) throw new GatewayError('namespace_deleted', 'gone')
      if (seen.has(`${ns} ${kind} ${ingestId}`)) return { accepted: 0, deduplicated: items.length, failures: [] }
      seen.add(`${ns} ${kind} ${ingestId}`)
      const index = await indexOf(ns, kind, turn++ % generations)
      const lines = items.map(item => {
        const id = recordId(ingestId, item.index)
        return `${JSON.stringify({ create: { _index: index, _id: id } })}\n${write(ns, id, item, true)}\n`
      })
      const answer = await call('POST', '/_bulk', lines.join(''), { 'content-type': 'application/x-ndjson' })
      if (answer.errors) throw new Error(JSON.stringify(answer).slice(0, 1000))
      return { accepted: items.length, deduplicated: 0, failures: [] }
    }
  const engine = new HttpSearchEngine(send)
  const logs = new LogReader({ engine, targets })
  const events = new EventReader({ engine, targets })
  const settle = async (ns: NamespaceId) => {
    const names = [...made.keys()].filter(name => name.includes(`-${ns}-`))
    if (names.length > 0) await call('POST', `/${names.join(',')}/_refresh`)
  }
  const dropNamespace = async (ns: NamespaceId) => void dropped.add(ns)
  const deleteBefore = async (kind: string, ns: NamespaceId, timeNs: bigint) => void floors.set(`${kind} ${ns}`, timeNs)
  return {
    logs: {
      append: append('logs', logDocument),
      search: (ns, request, signal) => logs.search(ns, request, signal),
      stream: (ns, request, signal) => logs.stream(ns, request, signal),
      get: (ns, id) => logs.get(ns, id),
      fields: (ns, request, signal) => logs.fields(ns, request, signal),
      settle,
      deleteBefore: (ns, timeNs) => deleteBefore('logs', ns, timeNs),
      dropNamespace
    },
    metrics: null as never,
    events: {
      appendRum: append('rum', rumDocument),
      appendErrors: append('errors', errorDocument),
      searchRum: (ns, request, signal) => events.searchRum(ns, request, signal),
      searchErrors: (ns, request, signal) => events.searchErrors(ns, request, signal),
      vitals: (ns, request, signal) => events.vitals(ns, request, signal),
      errorGroups: (ns, request, signal) => events.errorGroups(ns, request, signal),
      getRum: (ns, id) => events.getRum(ns, id),
      getError: (ns, id) => events.getError(ns, id),
      settle,
      deleteBefore: (ns, kind, timeNs) => deleteBefore(kind, ns, timeNs),
      dropNamespace
    },
    health: async () => [],
    sizes: async () => [],
    backup: async () => {},
    gauges: async () => ({}),
    close: async () => {
      const names = await Promise.all(made.values())
      made.clear()
      for (let at = 0; at < names.length; at += 30)
        await call('DELETE', `/${names.slice(at, at + 30).join(',')}?ignore_unavailable=true`)
    }
  }
}
