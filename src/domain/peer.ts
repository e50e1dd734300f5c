import type { FlatObject } from './json.js'
import type { SpanKind } from './span.js'

/** The parts of a span that name the peer of its call. */
interface Call {
  readonly kind: SpanKind
  /** Flattened. */
  readonly attributes: FlatObject
}

/** What a call goes to, according to the calling span. */
export type PeerKind = 'database' | 'queue' | 'external'

/** The other end of a call. */
export interface Peer {
  readonly kind: PeerKind
  readonly name: string
}

const DATABASE = ['db.system.name', 'db.system']
const QUEUE = ['messaging.system']
// The first two are the former and the present name of the same thing.
const EXTERNAL = ['peer.service', 'service.peer.name', 'server.address', 'net.peer.name', 'http.host']
const HTTP = ['http.request.method', 'http.method', 'http.url', 'http.route', 'http.host']

function firstText(attributes: FlatObject, names: readonly string[]): string | null {
  for (const name of names) {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : null
    if (typeof value === 'string' && value !== '') return value
  }
  return null
}

/** The peer of a client or producer span, as its attributes name it; null for other kinds and without such attributes. */
export function peerOf({ kind, attributes }: Call): Peer | null {
  if (kind !== 'client' && kind !== 'producer') return null
  const database = firstText(attributes, DATABASE)
  if (database !== null) return { kind: 'database', name: database }
  const queue = firstText(attributes, QUEUE)
  if (queue !== null) return { kind: 'queue', name: queue }
  const external = firstText(attributes, EXTERNAL)
  return external === null ? null : { kind: 'external', name: external }
}

/** The protocol of a span, from its attributes: a database, messaging or RPC system, or `http`. */
export function protocolOf({ kind, attributes }: Call): string | null {
  if (kind === 'internal' || kind === 'unspecified') return null
  const system = firstText(attributes, [...DATABASE, ...QUEUE, 'rpc.system.name', 'rpc.system'])
  return system ?? (HTTP.some(name => Object.hasOwn(attributes, name)) ? 'http' : null)
}
