import type { Access } from '../access/access.js'
import { RetentionJob } from '../access/retention.js'
import type { Namespace } from '../domain/namespace.js'
import type { Clock } from '../ports/clock.js'
import type { OpenedStores } from '../stores/open.js'
import { repeat } from '../telemetry/repeat.js'

const MINUTE_MS = 60_000
const RETENTION_EVERY_MS = 60 * MINUTE_MS

/** Told about faults of work behind the answers. */
export type OnError = (error: unknown, what: string) => void

/** Work that goes on behind the answers. */
export interface Housekeeping {
  /** Resolves when what was under way has ended. */
  stop(): Promise<void>
}

function createRetention(stores: OpenedStores, clock: Clock, onError: OnError): () => Promise<void> {
  let namespaces: readonly Namespace[] = []
  const { logs, metrics, events, traces } = stores.telemetry
  const job = new RetentionJob({
    logs,
    metrics,
    events,
    traces,
    exemplars: stores.control.exemplars,
    clock,
    namespaces: () => namespaces,
    onError: (error, namespace) => onError(error, `retention of ${namespace}`)
  })
  return async () => {
    namespaces = await stores.control.namespaces.all()
    await job.runOnce()
  }
}

/** Removes what is older than its retention at once and every hour, and lets identity tidy up every minute. */
export function startHousekeeping(stores: OpenedStores, access: Access, clock: Clock, onError: OnError): Housekeeping {
  const retention = createRetention(stores, clock, onError)
  const first = retention().catch((error: unknown) => onError(error, 'retention'))
  const rounds = [
    repeat(RETENTION_EVERY_MS, retention, error => onError(error, 'retention')),
    repeat(
      MINUTE_MS,
      () => access.housekeeping(),
      error => onError(error, 'housekeeping of identity')
    )
  ]
  return {
    stop: async () => {
      await Promise.all(rounds.map(round => round.stop()))
      await first
    }
  }
}
