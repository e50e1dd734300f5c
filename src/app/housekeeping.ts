import type { Access } from '../access/access.js'
import { RetentionJob } from '../access/retention.js'
import type { Namespace } from '../domain/namespace.js'
import type { BackgroundJobs } from '../ports/background-jobs.js'
import type { Clock } from '../ports/clock.js'
import type { OpenedStores } from '../stores/assemble/open.js'
import type { FirstRunWatch } from './first-run-watch.js'

const MINUTE_MS = 60_000
const RETENTION_EVERY_MS = 60 * MINUTE_MS

/** Name among the background jobs. */
const RETENTION = 'retention'

/** Work that goes on behind the responses. */
export interface Housekeeping {
  /** Resolves when what was in progress has ended. */
  stop(): Promise<void>
}

function createRetention(stores: OpenedStores, clock: Clock, jobs: BackgroundJobs): () => Promise<void> {
  let namespaces: readonly Namespace[] = []
  const { logs, metrics, events, traces } = stores.telemetry
  const job = new RetentionJob({
    logs,
    metrics,
    events,
    traces,
    exemplars: stores.control.exemplars,
    ...{ streams: stores.control.streams, hosts: stores.control.hosts },
    clock,
    namespaces: () => namespaces,
    onError: (error, namespace) => jobs.monitor(RETENTION).failed(error, { namespace })
  })
  return async () => {
    namespaces = await stores.control.namespaces.all()
    await job.runOnce()
  }
}

/** Removes what is older than its retention at once and every hour, and lets identity tidy up every minute. */
export function startHousekeeping(
  stores: OpenedStores,
  { access, firstRun }: { readonly access: Access; readonly firstRun: FirstRunWatch },
  clock: Clock,
  jobs: BackgroundJobs
): Housekeeping {
  const retention = createRetention(stores, clock, jobs)
  const first = jobs.run(RETENTION, retention)
  const rounds = [
    jobs.repeat(RETENTION, RETENTION_EVERY_MS, retention),
    jobs.repeat('identity_housekeeping', MINUTE_MS, () => access.housekeeping()),
    jobs.repeat('first_run_file', MINUTE_MS, () => firstRun.check())
  ]
  return {
    stop: async () => {
      await Promise.all(rounds.map(round => round.stop()))
      await first
    }
  }
}
