import { GatewayError } from '../../domain/errors.js'
import type { Namespace } from '../../domain/namespace.js'
import { FOUND_EVENT_TYPES, type ServiceEvent } from '../../domain/service-event.js'
import { firstMsFrom, resolveWindow, type ResolvedWindow } from '../../domain/time-range.js'
import type { Clock } from '../../ports/clock.js'
import type { ServiceEventRequest, ServiceEvents } from '../../ports/service-events.js'
import { boundedCount } from '../bounds.js'

const DEFAULT_EVENTS = 50
const MOST_EVENTS = 500
const MOST_TYPES = 50
const DEFAULT_WINDOW_MS = 24 * 3_600_000
const CURSOR = /^(\d{1,15})\.([^]{1,128})$/

/** Which events. Times in any form that `resolveWindow` reads. */
export interface ServiceEventsQuery {
  readonly start?: unknown
  readonly end?: unknown
  /** Absent: all that senders report. Those that the service finds are listed by name alone. */
  readonly types?: readonly string[] | undefined
  readonly service?: string | undefined
  readonly environment?: string | undefined
  /** 0 to 500; default 50. */
  readonly limit?: number | undefined
  /** How the caller knows `limit`. */
  readonly limitName?: string
  /** A cursor of an event: only those that are listed after it. */
  readonly after?: string | undefined
}

/** A page of events, newest first. */
export interface ServiceEventPage {
  readonly events: readonly ServiceEvent[]
  readonly window: ResolvedWindow
  readonly nextCursor: string | null
  readonly hasMore: boolean
  readonly limit: number
  readonly tookMs: number
}

/** The place of an event in the list, as an opaque string. It contains nothing but the event's time and id. */
export function serviceEventCursor({ atMs, id }: Pick<ServiceEvent, 'atMs' | 'id'>): string {
  return Buffer.from(`${atMs}.${id}`).toString('base64url')
}

function parseCursor(cursor: string): NonNullable<ServiceEventRequest['before']> {
  const match = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('utf8'))
  if (match) return { atMs: Number(match[1]), id: match[2]! }
  throw new GatewayError('invalid_field', 'after is not a cursor of events', { field: 'after' })
}

/** Lists deployments and other events of services: `GET /api/v1/events`, `serviceEvents` of GraphQL. */
export class ServiceEventReport {
  readonly #events: Pick<ServiceEvents, 'list'>
  readonly #clock: Pick<Clock, 'nowNs' | 'monotonicMs'>

  constructor(events: Pick<ServiceEvents, 'list'>, clock: Pick<Clock, 'nowNs' | 'monotonicMs'>) {
    this.#events = events
    this.#clock = clock
  }

  /** Events of the window, of the last 24 hours by default. Throws `invalid_time_range`, `invalid_field`. */
  async list(ns: Namespace, query: ServiceEventsQuery): Promise<ServiceEventPage> {
    const startedMs = this.#clock.monotonicMs()
    const { types, service, environment, after, limitName = 'limit' } = query
    const window = resolveWindow(query.start, query.end, this.#clock.nowNs(), DEFAULT_WINDOW_MS)
    const limit = boundedCount(query.limit, limitName, { least: 0, most: MOST_EVENTS, otherwise: DEFAULT_EVENTS })
    if (types !== undefined && types.length > MOST_TYPES)
      throw new GatewayError('invalid_field', `type must not exceed ${MOST_TYPES} values (got ${types.length})`, {
        field: 'type'
      })
    const found = await this.#events.list(ns.id, {
      ...{ types, service, environment, limit: limit + 1 },
      ...(types === undefined && { exceptTypes: FOUND_EVENT_TYPES }),
      fromMs: firstMsFrom(window.startNs),
      toMs: firstMsFrom(window.endNs),
      before: after === undefined ? undefined : parseCursor(after)
    })
    const events = found.slice(0, limit)
    const hasMore = found.length > limit
    const last = events.at(-1)
    const nextCursor = hasMore && last !== undefined ? serviceEventCursor(last) : null
    return { events, window, nextCursor, hasMore, limit, tookMs: this.#clock.monotonicMs() - startedMs }
  }
}
