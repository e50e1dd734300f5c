import type { EngineClient, Reply } from '../client/engine-client.js'
import { NAMESPACE } from '../document/field-names.js'

const TIMEOUT_MS = 60_000
/** Room for the rest of a request's first line, which is limited to 4 KiB. */
const MAX_NAMES_CHARS = 3_000
/** Missing names are not an error: an index may be deleted already, or not created yet. */
export const LENIENT = { ignore_unavailable: true } as const

/** The names in groups that fit the first line of a request. */
export function groupsOf(names: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = []
  let chars = Infinity
  for (const name of names) {
    if (chars + name.length + 1 > MAX_NAMES_CHARS) {
      groups.push([])
      chars = 0
    }
    groups.at(-1)!.push(name)
    chars += name.length + 1
  }
  return groups
}

/** For looking only. */
export const OURS_PATTERN = 'logs-alidade.*,traces-alidade.*'
/** More namespaces than a pool is made for. */
const MAX_NAMESPACES = 20_000
const OURS = /^(?:logs|traces)-alidade\.[a-z]+-[a-z0-9_]+-\d{6,}$/

/** Only names that we make are deleted, never patterns: OpenSearch accepts those without confirmation. */
function explicit(name: string): string {
  if (!OURS.test(name)) throw new Error(`${name} is not the name of one of our indices`)
  return name
}

/** Requests about whole indices. */
export class IndexCalls {
  readonly #client: EngineClient

  constructor(client: EngineClient) {
    this.#client = client
  }

  /** Makes what was written visible to reads. */
  async refresh(names: readonly string[]): Promise<void> {
    for (const group of groupsOf(names))
      await this.#client.request({
        method: 'POST',
        path: `/${group.join(',')}/_refresh`,
        query: LENIENT,
        timeoutMs: TIMEOUT_MS,
        isRead: true
      })
  }

  /** Deletes indices; those that are not there count as deleted. */
  async remove(names: readonly string[]): Promise<void> {
    for (const group of groupsOf(names.map(explicit))) {
      const path = `/${group.join(',')}`
      await this.#client.request({ method: 'DELETE', path, query: LENIENT, timeoutMs: TIMEOUT_MS, accept: [404] })
    }
  }

  /** How many documents match, at most `most`. */
  async count(name: string, query: object, most: number): Promise<number> {
    const body = { query, size: 0, track_total_hits: most }
    const reply = await this.#search(name, body, 'hits.total.value')
    return (reply.body as { hits?: { total?: { value: number } } }).hits?.total?.value ?? 0
  }

  /** Refuses further writes of an index and waits for those in flight; false when it is not there. */
  async block(name: string): Promise<boolean> {
    const path = `/${name}/_block/write`
    const { status } = await this.#client.request({ method: 'PUT', path, timeoutMs: TIMEOUT_MS, accept: [404] })
    return status < 400
  }

  /** Whether writes are refused. */
  async isBlocked(name: string): Promise<boolean> {
    const path = `/${name}/_settings/index.blocks.write`
    const query = { ...LENIENT, flat_settings: true }
    const { body } = await this.#client.request({ method: 'GET', path, query, timeoutMs: TIMEOUT_MS, accept: [404] })
    const settings = (body as Readonly<Record<string, { settings?: Readonly<Record<string, string>> }>>)[name]?.settings
    return settings?.['index.blocks.write'] === 'true'
  }

  async unblock(name: string): Promise<void> {
    const body = { 'index.blocks.write': null }
    await this.#client.request({
      method: 'PUT',
      path: `/${name}/_settings`,
      query: LENIENT,
      body,
      timeoutMs: TIMEOUT_MS,
      accept: [404]
    })
  }

  /** Ids of matching documents with their indices, by record id, behind `after`. */
  async ids(names: readonly string[], query: object, after: string | null, size: number): Promise<readonly FoundId[]> {
    const order = [{ id: 'asc' }]
    const body = {
      query,
      size,
      _source: false,
      track_total_hits: false,
      sort: order,
      ...(after !== null && { search_after: [after] })
    }
    const reply = await this.#search(names.join(','), body, 'hits.hits._index,hits.hits._id,hits.hits.sort')
    return (reply.body as { hits?: { hits?: readonly FoundId[] } }).hits?.hits ?? []
  }

  /** Sizes by index of those that are there. */
  async sizes(names: readonly string[]): Promise<ReadonlyMap<string, IndexSize>> {
    const sizes = new Map<string, IndexSize>()
    const query = { ...LENIENT, filter_path: 'indices.*.primaries.docs.count,indices.*.total.store.size_in_bytes' }
    for (const group of groupsOf(names)) {
      const path = `/${group.join(',')}/_stats/docs,store`
      const { body } = await this.#client.request({ method: 'GET', path, query, timeoutMs: TIMEOUT_MS, accept: [404] })
      for (const [name, { primaries, total }] of Object.entries((body as StatsReply).indices ?? {}))
        sizes.set(name, { documents: primaries.docs.count, bytes: total.store.size_in_bytes })
    }
    return sizes
  }

  /** Documents by namespace in shared indices. */
  async documentsByNamespace(names: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (names.length === 0) return new Map()
    const body = { size: 0, track_total_hits: false, aggs: { ns: { terms: { field: NAMESPACE, size: MAX_NAMESPACES } } } }
    const reply = await this.#search(names.join(','), body, 'aggregations.ns.buckets')
    const buckets = (reply.body as NamespacesReply).aggregations?.ns.buckets ?? []
    return new Map(buckets.map(({ key, doc_count }) => [key, doc_count]))
  }

  /** Names of all indices of the cluster that an installation made. */
  async namesOf(installation: string): Promise<readonly string[]> {
    const query = { expand_wildcards: 'open,closed', filter_path: '*.mappings._meta.installation' }
    const path = `/${OURS_PATTERN}/_mapping`
    const { body } = await this.#client.request({ method: 'GET', path, query, timeoutMs: TIMEOUT_MS })
    const mappings = Object.entries(body as MappingReply)
    return mappings.flatMap(
      ([
        name,
        {
          mappings: { _meta }
        }
      ]) => (_meta.installation === installation ? [name] : [])
    )
  }

  #search(names: string, body: object, paths: string): Promise<Reply> {
    // A partial result would leave records behind forever.
    const query = { ...LENIENT, allow_partial_search_results: false, filter_path: paths }
    return this.#client.request({ method: 'POST', path: `/${names}/_search`, query, body, timeoutMs: TIMEOUT_MS, isRead: true })
  }
}

type MappingReply = Readonly<Record<string, { readonly mappings: { readonly _meta: { readonly installation: string } } }>>

interface StatsReply {
  readonly indices?: Readonly<
    Record<string, { readonly primaries: { docs: { count: number } }; readonly total: { store: { size_in_bytes: number } } }>
  >
}

interface NamespacesReply {
  readonly aggregations?: { readonly ns: { readonly buckets: readonly { readonly key: string; readonly doc_count: number }[] } }
}

/** What an index holds. */
export interface IndexSize {
  /** On all copies. */
  readonly bytes: number
  readonly documents: number
}

/** A document by its index and id. */
export interface FoundId {
  readonly _index: string
  readonly _id: string
  readonly sort: readonly [string]
}
