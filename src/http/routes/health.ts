import type { FastifyInstance, FastifyReply } from 'fastify'
import { PROMETHEUS_BASES } from '../prometheus/handle-endpoint.js'
import { described, FLAG, list, NULLABLE_NUMBER, object, objectWith, type Static, TEXT } from '../json-schema.js'
import type { JobFailures } from '../../ports/background-jobs.js'
import type { StoreHealth } from '../../ports/stores.js'

/** Dependencies of `healthRoutes`. */
export interface HealthDeps {
  /** Health of every store that the service needs. */
  readonly stores: () => Promise<readonly StoreHealth[]>
  /** Background jobs that failed repeatedly and have not succeeded since. */
  readonly failingJobs: () => readonly JobFailures[]
  /** Whether the service is stopping. */
  readonly isStopping: () => boolean
}

const STORE = objectWith(['name', 'healthy', 'latency_ms', 'detail'], {
  name: TEXT,
  healthy: FLAG,
  latency_ms: NULLABLE_NUMBER,
  detail: { ...TEXT, description: 'Why it is unhealthy, or what it recovered from; empty when healthy.' },
  acks: {
    ...FLAG,
    description:
      'Present while the store is unhealthy: whether writes are still acknowledged (spooled, or only reads are affected).'
  }
})

const JOB = object({
  job: { ...TEXT, description: 'Name of the job, as in the log and in `alidade_background_job_failures_total`.' },
  failures: { type: 'integer', description: 'Failures since the last success.' } as const,
  failing_since: { type: 'string', format: 'date-time' } as const
})

const READINESS = object({
  status: { type: 'string', enum: ['ready', 'degraded', 'unready', 'stopping'] } as const,
  stores: list(STORE),
  failing_jobs: {
    ...list(JOB),
    description: 'Background jobs that failed at least twice and have not succeeded since; the log has the cause.'
  }
})

const LIVE_SCHEMA = {
  operationId: 'getLiveness',
  tags: ['operations'],
  response: {
    200: described('The process accepts requests.', object({ status: { type: 'string', const: 'live' } as const }))
  }
}

const READY_SCHEMA = {
  operationId: 'getReadiness',
  tags: ['operations'],
  response: {
    200: {
      description:
        'Requests can be served; `degraded`: reads of some stores return 503 and writes to them are spooled, or responses miss records of a damaged file, or background jobs fail.',
      ...READINESS
    },
    503: {
      description: 'A required store is unhealthy and its writes cannot be spooled, or the service is shutting down.',
      ...READINESS
    }
  }
}

function jobJson({ job, failuresInARow, failingSinceMs }: JobFailures): Static<typeof JOB> {
  return { job, failures: failuresInARow, failing_since: new Date(failingSinceMs!).toISOString() }
}

/** A balancer should go on to send writes here while they can wait. */
function readiness(stores: readonly StoreHealth[], failingJobs: readonly JobFailures[]): 'ready' | 'degraded' | 'unready' {
  if (stores.every(({ healthy }) => healthy)) return failingJobs.length === 0 ? 'ready' : 'degraded'
  return stores.every(({ healthy, acks }) => healthy || acks === true) ? 'degraded' : 'unready'
}

const TEXT_200 = { description: 'The check succeeded.', content: { 'text/plain': { schema: { type: 'string' } } } }
const PROMETHEUS_CHECKS = [
  { path: 'healthy', operationId: 'promqlHealthy', states: 'Healthy' },
  { path: 'ready', operationId: 'promqlReady', states: 'Ready' }
] as const

/** `/-/healthy` and `/-/ready` below the bases of Prometheus's API, open as those of Prometheus are. */
function prometheusChecks(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  for (const base of PROMETHEUS_BASES) {
    for (const { path, operationId, states } of PROMETHEUS_CHECKS) {
      const unready = { ...TEXT_200, description: 'The service is not ready.' }
      const shown = { operationId, tags: ['operations'], response: { 200: TEXT_200, 503: unready } }
      const schema = base === PROMETHEUS_BASES[0] ? shown : { hide: true }
      app.get(`${base}/-/${path}`, { schema }, async (_request, reply) => {
        const isFine = path === 'healthy' || (await isReady())
        void reply
          .code(isFine ? 200 : 503)
          .type('text/plain; charset=utf-8')
          .header('cache-control', 'no-store')
        return isFine ? `Alidade is ${states}.\n` : 'Service Unavailable'
      })
    }
  }
}

/** Registers `/health/live` and `/health/ready` below `/api/v1` and, hidden, at the root. */
export function healthRoutes(app: FastifyInstance, deps: HealthDeps): void {
  const state = async () => {
    const stores = await deps.stores()
    const failingJobs = deps.failingJobs()
    const status = deps.isStopping() ? ('stopping' as const) : readiness(stores, failingJobs)
    return { stores, failingJobs, status, isFine: status === 'ready' || status === 'degraded' }
  }
  const ready = async (_request: unknown, reply: FastifyReply): Promise<Static<typeof READINESS>> => {
    const { stores, failingJobs, status, isFine } = await state()
    void reply.code(isFine ? 200 : 503).header('cache-control', 'no-store')
    return {
      status,
      stores: stores.map(({ latencyMs, diagnosis: _forOperators, ...store }) => ({ ...store, latency_ms: latencyMs })),
      failing_jobs: failingJobs.map(jobJson)
    }
  }
  for (const [prefix, hide] of [
    ['/api/v1', false],
    ['', true]
  ] as const) {
    app.get(`${prefix}/health/live`, { schema: { ...LIVE_SCHEMA, hide } }, async () => ({ status: 'live' }))
    app.get(`${prefix}/health/ready`, { schema: { ...READY_SCHEMA, hide } }, ready)
  }
  prometheusChecks(app, async () => (await state()).isFine)
}
