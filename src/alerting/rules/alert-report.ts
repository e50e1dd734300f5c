import type { AlertRule } from '../../domain/alerts/alert-rule.js'
import { type AlertEvent, type AlertState, FIRST_RULE_STATE } from '../../domain/alerts/alert-state.js'
import { GatewayError } from '../../domain/errors.js'
import type { Namespace } from '../../domain/namespace.js'
import { firstMsFrom, resolveWindow, type ResolvedWindow } from '../../domain/time-range.js'
import type { Clock } from '../../ports/clock.js'
import type { ControlStore } from '../../ports/control-store.js'
import type { AlertRuleService } from './alert-rule-service.js'
import { eventCursor, parseEventCursor } from './event-cursor.js'
import { type RuleStatus, statusOf } from './rule-status.js'

/** Events of one page. */
const DEFAULT_EVENTS = 50
const MAX_EVENTS = 500
const DEFAULT_WINDOW_MS = 24 * 3_600_000

/** Dependencies of `AlertReport`. */
export interface AlertReportDeps {
  readonly store: Pick<ControlStore, 'alertRules' | 'alertStates'>
  readonly rules: Pick<AlertRuleService, 'groups'>
  readonly clock: Pick<Clock, 'nowNs' | 'monotonicMs'>
}

/** Which rules. */
export interface RuleListRequest {
  readonly states?: readonly AlertState[] | undefined
  /** Part of the name, case-insensitive. */
  readonly contains?: string | undefined
}

/** Which events. Times in any form that `resolveWindow` reads. */
export interface EventListRequest {
  readonly start?: unknown
  readonly end?: unknown
  readonly ruleIds?: readonly string[] | undefined
  readonly fingerprint?: string | undefined
  readonly limit?: number | undefined
  /** A cursor of an event: only those that are listed after it. */
  readonly after?: string | undefined
}

/** A page of events, newest first. */
export interface EventPage {
  readonly events: readonly AlertEvent[]
  readonly window: ResolvedWindow
  readonly nextCursor: string | null
  readonly hasMore: boolean
  readonly limit: number
  readonly tookMs: number
}

/** Reads rules with their states, and the history of alerts. */
export class AlertReport {
  readonly #deps: AlertReportDeps

  constructor(deps: AlertReportDeps) {
    this.#deps = deps
  }

  /** Rules by group name and position, with their states. */
  async rules(ns: Namespace, { states, contains }: RuleListRequest = {}): Promise<readonly RuleStatus[]> {
    const part = contains?.toLowerCase()
    const groups = await this.#deps.rules.groups(ns)
    const all = groups.flatMap(({ group, rules }) => rules.map(rule => ({ group, rule })))
    const named = all.filter(({ rule }) => part === undefined || rule.name.toLowerCase().includes(part))
    const stored = await this.#deps.store.alertStates.states(
      ns.id,
      named.map(({ rule }) => rule.id)
    )
    const found = named.map(({ group, rule }) => statusOf(rule, group, stored.get(rule.id) ?? FIRST_RULE_STATE))
    return states === undefined ? found : found.filter(({ state }) => states.includes(state))
  }

  /** Null when the namespace has no such rule. */
  async rule(ns: Namespace, id: string): Promise<RuleStatus | null> {
    const rule = await this.#deps.store.alertRules.rule(ns.id, id)
    return rule && this.status(rule)
  }

  /** The present status of a rule that was read. */
  async status(rule: AlertRule): Promise<RuleStatus> {
    const { alertRules, alertStates } = this.#deps.store
    const [group, state] = await Promise.all([
      alertRules.group(rule.namespaceId, rule.groupId),
      alertStates.load(rule.namespaceId, rule.id)
    ])
    if (group === null) throw new GatewayError('not_found', 'the alert rule was removed with its group')
    return statusOf(rule, group, state)
  }

  /**
   * Events of the window, newest first; of the last 24 hours by default. `invalid_time_range`, `invalid_field` for a limit or a
   * cursor that is not valid.
   */
  async events(ns: Namespace, request: EventListRequest): Promise<EventPage> {
    const { store, clock } = this.#deps
    const startedMs = clock.monotonicMs()
    const window = resolveWindow(request.start, request.end, clock.nowNs(), DEFAULT_WINDOW_MS)
    const limit = request.limit ?? DEFAULT_EVENTS
    if (!Number.isInteger(limit) || limit < 0 || limit > MAX_EVENTS)
      throw new GatewayError('invalid_field', `limit must be from 0 to ${MAX_EVENTS} (got ${limit})`, { field: 'limit' })
    const found = await store.alertStates.events(ns.id, {
      ruleIds: request.ruleIds,
      fingerprint: request.fingerprint,
      fromMs: firstMsFrom(window.startNs),
      toMs: firstMsFrom(window.endNs),
      before: request.after === undefined ? undefined : parseEventCursor(request.after, 'after'),
      limit: limit + 1
    })
    const events = found.slice(0, limit)
    const hasMore = found.length > limit
    const last = events.at(-1)
    const nextCursor = hasMore && last !== undefined ? eventCursor(last) : null
    return { events, window, nextCursor, hasMore, limit, tookMs: clock.monotonicMs() - startedMs }
  }
}
