import { setTimeout as sleep } from 'node:timers/promises'
import { AttackProcess } from '../hostile/attack-process.js'
import { kindsOf, type Latencies, sendKinds, type User } from '../hostile/others.js'
import { fillSeries } from '../hostile/series.js'
import { withStore } from '../influxdb/with-store.js'
import { fill } from '../load/fill.js'
import { summarizeLatencies } from '../load/latencies.js'
import type { BenchOptions } from '../options.js'
import type { Report, Row } from '../report.js'
import type { ServiceProcess } from '../service/service-process.js'
import { Session } from '../service/session.js'

const WHO = ['another namespace', 'the same'] as const
const UNDER_WAY = 8
const SERIES = 6_000
const OTHER_SERIES = 300
const SECONDS = 10_800
/** Keys of ordinary users. */
const READERS = 5
const LOGS = 50_000
const HOUR_NS = 3_600_000_000_000n
const WARM_UP_S = 3

async function makeUser(service: ServiceProcess, name: string, series: number): Promise<User & { readonly id: string }> {
  const session = await Session.operator(service)
  const { id } = await session.makeNamespace(name)
  const ingestKey = await session.makeKey(`${name} in`, 'ingest', [id])
  const queryKeys = await Promise.all(Array.from({ length: READERS }, (_, i) => session.makeKey(`${name} ${i}`, 'query', [id])))
  const target = { host: '127.0.0.1', port: service.port, apiKey: ingestKey }
  const endNs = BigInt(Date.now()) * 1_000_000n
  await fillSeries(target, series, SECONDS)
  await fill({ target, rows: LOGS, seed: 1, startNs: endNs - HOUR_NS, endNs, batch: 1_000, connections: 2 })
  return { url: service.url, queryKeys, ingestKey, id }
}

async function measureIn(service: ServiceProcess, { seconds, store }: BenchOptions): Promise<Report> {
  const hostile = await makeUser(service, 'hostile', SERIES)
  const patient = await makeUser(service, 'patient', OTHER_SERIES)
  const operator = await Session.operator(service)
  const key = await operator.makeKey('hostile queries', 'query', [hostile.id])
  const kinds = [...kindsOf(WHO[0], patient), ...kindsOf(WHO[1], hostile)]
  await sendKinds(kinds, WARM_UP_S)
  const alone = await sendKinds(kinds, seconds)
  const attack = AttackProcess.start(
    service.url,
    Array.from({ length: UNDER_WAY }, () => key)
  )
  await sleep(WARM_UP_S * 1_000)
  const meanwhile = await sendKinds(kinds, seconds)
  const notes = await attack.stop()
  const names = kinds.map(({ name }) => name)
  const groups = [
    ...WHO.map(who => names.filter(name => name.startsWith(who) && !name.includes('PromQL'))),
    ...names.map(name => [name])
  ]
  const rows = groups.map(group => rowOf(group, alone, meanwhile))
  return { title: `Beside ${UNDER_WAY} hostile queries (${store})`, rows, notes }
}

function rowOf(names: readonly string[], alone: Latencies, meanwhile: Latencies): Row {
  const [before, beside] = [alone, meanwhile].map(found => summarizeLatencies(names.flatMap(name => found.get(name)!)))
  return {
    request: names.length === 1 ? names[0]! : `${names[0]!.split(':')[0]}: all but PromQL`,
    sent: beside!.count,
    'alone p50': before!.p50,
    'alone p99': before!.p99,
    'meanwhile p50': beside!.p50,
    'meanwhile p99': beside!.p99,
    max: beside!.max
  }
}

/** What others wait while hostile PromQL is under way, and how that ends. */
export function measureHostile(options: BenchOptions): Promise<Report> {
  return withStore(options, service => measureIn(service, options))
}
