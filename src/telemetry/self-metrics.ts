import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { JobFailures, JobMonitor } from '../ports/background-jobs.js'
import type { EvaluationFigures } from '../ports/evaluation-figures.js'
import type { UsageDelta, UsageLedger } from '../ports/usage-ledger.js'
import { countEvaluations } from './alert-metrics.js'

/** Numbers of the service about itself. No label names a namespace: `/metrics` is an open page. */
export interface SelfMetrics {
  /** Content type and text of a scrape. */
  scrape(): Promise<{ readonly contentType: string; readonly text: string }>
  requestFinished(finished: { method: string; route: string; status: number; durationMs: number }): void
  /** Counts an evaluation of an alert rule. */
  evaluationFinished(figures: EvaluationFigures): void
  /** A ledger that also counts what passes through it. */
  counting(ledger: UsageLedger): UsageLedger
  /** Shows a number that is read at each scrape. */
  show(name: string, help: string, read: () => number): void
  /** Stops what gathers in the background. */
  close(): void
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const NAME = /[^a-z0-9_]/gi

/** Shows the engines' numbers as `alidade_store_<name>`, read at each scrape. */
function storeGauges(registry: Registry, read: () => Promise<Readonly<Record<string, number>>>): () => Promise<void> {
  const gauges = new Map<string, Gauge>()
  return async () => {
    for (const [name, value] of Object.entries(await read())) {
      const metric = `alidade_store_${name.replace(NAME, '_')}`
      const gauge = gauges.get(metric) ?? new Gauge({ name: metric, help: `${name} of the stores`, registers: [registry] })
      gauges.set(metric, gauge)
      gauge.set(value)
    }
  }
}

function createCounters(registry: Registry) {
  const registers = [registry]
  return {
    requests: new Counter({
      name: 'alidade_http_requests_total',
      help: 'Finished requests',
      labelNames: ['method', 'route', 'status'],
      registers
    }),
    durations: new Histogram({
      name: 'alidade_http_request_duration_seconds',
      help: 'Time from the request line to the end of the response',
      labelNames: ['method', 'route'],
      buckets: SECONDS,
      registers
    }),
    records: new Counter({
      name: 'alidade_ingest_records_total',
      help: 'Records received, by signal and outcome',
      labelNames: ['signal', 'outcome'],
      registers
    }),
    bytes: new Counter({
      name: 'alidade_ingest_bytes_total',
      help: 'Decompressed bytes received',
      labelNames: ['signal'],
      registers
    })
  }
}

interface ResponseSeries {
  readonly requests: Counter.Internal
  readonly durations: Histogram.Internal<string>
}

/** The series of a result, looked up once: finding them by their labels costs more than counting. Methods, routes and statuses are few. */
function responsesOf(requests: Counter, durations: Histogram): (method: string, route: string, status: number) => ResponseSeries {
  const known = new Map<string, ResponseSeries>()
  return (method, route, status) => {
    const key = `${method} ${route} ${status}`
    const found = known.get(key)
    if (found) return found
    const series = { requests: requests.labels(method, route, String(status)), durations: durations.labels(method, route) }
    known.set(key, series)
    return series
  }
}

/** Shows how often each background job failed, read at each scrape. */
function showJobs(registry: Registry, read: () => readonly JobFailures[]): void {
  const labels = { labelNames: ['job'], registers: [registry] }
  const failures: Counter = new Counter({
    name: 'alidade_background_job_failures_total',
    help: 'Failures of background jobs since the start',
    ...labels,
    collect: () => {
      failures.reset()
      for (const { job, failures: count } of read()) failures.inc({ job }, count)
    }
  })
  const inARow: Gauge = new Gauge({
    name: 'alidade_background_job_failures_in_a_row',
    help: 'Failures of background jobs since their last success',
    ...labels,
    collect: () => {
      for (const { job, failuresInARow } of read()) inARow.set({ job }, failuresInARow)
    }
  })
}

/** What the service's own metrics are read from at each scrape. */
export interface MetricSources {
  /** Numbers of the engines. */
  readonly gauges: () => Promise<Readonly<Record<string, number>>>
  /** How often each background job failed. */
  readonly jobs: () => readonly JobFailures[]
  /** Reports how reading the numbers of the engines goes. */
  readonly gaugesJob: JobMonitor
}

/** Gathers the service's own metrics in a registry of its own. */
export function createSelfMetrics(version: string, { gauges, jobs, gaugesJob }: MetricSources): SelfMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({ name: 'alidade_build_info', help: 'Version of the service', labelNames: ['version'], registers: [registry] }).set(
    { version },
    1
  )
  const { requests, durations, records, bytes } = createCounters(registry)
  const responses = responsesOf(requests, durations)
  const refreshGauges = storeGauges(registry, gauges)
  showJobs(registry, jobs)
  const evaluationFinished = countEvaluations(registry)

  const count = ({ signal, stored, rejected, deduplicated, dropped, bytes: size }: UsageDelta): void => {
    records.inc({ signal, outcome: 'accepted' }, stored)
    records.inc({ signal, outcome: 'rejected' }, rejected)
    records.inc({ signal, outcome: 'deduplicated' }, deduplicated)
    records.inc({ signal, outcome: 'dropped' }, dropped)
    bytes.inc({ signal }, size)
  }
  return {
    async scrape() {
      // An engine that does not respond must not take the rest of the page with it.
      await refreshGauges().then(
        () => gaugesJob.succeeded(),
        (error: unknown) => gaugesJob.failed(error)
      )
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
    requestFinished({ method, route, status, durationMs }) {
      const of = responses(method, route, status)
      of.requests.inc(1)
      of.durations.observe(durationMs / 1000)
    },
    evaluationFinished,
    counting: ledger => ({
      add: async deltas => {
        await ledger.add(deltas)
        deltas.forEach(count)
      },
      of: (namespaceId, from, to) => ledger.of(namespaceId, from, to)
    }),
    show(name, help, read) {
      const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) })
    },
    close: () => registry.clear()
  }
}
