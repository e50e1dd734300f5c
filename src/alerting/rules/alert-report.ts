import type { AlertGroup, AlertRule } from '../../domain/alerts/alert-rule.js'
import { type AlertEvent, type AlertState, FIRST_RULE_STATE } from '../../domain/alerts/alert-state.js'
import { GatewayError } from '../../domain/errors.js'
import type { Namespace } from '../../domain/namespace.js'
import { firstMsFrom, resolveWindow, type ResolvedWindow } from '../../domain/time-range.js'
import type { ListedInstance } from '../../ports/alert-states.js'
import type { Clock } from '../../ports/clock.js'
import type { ControlStore } from '../../ports/control-store.js'
import type { Page } from '../../query/result.js'
import type { AlertRuleService } from './alert-rule-service.js'
import { eventCursor, parseEventCursor } from './event-cursor.js'
import { alertCursor, parseAlertCursor, parseRuleCursor, ruleCursor } from './list-cursors.js'
import { MAX_RULES } from './rule-limits.js'
import { type RuleStatus, statusOf } from './rule-status.js'

/** Events of one page. */
const DEFAULT_EVENTS = 50
const MAX_EVENTS = 500
/** Alerts of one page. */
const DEFAULT_ALERTS = 100
export const MAX_ALERTS_OF_PAGE = 1_000
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

/** A page of rules: all of them without a limit. */
export interface RulePageRequest extends RuleListRequest {
  /** 1 to 500. */
  readonly limit?: number | undefined
  /** A cursor of a rule: only those that are listed after it. */
  readonly after?: string | undefined
}

/** A page of rules by group name and position. */
export interface RulePage extends Page {
  readonly rules: readonly RuleStatus[]
}

/** Which alerts. */
export interface AlertListRequest {
  readonly states?: readonly AlertState[] | undefined
  readonly ruleIds?: readonly string[] | undefined
  /** 1 to 1,000; default 100. */
  readonly limit?: number | undefined
  /** A cursor of an alert: only those that are listed after it. */
  readonly after?: string | undefined
}

/** A page of alerts by rule and fingerprint. */
export interface AlertPage extends Page {
  readonly alerts: readonly ListedInstance[]
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
    const found = await this.#statuses(ns, await this.#named(ns, contains))
    return states === undefined ? found : found.filter(({ state }) => states.includes(state))
  }

  /**
   * Rules as `rules` lists them, in pages. States are read of the rules of a page alone, unless states are requested.
   * `invalid_field` for a limit or a cursor that is not valid.
   */
  async rulePage(ns: Namespace, { states, contains, limit = MAX_RULES, after }: RulePageRequest): Promise<RulePage> {
    checkLimit(limit, MAX_RULES)
    const named = await this.#named(ns, contains)
    const later = after === undefined ? named : afterRule(named, parseRuleCursor(after))
    const found = await this.#statuses(ns, states === undefined ? later.slice(0, limit + 1) : later)
    const matching = states === undefined ? found : found.filter(({ state }) => states.includes(state))
    const rules = matching.slice(0, limit)
    const hasMore = matching.length > limit
    return { rules, hasMore, nextCursor: hasMore ? ruleCursor(rules.at(-1)!.rule.id) : null, limit }
  }

  /** Alerts of all rules. `invalid_field` for a limit or a cursor that is not valid. */
  async alerts(ns: Namespace, { states, ruleIds, limit = DEFAULT_ALERTS, after }: AlertListRequest): Promise<AlertPage> {
    checkLimit(limit, MAX_ALERTS_OF_PAGE)
    const place = after === undefined ? undefined : parseAlertCursor(after)
    const found = await this.#deps.store.alertStates.instances(ns.id, { states, ruleIds, after: place, limit: limit + 1 })
    const alerts = found.slice(0, limit)
    const hasMore = found.length > limit
    const last = alerts.at(-1)
    const next = hasMore && last !== undefined ? { ruleId: last.ruleId, fingerprint: last.instance.fingerprint } : null
    return { alerts, hasMore, nextCursor: next && alertCursor(next), limit }
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

  /** Rules with this part in their names, by group name and position. */
  async #named(ns: Namespace, contains: string | undefined): Promise<readonly GroupedRule[]> {
    const part = contains?.toLowerCase()
    const groups = await this.#deps.rules.groups(ns)
    const all = groups.flatMap(({ group, rules }) => rules.map(rule => ({ group, rule })))
    return all.filter(({ rule }) => part === undefined || rule.name.toLowerCase().includes(part))
  }

  async #statuses(ns: Namespace, rules: readonly GroupedRule[]): Promise<readonly RuleStatus[]> {
    const ids = rules.map(({ rule }) => rule.id)
    const stored = await this.#deps.store.alertStates.states(ns.id, ids)
    return rules.map(({ group, rule }) => statusOf(rule, group, stored.get(rule.id) ?? FIRST_RULE_STATE))
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

interface GroupedRule {
  readonly group: AlertGroup
  readonly rule: AlertRule
}

function checkLimit(limit: number, max: number): void {
  if (Number.isInteger(limit) && limit >= 1 && limit <= max) return
  throw new GatewayError('invalid_field', `limit must be from 1 to ${max} (got ${limit})`, { field: 'limit' })
}

/** Rules after the one of a cursor; `invalid_field` when it was removed: its place is not known any more. */
function afterRule(rules: readonly GroupedRule[], id: string): readonly GroupedRule[] {
  const at = rules.findIndex(({ rule }) => rule.id === id)
  if (at >= 0) return rules.slice(at + 1)
  throw new GatewayError('invalid_field', 'the rule of the cursor is not in the list any more; begin again', { field: 'cursor' })
}
