import type { NamespaceId, UserId } from '../domain/ids.js'
import type { UserPrincipal } from '../domain/principal.js'
import { createUlidSource } from '../domain/ulid.js'
import type { Clock } from '../ports/clock.js'
import type { AuditEntry } from '../ports/audit-log.js'
import type { ControlPorts, ControlStore } from '../ports/control-store.js'
import type { Authorizer } from './authorizer.js'
import type { SecretSource } from './secrets.js'

export type { AuditEntry } from '../ports/audit-log.js'

/** Every action that is written down. */
export type AuditAction =
  | 'user.registered'
  | 'user.password_reset'
  | 'user.password_changed'
  | 'user.password_refused'
  | 'session.started'
  | 'session.refused'
  | 'session.switched'
  | 'session.ended'
  | 'session.reuse_detected'
  | 'namespace.created'
  | 'namespace.retention_changed'
  | 'namespace.search_changed'
  | 'namespace.log_rules_changed'
  | 'namespace.deletion_started'
  | 'namespace.deleted'
  | 'member.joined'
  | 'member.role_changed'
  | 'member.removed'
  | 'invitation.created'
  | 'invitation.revoked'
  | 'key.created'
  | 'key.rotated'
  | 'key.revoked'
  | 'error_group.decided'
  | 'log_pattern.decided'
  | 'saved_view.saved'
  | 'saved_view.deleted'
  | 'saved_measure.created'
  | 'saved_measure.deleted'
  | 'saved_measure.backfilled'
  | 'alert_group.saved'
  | 'alert_group.deleted'
  | 'alert_rule.saved'
  | 'alert_rules.imported'
  | 'alert_rule.deleted'
  | 'slo.saved'
  | 'slo.deleted'
  | 'slos.imported'
  | 'alert_routing.saved'
  | 'alert_group.acked'
  | 'notification_channel.saved'
  | 'notification_channel.deleted'
  | 'notification_channel.secret_rotated'
  | 'notification_channel.tested'
  | 'notification_delivery.retried'
  | 'silence.created'
  | 'silence.expired'
  | 'mute_time.saved'
  | 'mute_time.deleted'

/** Who did what to what. Never holds secrets, tokens or passwords. */
export interface AuditEvent {
  readonly action: AuditAction
  readonly namespaceId: NamespaceId | null
  readonly actor: UserId | null
  readonly target?: string
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Writes the audit log, in the transaction of the action itself. */
export class AuditTrail {
  readonly #clock: Clock
  readonly #newId: () => string

  constructor(clock: Clock, secrets: SecretSource) {
    this.#clock = clock
    this.#newId = createUlidSource(
      () => clock.nowMs(),
      n => secrets.bytes(n)
    )
  }

  record(ports: ControlPorts, event: AuditEvent): Promise<void> {
    return ports.audit.insert({
      id: this.#newId(),
      namespaceId: event.namespaceId,
      atMs: this.#clock.nowMs(),
      actor: event.actor,
      action: event.action,
      target: event.target ?? null,
      detail: event.detail ?? {}
    })
  }
}

/** Identity actions of a namespace, for its admins. */
export class AuditService {
  readonly #store: ControlStore
  readonly #authorizer: Authorizer

  constructor(store: ControlStore, authorizer: Authorizer) {
    this.#store = store
    this.#authorizer = authorizer
  }

  /** Newest first; `before` is the id of the last entry of the page before. */
  async list(
    principal: UserPrincipal,
    namespaceId: string,
    page: { readonly limit: number; readonly before?: string }
  ): Promise<{ readonly entries: readonly AuditEntry[]; readonly hasMore: boolean }> {
    const ns = this.#authorizer.idOf(namespaceId)
    await this.#authorizer.requireRole(principal, ns, 'admin')
    const entries = await this.#store.audit.of(ns, page.limit + 1, page.before)
    return { entries: entries.slice(0, page.limit), hasMore: entries.length > page.limit }
  }
}
