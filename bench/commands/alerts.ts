import { setTimeout as sleep } from 'node:timers/promises'
import { AlertSite, bucketOf } from '../alerts/alert-site.js'
import { openProbe, type Probe } from '../alerts/probe.js'
import type { BenchOptions } from '../options.js'
import type { Report, Row } from '../report.js'
import { ServiceProcess } from '../service/service-process.js'
import { withTemporaryFolder } from '../service/temporary-folder.js'

const HOSTILE_RULES = 450
/** Each reads a whole namespace 600 times. */
const HOSTILE = 'count(count_over_time({__name__=~".+"}[1h:6s])) by (host, zone) > bool 1e9'
const RESTART_POLL_MS = 20

/** Cost and lateness of 1,000 rules, hostile rules next to them, a restart, a backtest. */
export async function measureAlerts(options: BenchOptions): Promise<Report> {
  return withTemporaryFolder('alidade-bench', dataDir => measure(dataDir, options))
}

function startService(dataDir: string, { nodeArgs }: BenchOptions): Promise<ServiceProcess> {
  return ServiceProcess.start({ dataDir, nodeArgs, env: { ALIDADE_WEBHOOK_ALLOW: '127.0.0.1' } })
}

async function measure(dataDir: string, options: BenchOptions): Promise<Report> {
  const { seconds, seed } = options
  let service = await startService(dataDir, options)
  let probe: Probe | null = null
  try {
    const site = await AlertSite.open(service, seed)
    const rows: Row[] = []
    const measured = (row: Row): void => {
      rows.push(row)
      // A run takes minutes: what was measured is known when a later phase fails.
      process.stderr.write(`${JSON.stringify(row)}\n`)
    }
    measured(await phase('load alone', site, seconds, null))
    const rules = await site.storeRules()
    const [quiet, hostile] = [site.namespaces[0]!, site.namespaces[1]!]
    probe = await openProbe(site, quiet)
    // The first evaluations of all rules are not those of a service that runs.
    await site.load(60)
    measured(await phase(`load and ${rules} rules`, site, seconds, probe))
    const group = await site.call<{ id: string }>(hostile, 'POST', '/api/v1/alerts/groups', { name: 'hostile', interval: '10s' })
    for (let n = 0; n < HOSTILE_RULES; n++) {
      await site.call(hostile, 'POST', '/api/v1/alerts/rules', { alert: `H${n}`, expr: HOSTILE, group_id: group.id })
    }
    await site.load(20)
    measured(await phase('and hostile rules of one namespace', site, seconds, probe))
    await site.call(hostile, 'DELETE', `/api/v1/alerts/groups/${group.id}`)
    const backtestMs = await backtest(site)
    await service.stop('SIGKILL')
    const startedMs = performance.now()
    service = await startService(dataDir, options)
    const readyMs = performance.now() - startedMs
    const firstMs = await untilEvaluated(service, startedMs)
    return {
      title: `Alerts: ${rules} rules each minute, 20 namespaces`,
      rows,
      notes: [
        `backtest over 7 d at 1 min, 100 series: ${backtestMs.map(ms => Math.round(ms)).join(', ')} ms`,
        `kill -9: ready after ${Math.round(readyMs)} ms, first evaluation after ${Math.round(firstMs)} ms`
      ]
    }
  } finally {
    await service.stop()
    await probe?.close()
  }
}

async function phase(name: string, site: AlertSite, seconds: number, probe: Probe | null): Promise<Row> {
  const before = {
    cpu: site.service.cpu(),
    late: await site.lateness(),
    steps: await site.steps(),
    probes: probe?.delaysMs.length ?? 0
  }
  await site.load(seconds)
  const cpu = site.service.cpu()
  const late = await site.lateness()
  const delays = (probe?.delaysMs.slice(before.probes) ?? []).toSorted((a, b) => a - b)
  const share = (100 * (cpu.http + cpu.store - before.cpu.http - before.cpu.store)) / seconds
  const at = (part: number): number | null => delays[Math.floor((delays.length - 1) * part)] ?? null
  return {
    phase: name,
    'CPU, % of a core': share,
    'steps/s': ((await site.steps()) - before.steps) / seconds,
    'late p50, s at most': probe && bucketOf(before.late, late, 0.5),
    'late p99, s at most': probe && bucketOf(before.late, late, 0.99),
    'firing to receiver p50, ms': at(0.5),
    'worst, ms': at(1)
  }
}

/** A backtest, three times; milliseconds. */
async function backtest(site: AlertSite): Promise<readonly number[]> {
  await site.fillWeek()
  const rule = { alert: 'Week', expr: 'week_load > 85', for: '5m' }
  const took: number[] = []
  for (let round = 0; round < 3; round++) {
    const startedMs = performance.now()
    const { complete } = await site.call<{ complete: boolean }>(site.namespaces[0]!, 'POST', '/api/v1/alerts/backtest', {
      rule,
      start: 'now-7d'
    })
    if (!complete) throw new Error('the backtest is not complete')
    took.push(performance.now() - startedMs)
  }
  return took
}

async function untilEvaluated(service: ServiceProcess, startedMs: number): Promise<number> {
  for (;;) {
    const text = await (await fetch(`${service.url}/metrics`)).text()
    if (/^alidade_alert_evaluation_steps_total [1-9]/m.test(text)) return performance.now() - startedMs
    await sleep(RESTART_POLL_MS)
  }
}
