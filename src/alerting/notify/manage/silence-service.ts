import type { AlertInstance } from '../../../domain/alerts/alert-state.js'
import type { Silence } from '../../../domain/alerts/silence.js'
import { GatewayError } from '../../../domain/errors.js'
import type { Namespace } from '../../../domain/namespace.js'
import type { UserPrincipal } from '../../../domain/principal.js'
import { compileMatchers, formatMatcher, type LabelTest, parseMatchers } from '../route/matchers.js'
import { MAX_COMMENT_CHARS, MAX_LISTED_SILENCES, MAX_PREVIEWED, MAX_SILENCE_MS, MAX_SILENCES } from './notify-limits.js'
import { auditedWrite } from '../../../access/audited-write.js'
import type { NotifyServiceDeps } from './notify-service-deps.js'

/** Rules of a namespace that a preview reads; a namespace has fewer. */
const MAX_RULES = 10_000
/** States of alerts that a silence hides. */
const ACTIVE: ReadonlySet<string> = new Set(['pending', 'firing', 'nodata', 'error', 'unknown'])

/** A silence to make. */
export interface NewSilence {
  readonly matchers: readonly string[]
  /** Unix milliseconds; now when absent. */
  readonly startsAtMs?: number | undefined
  readonly endsAtMs: number
  readonly comment: string
}

function invalid(field: string, detail: string): GatewayError {
  return new GatewayError('invalid_field', `${field} ${detail}`, { field })
}

/** Reads the matchers of a silence. One that matches every alert is refused. Source: Alertmanager, `silence.go`. */
function silenceMatchers(matchers: readonly string[]): { readonly text: readonly string[]; readonly test: LabelTest } {
  const parsed = parseMatchers(matchers, 'matchers')
  const test = compileMatchers(parsed)
  if (test([])) throw invalid('matchers', 'must contain one that does not match an absent label, such as alertname="Down"')
  return { text: parsed.map(formatMatcher), test }
}

function checkTimes(startsAtMs: number, endsAtMs: number, nowMs: number): void {
  if (endsAtMs <= Math.max(startsAtMs, nowMs)) throw invalid('ends_at', 'must be in the future and after starts_at')
  if (endsAtMs - startsAtMs > MAX_SILENCE_MS) throw invalid('ends_at', 'must be at most 366 days after starts_at')
}

/** Silences: alerts that match do not notify until the end. Members make and expire them. */
export class SilenceService {
  readonly #deps: NotifyServiceDeps

  constructor(deps: NotifyServiceDeps) {
    this.#deps = deps
  }

  /** Silences that are active or will be, by their end; or all that are kept, latest end first. */
  list(ns: Namespace, isActive: boolean): Promise<readonly Silence[]> {
    const { store, clock } = this.#deps
    if (!isActive) return store.notificationRules.silences(ns.id, MAX_LISTED_SILENCES)
    return store.notificationRules.silencesAfter(ns.id, clock.nowMs(), MAX_SILENCES)
  }

  /** Null when the namespace has no such silence. */
  get(ns: Namespace, id: string): Promise<Silence | null> {
    return this.#deps.store.notificationRules.silence(ns.id, id)
  }

  /** Makes a silence. `invalid_field` for matchers and times that cannot be, `quota_exceeded` beyond `MAX_SILENCES`. */
  async create(
    principal: UserPrincipal,
    namespace: Namespace,
    { matchers, startsAtMs, endsAtMs, comment }: NewSilence
  ): Promise<Silence> {
    const { clock, secrets } = this.#deps
    const nowMs = clock.nowMs()
    const { text } = silenceMatchers(matchers)
    checkTimes(startsAtMs ?? nowMs, endsAtMs, nowMs)
    if (comment.length > MAX_COMMENT_CHARS)
      throw invalid('comment', `exceeds ${MAX_COMMENT_CHARS} characters (got ${comment.length})`)
    const times = { startsAtMs: startsAtMs ?? nowMs, endsAtMs, updatedAtMs: nowMs }
    const silence = {
      id: secrets.id(),
      namespaceId: namespace.id,
      matchers: text,
      comment,
      createdBy: principal.userId,
      ...times
    }
    return auditedWrite(this.#deps, { principal, namespace, role: 'member' }, async ports => {
      if ((await ports.notificationRules.silencesAfter(namespace.id, nowMs, MAX_SILENCES)).length >= MAX_SILENCES) {
        throw new GatewayError(
          'quota_exceeded',
          `a namespace has at most ${MAX_SILENCES} silences that are not over; expire some`
        )
      }
      await ports.notificationRules.putSilence(silence)
      return { result: silence, event: { action: 'silence.created', target: silence.id } as const }
    })
  }

  /** Ends a silence now. One that is over stays as it is. `not_found` for an unknown id. */
  expire(principal: UserPrincipal, namespace: Namespace, id: string): Promise<Silence> {
    return auditedWrite(this.#deps, { principal, namespace, role: 'member' }, async ports => {
      const before = await ports.notificationRules.silence(namespace.id, id)
      if (!before) throw new GatewayError('not_found', 'no silence of this namespace has this id', { field: 'id' })
      const nowMs = this.#deps.clock.nowMs()
      const after = { ...before, startsAtMs: Math.min(before.startsAtMs, nowMs), endsAtMs: nowMs, updatedAtMs: nowMs }
      const isOver = before.endsAtMs <= nowMs
      if (!isOver) await ports.notificationRules.putSilence(after)
      return { result: isOver ? before : after, event: { action: 'silence.expired', target: id } as const }
    })
  }

  /** Alerts that matchers would hide now, at most `MAX_PREVIEWED`. */
  async preview(ns: Namespace, matchers: readonly string[]): Promise<readonly AlertInstance[]> {
    const { test } = silenceMatchers(matchers)
    return hiddenOf(await this.activeAlerts(ns), test)
  }

  /** Those of `alerts` that the matchers of a silence hide, at most `MAX_PREVIEWED`. */
  hidden(alerts: readonly AlertInstance[], matchers: readonly string[]): readonly AlertInstance[] {
    return hiddenOf(alerts, silenceMatchers(matchers).test)
  }

  /** Alerts of a namespace that a silence can hide: read once for any number of silences. */
  async activeAlerts(ns: Namespace): Promise<readonly AlertInstance[]> {
    const { alertRules, alertStates } = this.#deps.store
    const ids = (await alertRules.rules(ns.id, MAX_RULES)).map(({ id }) => id)
    const states = await alertStates.states(ns.id, ids)
    return [...states.values()].flatMap(({ instances }) => [...instances.values()]).filter(({ state }) => ACTIVE.has(state))
  }
}

function hiddenOf(alerts: readonly AlertInstance[], isHidden: LabelTest): readonly AlertInstance[] {
  return alerts.filter(({ labels }) => isHidden(labels)).slice(0, MAX_PREVIEWED)
}
