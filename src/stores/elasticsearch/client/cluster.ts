import { GatewayError } from '../../../domain/errors.js'
import { INDEX_PREFIXES, indexTemplate, type Flavour, type IndexShape } from '../document/index-template.js'
import type { DocumentKind } from '../document/field-names.js'
import type { EngineClient } from './engine-client.js'
import { engineFault } from './engine-errors.js'

/** What the other end is. */
export interface Cluster {
  readonly flavour: Flavour
  /** `8.19.16`. */
  readonly version: string
}

/** Oldest major versions that can serve. */
export const OLDEST: Readonly<Record<Flavour, number>> = { elasticsearch: 8, opensearch: 2 }
/** As people call them. */
export const NAMES: Readonly<Record<Flavour, string>> = { elasticsearch: 'Elasticsearch', opensearch: 'OpenSearch' }
const TIMEOUT_MS = 15_000
const KINDS = Object.keys(INDEX_PREFIXES) as DocumentKind[]

interface NodesReply {
  readonly nodes?: Readonly<Record<string, { readonly version: string; readonly build_flavor?: string }>>
}

interface RootReply {
  readonly version?: { readonly number: string; readonly distribution?: string }
}

function isRefused(status: number): boolean {
  return status >= 400
}

// For roles that may not see nodes; the reduced distribution has no such page.
async function clusterOfRoot(client: EngineClient): Promise<Cluster> {
  const { body } = await client.request({ method: 'GET', path: '/', timeoutMs: TIMEOUT_MS })
  const { version } = body as RootReply
  if (!version) throw new GatewayError('store_unavailable', 'the search store does not report its version')
  return { flavour: version.distribution === 'opensearch' ? 'opensearch' : 'elasticsearch', version: version.number }
}

/** Identifies a cluster. Throws `unsupported_by_store` for versions that are too old. */
export async function identify(client: EngineClient): Promise<Cluster> {
  const query = { filter_path: 'nodes.*.version,nodes.*.build_flavor' }
  const reply = await client.request({ method: 'GET', path: '/_nodes/_local', query, timeoutMs: TIMEOUT_MS, accept: [403, 405] })
  const node = isRefused(reply.status) ? undefined : Object.values((reply.body as NodesReply).nodes ?? {})[0]
  const cluster: Cluster = node
    ? { flavour: node.build_flavor === undefined ? 'opensearch' : 'elasticsearch', version: node.version }
    : await clusterOfRoot(client)
  const { flavour, version } = cluster
  if (Number.parseInt(version, 10) < OLDEST[flavour]) {
    const text = `${NAMES[flavour]} ${version} is too old: version ${OLDEST[flavour]} or later is needed`
    throw new GatewayError('unsupported_by_store', text)
  }
  return cluster
}

/** Tries out a template without storing it. Throws `unsupported_by_store` with the engine's own reason. */
export async function tryTemplate(client: EngineClient, shape: IndexShape): Promise<void> {
  // Another pattern and priority than the real one's: the two would conflict.
  const body = { ...indexTemplate(shape), index_patterns: ['alidade-probe-*'], priority: 9_999 }
  const path = '/_index_template/_simulate'
  const reply = await client.request({ method: 'POST', path, body, timeoutMs: TIMEOUT_MS, accept: [400] })
  if (!isRefused(reply.status)) return
  const { reason } = engineFault(reply.status, reply.body)
  const sentence = 'this search store does not support the required mappings'
  throw new GatewayError('unsupported_by_store', sentence, { diagnosis: `${sentence}: ${reason}` })
}

/** Puts the template of every kind; those that are there already are replaced by the same. */
export async function putTemplates(client: EngineClient, shape: Omit<IndexShape, 'kind' | 'search'>): Promise<void> {
  for (const kind of KINDS) {
    const body = indexTemplate({ ...shape, kind, search: 'exact' })
    await client.request({ method: 'PUT', path: `/_index_template/alidade-${kind}`, body, timeoutMs: TIMEOUT_MS })
  }
}

/** A cluster that can be used: known, able and with our templates. */
export async function connect(client: EngineClient, shape: Omit<IndexShape, 'kind' | 'search' | 'flavour'>): Promise<Cluster> {
  const cluster = await identify(client)
  const { flavour } = cluster
  for (const kind of KINDS) await tryTemplate(client, { ...shape, flavour, kind, search: 'exact' })
  await putTemplates(client, { ...shape, flavour })
  return cluster
}
