import { runLoad } from '../load/run-load.js'
import type { BenchOptions } from '../options.js'
import type { Report, Row } from '../report.js'
import type { ServiceProcess } from '../service/service-process.js'
import { Session } from '../service/session.js'
import { targetOf, withService } from './with-service.js'

const ROWS_PER_SECOND = 1_000
const BATCH = 100
/** Long enough that each step of a minute is computed. */
const LEAST_SECONDS = 90

/** Measures that are saved next to the load. */
interface Case {
  readonly name: string
  readonly count: number
  readonly step: string
}

const CASES: readonly Case[] = [
  { name: 'none', count: 0, step: '1m' },
  { name: '10x1m', count: 10, step: '1m' },
  { name: '50x1m', count: 50, step: '1m' },
  { name: '10x10s', count: 10, step: '10s' },
  { name: '50x10s', count: 50, step: '10s' }
]

/** CPU of saved measures of `duration_ms` by `service`, histograms, next to 1,000 logs a second, for `--seconds` each. */
export function measureMeasures(options: BenchOptions): Promise<Report> {
  const seconds = Math.max(options.seconds, LEAST_SECONDS)
  const cases = CASES.filter(({ name }) => options.only.length === 0 || options.only.includes(name))
  return withService(options, async service => {
    const session = await Session.operator(service)
    const rows: Row[] = []
    for (const each of cases) rows.push(await measureCase(service, session, each, { ...options, seconds }))
    const note = 'CPU is user + system time of the case; `behind` is the measure that is furthest behind at its end.'
    return { title: `Saved measures next to ${ROWS_PER_SECOND} logs/s`, rows, notes: [note] }
  })
}

async function measureCase(service: ServiceProcess, session: Session, given: Case, options: BenchOptions): Promise<Row> {
  const names = Array.from({ length: given.count }, (_, i) => `bench_${given.step}_${given.count}_${i}`)
  for (const name of names) {
    const measure = { name, fn: 'histogram', field: 'duration_ms', group_by: ['service'], step: given.step }
    await session.call('POST', '/api/v1/measures', measure)
  }
  const before = service.cpu()
  await load(service, options)
  const after = service.cpu()
  const behindS = await furthestBehindS(session)
  for (const name of names) await session.call('DELETE', `/api/v1/measures/${name}`)
  const share = (seconds: number): number => (seconds / options.seconds) * 100
  return {
    measures: given.name,
    'gateway CPU %': share(after.http - before.http),
    'store CPU %': share(after.store - before.store),
    'behind s': behindS
  }
}

async function load(service: ServiceProcess, { seed, seconds }: BenchOptions): Promise<void> {
  const pace = { connections: 4, rate: ROWS_PER_SECOND, seconds }
  await runLoad({ kind: 'logs', target: targetOf(service), batch: BATCH, seed, warmUpSeconds: 0, pace }, () => undefined)
}

/** Seconds from the latest step of the slowest measure until now; null without any. */
async function furthestBehindS(session: Session): Promise<number | null> {
  const { measures } = await session.call<{ measures: readonly { counted_until: string }[] }>('GET', '/api/v1/measures')
  const oldestMs = Math.min(...measures.map(measure => Date.parse(measure.counted_until)))
  return measures.length === 0 ? null : (Date.now() - oldestMs) / 1_000
}
