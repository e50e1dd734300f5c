import { type AuditedWrite, auditedWrite, type AuditedWriteDeps } from '../../access/audited-write.js'
import type { SecretSource } from '../../access/secrets.js'
import type { AlertGroup, AlertRule, AlertRuleContent } from '../../domain/alerts/alert-rule.js'
import { KEPT_RULE_VERSIONS } from '../../domain/alerts/alert-rule.js'
import { GatewayError } from '../../domain/errors.js'
import { groupedBy } from '../../domain/grouped-by.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { Namespace } from '../../domain/namespace.js'
import type { UserPrincipal } from '../../domain/principal.js'
import type { AlertRules } from '../../ports/alert-rules.js'
import type { Clock } from '../../ports/clock.js'
import type { ControlPorts, ControlStore } from '../../ports/control-store.js'
import type { ReadPromql } from '../evaluate/parse-rule/parse-condition.js'
import { parseRule } from '../evaluate/parse-rule/parse-rule.js'
import { requireOwnGroup } from '../slo/slo-ownership.js'
import { type AlertGroupContent, checkGroup } from './parse-group.js'
import { DEFAULT_GROUP, MAX_RULE_GROUPS, MAX_RULES } from './rule-limits.js'

/** Dependencies of `AlertRuleService`. */
export interface AlertRuleServiceDeps extends AuditedWriteDeps {
  readonly store: ControlStore
  readonly clock: Clock
  readonly secrets: Pick<SecretSource, 'id'>
  readonly readPromql: ReadPromql
  /** Called after rules or groups of a namespace have changed here. */
  readonly onChange: (ns: NamespaceId) => void
}

/** A group with its rules in their order. */
export interface AlertGroupRules {
  readonly group: AlertGroup
  readonly rules: readonly AlertRule[]
}

function noGroup(field: string): GatewayError {
  return new GatewayError('not_found', 'no alert group of this namespace has this id', { field })
}

function noRule(): GatewayError {
  return new GatewayError('not_found', 'no alert rule of this namespace has this id', { field: 'id' })
}

function stale(requested: number, stored: number): GatewayError {
  const detail = `the rule has version ${stored}, not ${requested}; read it again and repeat the change`
  return new GatewayError('conflict', detail, { field: 'version', members: { version: stored } })
}

/** All groups of a namespace by name, with their rules. */
export async function readGroups(alertRules: AlertRules, ns: NamespaceId): Promise<readonly AlertGroupRules[]> {
  const [groups, rules] = await Promise.all([alertRules.groups(ns, MAX_RULE_GROUPS), alertRules.rules(ns, MAX_RULES)])
  const byGroup = groupedBy(rules, ({ groupId }) => groupId)
  return groups.map(group => ({ group, rules: byGroup.get(group.id) ?? [] }))
}

async function storedRule(ports: ControlPorts, ns: NamespaceId, id: string): Promise<AlertRule> {
  const rule = await ports.alertRules.rule(ns, id)
  if (!rule) throw noRule()
  return rule
}

/**
 * Rules of alerts and their groups. Readers of the namespace read them, members write them; all writes are in the audit log.
 * Changes of rules that an SLO produces are refused with `conflict`.
 */
export class AlertRuleService {
  readonly #deps: AlertRuleServiceDeps

  constructor(deps: AlertRuleServiceDeps) {
    this.#deps = deps
  }

