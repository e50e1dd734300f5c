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
/**
 * Hostile queries in flight: as many as the limit of one key, and one after the other. The first ones read data that is not
 * cached yet.
 */
const IN_FLIGHT = [8, 1] as const
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
  const attacked: Latencies[] = []
  const notes: string[] = []
  for (const count of IN_FLIGHT) {
    const attack = AttackProcess.start(
      service.url,
      Array.from({ length: count }, () => key)
    )
    await sleep(WARM_UP_S * 1_000)
    attacked.push(await sendKinds(kinds, seconds))
    notes.push(...(await attack.stop()).map(note => `${count} at once: ${note}`))
  }
  const names = kinds.map(({ name }) => name)
  const groups = [
    ...WHO.map(who => names.filter(name => name.startsWith(who) && !name.includes('PromQL'))),
    ...names.map(name => [name])
  ]
  return { title: `With hostile queries (${store})`, rows: groups.map(group => rowOf(group, alone, attacked)), notes }
}

function rowOf(names: readonly string[], alone: Latencies, attacked: readonly Latencies[]): Row {
  const request = names.length === 1 ? names[0]! : `${names[0]!.split(':')[0]}: all but PromQL`
  const cells = [alone, ...attacked].map((found, i) => {
    const { p50, p99, max } = summarizeLatencies(names.flatMap(name => found.get(name)!))
    const when = i === 0 ? 'alone' : `with ${IN_FLIGHT[i - 1]}`
    return { [`${when}: p50`]: p50, [`${when}: p99`]: p99, [`${when}: max`]: max }
  })
  return Object.assign({ request }, ...cells) as Row
}

/** Latency of other users while hostile PromQL queries are in flight, and the outcome of those. */
export function measureHostile(options: BenchOptions): Promise<Report> {
  return withStore(options, service => measureIn(service, options))
}
