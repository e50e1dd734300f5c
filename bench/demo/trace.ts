import type { Random } from '../generate/random.js'

/** One service on the way of a request, as its spans need it. */
export interface TracedHop {
  readonly service: string
  readonly host: string
  /** Of its server span. */
  readonly spanId: string
  /** Its own work, milliseconds. */
  readonly tookMs: number
  readonly hasFailed: boolean
}

/** What spans of one request have in common. */
export interface TracedRequest {
  readonly traceId: string
  readonly route: string
  readonly release: string
  readonly startNs: bigint
  readonly hops: readonly TracedHop[]
}

type Attributes = Readonly<Record<string, string>>
type Peer = { readonly name: string; readonly kind: number; readonly attributes: Attributes }

const SERVER = 2
const CLIENT = 3
const PRODUCER = 4
const CONSUMER = 5
const ERROR = 2
const NETWORK_MS = 0.4
/** Which part of its own work a service waits for what it calls. */
const PEER_SHARE = 0.6
const QUEUED = 'notify'

const DATABASE: Peer = {
  name: 'SELECT stock',
  kind: CLIENT,
  attributes: { 'db.system.name': 'postgresql', 'server.address': 'shop-db' }
}
/** What services call that sends no spans. */
const PEERS: Readonly<Record<string, Peer>> = {
  catalog: DATABASE,
  inventory: DATABASE,
  cart: { name: 'GET cart', kind: CLIENT, attributes: { 'db.system.name': 'redis', 'server.address': 'cart-cache' } },
  payments: {
    name: 'POST',
    kind: CLIENT,
    attributes: { 'server.address': 'acquirer.example', 'http.request.method': 'POST' }
  }
}

function pairs(values: Attributes): readonly object[] {
  return Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }))
}

interface Timed {
  readonly startNs: bigint
  readonly endNs: bigint
}

function ns(ms: number): bigint {
  return BigInt(Math.round(ms * 1_000)) * 1_000n
}

/** The spans of a request as `resourceSpans` of OTLP: the first service calls the second, which calls all others in sequence. */
export function resourceSpans(request: TracedRequest, random: Random): readonly object[] {
  const { hops, traceId, release, route } = request
  const timed = timesOf(request)
  return hops.map((hop, i) => {
    const { service, host, spanId, hasFailed } = hop
    const isQueued = service === QUEUED
    const calls = hops.slice(i + 1).filter((_, k) => callerOf(i + 1 + k) === i)
    // What fails at the end of the way fails all the way up.
    const isBroken = hasFailed || (i < 2 && hops.some(one => one.hasFailed))
    const own = {
      traceId,
      spanId,
      ...timesJson(timed[i]!),
      status: isBroken ? { code: ERROR } : {}
    }
    const served = {
      ...own,
      ...{
        parentSpanId: i === 0 ? '' : clientIdOf(hop),
        name: isQueued ? 'notify process' : `${route} ${service}`,
        kind: isQueued ? CONSUMER : SERVER
      },
      attributes: pairs({ 'http.route': route }),
      events: calls.some(one => one.hasFailed) && i > 0 ? [upstreamFailed(timed[i]!)] : []
    }
    const clients = calls.map(called => {
      const at = timed[hops.indexOf(called)]!
      const toQueue = called.service === QUEUED
      return {
        ...{ traceId, spanId: clientIdOf(called), parentSpanId: spanId, kind: toQueue ? PRODUCER : CLIENT },
        name: toQueue ? 'notify publish' : `call ${called.service}`,
        ...timesJson({ startNs: at.startNs - ns(NETWORK_MS), endNs: toQueue ? at.startNs : at.endNs + ns(NETWORK_MS) }),
        attributes: pairs(
          toQueue ? { 'messaging.system': 'kafka', 'messaging.destination.name': 'notify' } : { 'server.address': called.service }
        ),
        status: isBroken && !toQueue ? { code: ERROR } : {}
      }
    })
    const peer = PEERS[service]
    const peers = peer ? [{ ...peerSpan(peer, timed[i]!, hop), traceId, spanId: random.hex(16), parentSpanId: spanId }] : []
    const resource = {
      'service.name': service,
      'host.name': host,
      'service.version': release,
      'telemetry.sdk.language': 'nodejs'
    }
    return {
      resource: { attributes: pairs(resource) },
      scopeSpans: [{ scope: { name: 'shop' }, spans: [served, ...clients, ...peers] }]
    }
  })
}

/** The place of the service that calls the one in this place. */
function callerOf(place: number): number {
  return place === 1 ? 0 : 1
}

/** The id of the calling span follows from that of the called one. */
function clientIdOf({ spanId }: TracedHop): string {
  return `${spanId.slice(8)}${spanId.slice(0, 8)}`
}

function timesJson({ startNs, endNs }: Timed): object {
  return { startTimeUnixNano: String(startNs), endTimeUnixNano: String(endNs) }
}

/** Services begin one after the other; those that call others end after them. */
function timesOf({ hops, startNs }: TracedRequest): readonly Timed[] {
  let atNs = startNs
  const times: { startNs: bigint; endNs: bigint }[] = hops.map(({ tookMs }, i) => {
    const begin = i === 0 ? atNs : atNs + ns(NETWORK_MS)
    atNs = begin + ns(i < 2 ? tookMs / 2 : tookMs)
    return { startNs: begin, endNs: atNs }
  })
  const lastNs = times.reduce((latest, { endNs }) => (endNs > latest ? endNs : latest), 0n)
  for (const i of [1, 0]) {
    const time = times[i]
    if (time) time.endNs = lastNs + ns(((2 - i) * hops[i]!.tookMs) / 4 + NETWORK_MS)
  }
  return times
}

function peerSpan(peer: Peer, { startNs }: Timed, { tookMs, hasFailed }: TracedHop): object {
  const { name, kind, attributes } = peer
  const times = timesJson({ startNs: startNs + ns(tookMs / 10), endNs: startNs + ns(tookMs / 10 + tookMs * PEER_SHARE * 0.5) })
  return { name, kind, ...times, attributes: pairs(attributes), status: hasFailed ? { code: ERROR } : {} }
}

function upstreamFailed({ endNs }: Timed): object {
  const attributes = { 'exception.type': 'UpstreamError', 'exception.message': 'payments returned 502' }
  return { name: 'exception', timeUnixNano: String(endNs), attributes: pairs(attributes) }
}
