/** What the shop is like at one moment. */
export interface Chapter {
  readonly name: 'calm' | 'deploy' | 'incident' | 'rollback'
  readonly release: string
  /** Share of checkout requests that fail. */
  readonly errorRate: number
  /** Multiplies the latency of the payment path. */
  readonly slowdown: number
  /** Requests a second, all services. */
  readonly traffic: number
}

const GOOD = '2.14.0'
const BAD = '2.15.0'
const CYCLE_SECONDS = 1_200
const DEPLOY_AT = 540
const INCIDENT_AT = 570
const ROLLBACK_AT = 900
const RECOVERED_AT = 930

/** Traffic swings slowly around its mean, as a shop's does. */
function traffic(atSeconds: number): number {
  return 6 + 2 * Math.sin((2 * Math.PI * atSeconds) / 1_800)
}

/**
 * The story repeats every twenty minutes: calm, a deploy of 2.15.0, half a minute later errors and latency rise in
 * checkout and payments, a rollback after some six minutes, calm again. `atSeconds` is Unix time minus `originSeconds`.
 */
export function chapterAt(atSeconds: number): Chapter {
  const at = ((atSeconds % CYCLE_SECONDS) + CYCLE_SECONDS) % CYCLE_SECONDS
  const base = { traffic: traffic(atSeconds) }
  if (at < DEPLOY_AT || at >= RECOVERED_AT) return { ...base, name: 'calm', release: GOOD, errorRate: 0.01, slowdown: 1 }
  if (at < INCIDENT_AT) return { ...base, name: 'deploy', release: BAD, errorRate: 0.03, slowdown: 1.3 }
  if (at < ROLLBACK_AT) return { ...base, name: 'incident', release: BAD, errorRate: 0.28, slowdown: 5 }
  return { ...base, name: 'rollback', release: GOOD, errorRate: 0.06, slowdown: 1.6 }
}

/** Whether the deploy or the rollback begins in this second, and of which release. */
export function releaseStarting(atSeconds: number): { readonly release: string; readonly isRollback: boolean } | null {
  const at = ((atSeconds % CYCLE_SECONDS) + CYCLE_SECONDS) % CYCLE_SECONDS
  if (at === DEPLOY_AT) return { release: BAD, isRollback: false }
  if (at === ROLLBACK_AT) return { release: GOOD, isRollback: true }
  return null
}

/** How long ago the newest whole incident before this second of the story began and ended, in seconds. */
export function lastIncident(atSeconds: number): { readonly beganAgo: number; readonly endedAgo: number } {
  const sinceRollback = (((atSeconds - ROLLBACK_AT) % CYCLE_SECONDS) + CYCLE_SECONDS) % CYCLE_SECONDS
  return { beganAgo: sinceRollback + ROLLBACK_AT - INCIDENT_AT, endedAgo: sinceRollback }
}

/** Seconds into the story at which the live part should begin, so that the next deploy is a minute away. */
export const LIVE_STARTS_AT = DEPLOY_AT - 60
