import { GatewayError } from '../domain/errors.js'
import type { Principal } from '../domain/principal.js'
import type { Clock } from '../ports/clock.js'
import type { ControlStore } from '../ports/control-store.js'
import type { UsageDelta } from '../ports/usage-ledger.js'
import type { RecordSpool, WaitingRecords } from '../ports/record-spool.js'
import type { Authorizer } from './authorizer.js'

/** Sums of one day and signal: `received = stored + rejected + deduplicated + dropped + spooled`. */
export interface UsageRow extends Omit<UsageDelta, 'namespaceId'> {
  readonly received: number
  /** Acknowledged, and waiting on the disk of this gateway for a store that does not respond. */
  readonly spooled: number
}

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 30
const MAX_DAYS = 366
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** What a namespace sent, day by day, for its members. */
export class UsageService {
  readonly #store: ControlStore
  readonly #authorizer: Authorizer
  readonly #clock: Clock
  readonly #waiting: RecordSpool['waiting']

  constructor(store: ControlStore, authorizer: Authorizer, clock: Clock, waiting: RecordSpool['waiting']) {
    this.#store = store
    this.#authorizer = authorizer
    this.#clock = clock
    this.#waiting = waiting
  }

  /** Days `from` to `to` inclusive as `YYYY-MM-DD`; default the last 30. `invalid_time_range` when they are not days in order. */
  async of(
    principal: Principal,
    namespaceId: string,
    days: { readonly from?: string; readonly to?: string }
  ): Promise<{ readonly from: string; readonly to: string; readonly rows: readonly UsageRow[] }> {
    const ns = this.#authorizer.idOf(namespaceId)
    await this.#authorizer.requireRole(principal, ns, 'viewer')
    const to = days.to === undefined ? this.#clock.nowMs() : parseDay(days.to, 'to')
    const from = days.from === undefined ? to - (DEFAULT_DAYS - 1) * DAY_MS : parseDay(days.from, 'from')
    if (from > to) throw invalidRange('from must not be after to')
    if (to - from >= MAX_DAYS * DAY_MS) throw invalidRange(`at most ${MAX_DAYS} days at once`)
    const [first, last] = [formatDay(from), formatDay(to)]
    // What is replayed in between is then counted twice rather than not at all, until the next look.
    const waiting = this.#waiting(ns).filter(({ day }) => day >= first && day <= last)
    const rows = await this.#store.usage.of(ns, first, last)
    return { from: first, to: last, rows: toRows(rows, waiting) }
  }
}

function toRows(stored: readonly UsageDelta[], waiting: readonly WaitingRecords[]): UsageRow[] {
  const rows = new Map<string, UsageRow>()
  for (const { namespaceId: _ns, ...row } of stored) {
    const received = row.stored + row.rejected + row.deduplicated + row.dropped
    rows.set(`${row.day} ${row.signal}`, { ...row, received, spooled: 0 })
  }
  for (const { day, signal, records } of waiting) {
    const row = rows.get(`${day} ${signal}`) ?? {
      day,
      signal,
      received: 0,
      stored: 0,
      rejected: 0,
      deduplicated: 0,
      dropped: 0,
      spooled: 0,
      bytes: 0
    }
    rows.set(`${day} ${signal}`, { ...row, received: row.received + records, spooled: row.spooled + records })
  }
  return [...rows.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

function formatDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

function parseDay(text: string, field: string): number {
  const ms = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // Some engines read 31 February as a day of March.
  if (Number.isNaN(ms) || formatDay(ms) !== text) throw invalidRange(`${field} must be a day as YYYY-MM-DD`)
  return ms
}

function invalidRange(detail: string): GatewayError {
  return new GatewayError('invalid_time_range', detail)
}
