import type { Attack, AttackKind, AttackOrder, FloodOrder } from './attack.js'
import { arrayBodies, type HostileBody, otlpBomb, rumBodies } from './bodies.js'
import { type HostileRequest, LanesAttack } from './lanes.js'
import { SignInFlood } from './sign-in-flood.js'
import { SlowBodiesAttack } from './slow-bodies.js'

// Entry of the process that attacks.

const ARRAY_LANES = 12
const BOMB_LANES = 128
const READERS = 8
const RUM_LANES = 300
const SLOW_CONNECTIONS = 1_000

function bodies(order: AttackOrder, all: readonly HostileBody[]): (turn: number) => HostileRequest {
  return turn => {
    const { path, contentType, bytes, isRum = false } = all[turn % all.length]!
    const key: Record<string, string> = isRum
      ? { 'x-api-key': order.rumKey, origin: 'https://a.example' }
      : { 'x-api-key': order.ingestKey }
    return { method: 'POST', path, headers: { ...key, 'content-type': contentType, 'content-encoding': 'gzip' }, body: bytes }
  }
}

const ATTACKS: Readonly<Record<AttackKind, (order: AttackOrder) => Attack>> = {
  arrays: order => new LanesAttack(order.url, ARRAY_LANES, bodies(order, arrayBodies())),
  bombs: order => new LanesAttack(order.url, BOMB_LANES, bodies(order, [otlpBomb()])),
  readers: ({ url, queryKey, traceId }) => {
    const read: HostileRequest = { method: 'GET', path: `/api/v1/traces/${traceId}`, headers: { 'x-api-key': queryKey } }
    return new LanesAttack(url, READERS, () => read)
  },
  rum: order => new LanesAttack(order.url, RUM_LANES, bodies(order, rumBodies())),
  slow: ({ url, ingestKey }) => new SlowBodiesAttack(url, ingestKey, SLOW_CONNECTIONS)
}

let running: Attack | null = null

async function stop(attack: Attack): Promise<void> {
  process.send!(await attack.stop())
  process.disconnect()
}

process.on('message', (order: AttackOrder | FloodOrder | { readonly kind: 'stop' }) => {
  if (order.kind === 'start') running = ATTACKS[order.attack](order)
  else if (order.kind === 'flood') running = new SignInFlood(order)
  else void stop(running!)
})