  /** A rule as clients write it. `invalid_field` with all of its errors. */
  parse(input: unknown): AlertRuleContent {
    return parseRule(input, this.#deps.readPromql)
  }

  /** All groups by name, with their rules. */
  groups(ns: Namespace): Promise<readonly AlertGroupRules[]> {
    return readGroups(this.#deps.store.alertRules, ns.id)
  }

  /** Null when the namespace has no such group. */
  group(ns: Namespace, id: string): Promise<AlertGroup | null> {
    return this.#deps.store.alertRules.group(ns.id, id)
  }

  /** Null when the namespace has no such rule. */
  rule(ns: Namespace, id: string): Promise<AlertRule | null> {
    return this.#deps.store.alertRules.rule(ns.id, id)
  }

  /** The latest contents of a rule, newest first; null when the namespace has no such rule. */
  async versions(ns: Namespace, id: string): Promise<readonly AlertRule[] | null> {
    const versions = await this.#deps.store.alertRules.versions(ns.id, id, KEPT_RULE_VERSIONS)
    return versions.length === 0 ? null : versions
  }

  /**
   * Stores a group, or replaces the one with `id`. `not_found` for an unknown id, `conflict` for the name of another one,
   * `invalid_field` beyond a bound, `quota_exceeded` beyond `MAX_RULE_GROUPS`.
   */
  saveGroup(principal: UserPrincipal, ns: Namespace, content: AlertGroupContent, id?: string): Promise<AlertGroup> {
    const group = { ...checkGroup(content), id: id ?? this.#deps.secrets.id(), namespaceId: ns.id }
    return this.#write(principal, ns, async ports => {
      if (id !== undefined && !(await ports.alertRules.group(ns.id, id))) throw noGroup('id')
      if (id !== undefined) await requireOwnGroup(ports, ns.id, id, 'id')
      if (id === undefined) await requireRoomForGroup(ports, ns.id)
      await ports.alertRules.putGroup(group)
      return { result: group, event: { action: 'alert_group.saved', target: group.id } }
    })
  }

  /** Removes a group with its rules, and ends their alerts. `not_found` for an unknown id. */
  async removeGroup(principal: UserPrincipal, ns: Namespace, id: string): Promise<void> {
    await this.#write(principal, ns, async ports => {
      await requireOwnGroup(ports, ns.id, id, 'id')
      const rules = (await ports.alertRules.rules(ns.id, MAX_RULES)).filter(({ groupId }) => groupId === id)
      await this.#end(
        ports,
        ns.id,
        rules.map(rule => rule.id)
      )
      if (!(await ports.alertRules.removeGroup(ns.id, id))) throw noGroup('id')
      return { result: undefined, event: { action: 'alert_group.deleted', target: id } }
    })
  }

  /**
   * Stores a new rule at the end of a group, of `default` when it names none. `not_found` for an unknown group,
   * `quota_exceeded` beyond `MAX_RULES`.
   */
  create(principal: UserPrincipal, ns: Namespace, content: AlertRuleContent, groupId?: string): Promise<AlertRule> {
    return this.#write(principal, ns, async ports => {
      const rules = await ports.alertRules.rules(ns.id, MAX_RULES)
      if (rules.length >= MAX_RULES)
        throw new GatewayError('quota_exceeded', `a namespace has at most ${MAX_RULES} alert rules; delete some`)
      const group = groupId ?? (await this.#defaultGroup(ports, ns.id))
      await requireOwnGroup(ports, ns.id, group, 'group_id')
      const place = await placeIn(ports, ns.id, group, rules)
      const rule = { ...content, id: this.#deps.secrets.id(), namespaceId: ns.id, ...place, version: 1, ...this.#by(principal) }
      await ports.alertRules.putRule(rule)
      return { result: rule, event: savedEvent(rule) }
    })
  }

  /**
   * Replaces the content of a rule whose version was `version`; in another group it goes to the end. `conflict` when the rule
   * has another version, `not_found` for an unknown rule or group. Ends its alerts when it disables the rule, or makes it a
   * recording rule.
   */
  update(
    principal: UserPrincipal,
    ns: Namespace,
    { id, version, groupId }: { readonly id: string; readonly version: number; readonly groupId?: string | undefined },
    content: AlertRuleContent
  ): Promise<AlertRule> {
    return this.#write(principal, ns, async ports => {
      const stored = await storedRule(ports, ns.id, id)
      await requireOwnGroup(ports, ns.id, stored.groupId, 'id')
      if (groupId !== undefined) await requireOwnGroup(ports, ns.id, groupId, 'group_id')
      if (stored.version !== version) throw stale(version, stored.version)
      const isMoved = groupId !== undefined && groupId !== stored.groupId
      const place = isMoved ? await placeIn(ports, ns.id, groupId, await ports.alertRules.rules(ns.id, MAX_RULES)) : {}
      return this.#replace(principal, ports, stored, { ...stored, ...content, ...place })
    })
  }

  /** Enables or disables a rule; disabling ends its alerts. `not_found` for an unknown rule. */
  setEnabled(principal: UserPrincipal, ns: Namespace, id: string, enabled: boolean): Promise<AlertRule> {
    return this.#write(principal, ns, async ports => {
      const stored = await storedRule(ports, ns.id, id)
      await requireOwnGroup(ports, ns.id, stored.groupId, 'id')
      if (stored.enabled === enabled) return { result: stored, event: null }
      return this.#replace(principal, ports, stored, { ...stored, enabled })
    })
  }

  /** Removes a rule and ends its alerts. Its events stay. `not_found` for an unknown rule. */
  async remove(principal: UserPrincipal, ns: Namespace, id: string): Promise<void> {
    await this.#write(principal, ns, async ports => {
      const { groupId } = await storedRule(ports, ns.id, id)
      await requireOwnGroup(ports, ns.id, groupId, 'id')
      await this.#end(ports, ns.id, [id])
      await ports.alertRules.removeRule(ns.id, id)
      return { result: undefined, event: { action: 'alert_rule.deleted', target: id } }
    })
  }

  async #replace(
    principal: UserPrincipal,
    ports: ControlPorts,
    stored: AlertRule,
    content: AlertRule
  ): Promise<AuditedWrite<AlertRule>> {
    const rule = { ...content, version: stored.version + 1, ...this.#by(principal) }
    // Transactions are serialized, so that the version is still the one that was read.
    await ports.alertRules.putRule(rule)
    if (stored.enabled && (!rule.enabled || rule.kind !== stored.kind)) await this.#end(ports, rule.namespaceId, [rule.id])
    return { result: rule, event: savedEvent(rule) }
  }

  #end(ports: ControlPorts, ns: NamespaceId, ruleIds: readonly string[]): Promise<void> {
    return ports.alertStates.end(ns, ruleIds, this.#deps.clock.nowMs())
  }

  #by({ userId }: UserPrincipal): Pick<AlertRule, 'updatedBy' | 'updatedAtMs'> {
    return { updatedBy: userId, updatedAtMs: this.#deps.clock.nowMs() }
  }

  async #defaultGroup(ports: ControlPorts, ns: NamespaceId): Promise<string> {
    const groups = await ports.alertRules.groups(ns, MAX_RULE_GROUPS)
    const present = groups.find(({ name }) => name === DEFAULT_GROUP.name)
    if (present) return present.id
    await requireRoomForGroup(ports, ns)
    const group = { ...DEFAULT_GROUP, id: this.#deps.secrets.id(), namespaceId: ns }
    await ports.alertRules.putGroup(group)
    return group.id
  }

  #write<T>(principal: UserPrincipal, namespace: Namespace, work: (ports: ControlPorts) => Promise<AuditedWrite<T>>): Promise<T> {
    return auditedWrite(this.#deps, { principal, namespace, role: 'member', onChange: this.#deps.onChange }, work)
  }
}

function savedEvent({ id, version, enabled }: AlertRule): AuditedWrite<AlertRule>['event'] {
  return { action: 'alert_rule.saved', target: id, detail: { version, enabled } }
}

async function requireRoomForGroup(ports: ControlPorts, ns: NamespaceId): Promise<void> {
  const groups = await ports.alertRules.groups(ns, MAX_RULE_GROUPS)
  if (groups.length >= MAX_RULE_GROUPS)
    throw new GatewayError('quota_exceeded', `a namespace has at most ${MAX_RULE_GROUPS} alert groups; delete some`)
}

/** The place behind the last rule of a group. `not_found` for an unknown group. */
async function placeIn(
  ports: ControlPorts,
  ns: NamespaceId,
  groupId: string,
  rules: readonly AlertRule[]
): Promise<Pick<AlertRule, 'groupId' | 'position'>> {
  if (!(await ports.alertRules.group(ns, groupId))) throw noGroup('group_id')
  const positions = rules.filter(rule => rule.groupId === groupId).map(({ position }) => position)
  return { groupId, position: Math.max(-1, ...positions) + 1 }
}
