import { parseName } from '../../../access/accounts.js'
import { GatewayError } from '../../../domain/errors.js'
import type { Namespace } from '../../../domain/namespace.js'
import type { UserPrincipal } from '../../../domain/principal.js'
import type { MuteTime } from '../../../domain/alerts/silence.js'
import { parseIntervals } from '../route/mute-time.js'
import { MAX_INTERVALS_BYTES, MAX_MUTE_TIMES } from './notify-limits.js'
import { auditedWrite } from '../../../access/audited-write.js'
import type { NotifyServiceDeps } from './notify-service-deps.js'
import { routedNames } from './routed-names.js'

/** A mute time as it was written. */
export interface MuteTimeView {
  readonly name: string
  readonly intervals: readonly object[]
}

function toView({ name, intervals }: Pick<MuteTime, 'name' | 'intervals'>): MuteTimeView {
  return { name, intervals: JSON.parse(intervals) as readonly object[] }
}

/** The JSON of intervals that are valid. */
function intervalsText(intervals: unknown): string {
  const text = JSON.stringify(intervals)
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_INTERVALS_BYTES) {
    const detail = `intervals exceed ${MAX_INTERVALS_BYTES} bytes of JSON (got ${bytes})`
    throw new GatewayError('invalid_field', detail, { field: 'intervals' })
  }
  parseIntervals(intervals, 'intervals')
  return text
}

/** Named times at which routes do not notify. Members write them. */
export class MuteTimeService {
  readonly #deps: NotifyServiceDeps

  constructor(deps: NotifyServiceDeps) {
    this.#deps = deps
  }

  /** By name. */
  async list(ns: Namespace): Promise<readonly MuteTimeView[]> {
    return (await this.#deps.store.notificationRules.muteTimes(ns.id)).map(toView)
  }

  /** Stores a mute time, or replaces the one of this name. `quota_exceeded` beyond `MAX_MUTE_TIMES`. */
  async save(
    principal: UserPrincipal,
    namespace: Namespace,
    written: { name: string; intervals: unknown }
  ): Promise<MuteTimeView> {
    const name = parseName(written.name)
    if (name === null) throw new GatewayError('missing_field', 'name is required', { field: 'name' })
    const muteTime = { namespaceId: namespace.id, name, intervals: intervalsText(written.intervals) }
    return auditedWrite(this.#deps, { principal, namespace, role: 'member' }, async ports => {
      const stored = await ports.notificationRules.muteTimes(namespace.id)
      if (stored.length >= MAX_MUTE_TIMES && !stored.some(other => other.name === name)) {
        throw new GatewayError('quota_exceeded', `a namespace has at most ${MAX_MUTE_TIMES} mute times; delete some`)
      }
      await ports.notificationRules.putMuteTime(muteTime)
      return { result: toView(muteTime), event: { action: 'mute_time.saved' } as const }
    })
  }

  /** `conflict` while the routing uses it, `not_found` for an unknown name. */
  remove(principal: UserPrincipal, namespace: Namespace, name: string): Promise<void> {
    return auditedWrite(this.#deps, { principal, namespace, role: 'member' }, async ports => {
      if ((await routedNames(ports, namespace.id)).muteTimes.has(name)) {
        throw new GatewayError('conflict', `the routing uses the mute time ${name}; remove it from the routing first`)
      }
      if (!(await ports.notificationRules.removeMuteTime(namespace.id, name))) {
        throw new GatewayError('not_found', 'no mute time of this namespace has this name', { field: 'name' })
      }
      return { result: undefined, event: { action: 'mute_time.deleted' } as const }
    })
  }
}
