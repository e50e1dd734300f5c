import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AttackKind, AttackOrder } from '../attacks/attack.js'
import { startAttack } from '../attacks/attack-process.js'
import { writeTrace } from '../attacks/trace.js'
import { watching } from '../attacks/watch.js'
import { type Kind, type Latencies, sendKinds } from '../hostile/others.js'
import { LogSource } from '../generate/logs.js'
import { fill } from '../load/fill.js'
import { summarizeLatencies } from '../load/latencies.js'
import type { BenchOptions } from '../options.js'
import type { Report, Row } from '../report.js'
import { ServiceProcess } from '../service/service-process.js'
import { Session } from '../service/session.js'
import { withTemporaryFolder } from '../service/temporary-folder.js'

const ATTACKS: readonly AttackKind[] = ['arrays', 'bombs', 'readers', 'rum', 'slow']
const P99_LIMIT_MS = 250
const BLOCK_LIMIT_MS = 100
const RSS_LIMIT_MB = 1_200
const LOGS = 50_000
const LOGS_A_BATCH = 20
const SPANS = 80_000
/** The limits are 50 queries a second per namespace, and 8 at a time per key. */
const EVERY_MS = 100
const READERS = 5
const HOUR_NS = 3_600_000_000_000n
const WARM_UP_S = 3
const PROBE = fileURLToPath(new URL('../service/block-probe.mjs', import.meta.url))

/** What another tenant does meanwhile: health, a search, a small batch. */
async function otherTenant(service: ServiceProcess): Promise<readonly Kind[]> {
  const session = await Session.operator(service)
  const { id } = await session.makeNamespace('patient')
  const apiKey = await session.makeKey('patient in', 'ingest', [id])
  const queryKeys = await Promise.all(Array.from({ length: READERS }, (_, i) => session.makeKey(`q${i}`, 'query', [id])))
  const endNs = BigInt(Date.now()) * 1_000_000n
  const target = { host: '127.0.0.1', port: service.port, apiKey }
  await fill({ target, rows: LOGS, seed: 1, startNs: endNs - HOUR_NS, endNs, batch: 1_000, connections: 2 })
  const source = new LogSource(2)
  let turn = 0
  const post = (path: string, key: string, body: string): Promise<Response> =>
    fetch(service.url + path, { method: 'POST', headers: { 'x-api-key': key, 'content-type': 'application/json' }, body })
  const batch = (): string => {
    const seconds = Math.floor(Date.now() / 1_000)
    return `{"logs":[${Array.from({ length: LOGS_A_BATCH }, (_, i) => source.next(seconds, i)).join(',')}]}`
  }
  const search = JSON.stringify({ query: 'service:payment-gateway', start: 'now-2h', end: 'now', limit: 50 })
  return [
    { name: 'health', send: () => fetch(`${service.url}/health/ready`) },
    { name: 'search', send: () => post('/api/v1/logs/query', queryKeys[turn++ % READERS]!, search) },
    { name: 'ingest', send: () => post('/api/v1/logs/batch', apiKey, batch()) }
  ]
}

/** The namespace that attacks, its keys, and the trace that it reads. */
async function attackingTenant(service: ServiceProcess, hasTrace: boolean): Promise<Omit<AttackOrder, 'attack' | 'kind'>> {
  const session = await Session.operator(service)
  const { id } = await session.makeNamespace('hostile')
  const ingestKey = await session.makeKey('hostile in', 'ingest', [id])
  const queryKey = await session.makeKey('hostile out', 'query', [id])
  const rum = { name: 'hostile pages', kind: 'rum', namespaces: [id], allowed_origins: ['https://a.example'] }
  const { key: rumKey } = await session.call<{ key: string }>('POST', '/api/v1/keys', rum)
  const target = { host: '127.0.0.1', port: service.port, apiKey: ingestKey }
  const traceId = hasTrace ? await writeTrace(target, SPANS) : ''
  return { url: service.url, ingestKey, queryKey, rumKey, traceId }
}

function within(value: number, limit: number): string {
  return value <= limit ? 'yes' : 'no'
}

function rowOf(attack: string, latencies: Latencies, watched: { blockMs: number; longBlocks: number; peakRssMb: number }): Row {
  const p99 = (name: string): number => summarizeLatencies(latencies.get(name)!).p99
  const [health, search, ingest] = [p99('health'), p99('search'), p99('ingest')]
  const worst = Math.max(health, search, ingest)
  const isGood = worst <= P99_LIMIT_MS && watched.blockMs <= BLOCK_LIMIT_MS && watched.peakRssMb <= RSS_LIMIT_MB
  return {
    attack,
    'health p99 ms': health,
    'search p99 ms': search,
    'ingest p99 ms': ingest,
    [`p99 under ${P99_LIMIT_MS} ms`]: within(worst, P99_LIMIT_MS),
    'longest block, CPU ms': watched.blockMs,
    [`blocks over ${BLOCK_LIMIT_MS} ms`]: watched.longBlocks,
    'peak RSS MB': watched.peakRssMb,
    [`RSS under ${RSS_LIMIT_MB} MB`]: within(watched.peakRssMb, RSS_LIMIT_MB),
    holds: isGood ? 'yes' : 'no'
  }
}

interface Measured {
  readonly row: Row
  readonly notes: readonly string[]
}

async function measureOne(folder: string, attack: AttackKind | 'none', { nodeArgs, seconds }: BenchOptions): Promise<Measured> {
  const probe = join(folder, 'probe')
  const service = await ServiceProcess.start({
    dataDir: join(folder, 'data'),
    nodeArgs: [...nodeArgs, '--import', PROBE],
    env: { BENCH_PROBE_FILE: probe }
  })
  try {
    const kinds = await otherTenant(service)
    const tenant = await attackingTenant(service, attack === 'readers')
    await sendKinds(kinds, WARM_UP_S, EVERY_MS)
    const notes: string[] = []
    const { result, watched } = await watching(service, probe, async () => {
      if (attack === 'none') return sendKinds(kinds, seconds, EVERY_MS)
      const stop = startAttack({ ...tenant, kind: 'start', attack })
      const latencies = await sendKinds(kinds, seconds, EVERY_MS)
      notes.push(`${attack}: ${await stop()}`)
      return latencies
    })
    return { row: rowOf(attack, result, watched), notes }
  } finally {
    await service.stop(nodeArgs.length > 0 ? 'SIGTERM' : 'SIGKILL')
  }
}

/** What another tenant waits, how long the event loop is blocked and how much memory is taken while one tenant attacks. */
export async function measureAttacks(options: BenchOptions): Promise<Report> {
  const selected = (['none', ...ATTACKS] as const).filter(attack => options.only.length === 0 || options.only.includes(attack))
  const measured: Measured[] = []
  for (const attack of selected) {
    measured.push(await withTemporaryFolder('alidade-bench', folder => measureOne(folder, attack, options)))
  }
  return {
    title: 'Another tenant during attacks',
    rows: measured.map(({ row }) => row),
    notes: measured.flatMap(({ notes }) => notes)
  }
}
