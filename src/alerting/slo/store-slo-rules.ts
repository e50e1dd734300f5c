import type { AlertRule, AlertRuleContent } from '../../domain/alerts/alert-rule.js'
import { isSameJson } from '../../domain/same-json.js'
import type { Slo } from '../../domain/alerts/slo.js'
import { GatewayError } from '../../domain/errors.js'
import { groupedBy } from '../../domain/grouped-by.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { ControlPorts } from '../../ports/control-store.js'
import { MAX_RULE_GROUPS, MAX_RULES } from '../rules/rule-limits.js'
import { sloGroup } from './slo-rules.js'

/** Rules and groups of a namespace within a transaction that changes them: read once, and kept as they are written. */
export interface StoredRules {
  readonly byGroup: Map<string, readonly AlertRule[]>
  readonly groupIds: Set<string>
}

/** What a namespace has at the begin of a transaction. */
export async function readStoredRules({ alertRules }: Pick<ControlPorts, 'alertRules'>, ns: NamespaceId): Promise<StoredRules> {
  const rules = await alertRules.rules(ns, MAX_RULES)
  const groups = await alertRules.groups(ns, MAX_RULE_GROUPS)
  return { byGroup: groupedBy(rules, ({ groupId }) => groupId), groupIds: new Set(groups.map(({ id }) => id)) }
}

/**
 * Stores the rules of an SLO within a transaction: in its group, each at its place. Rules that stay keep their ids and their
 * alerts; those that have another name are other alerts. `conflict` when another group has the name of its group,
 * `quota_exceeded` beyond the limits of the namespace.
 */
export async function storeSloRules(
  { alertRules, alertStates }: Pick<ControlPorts, 'alertRules' | 'alertStates'>,
  stored: StoredRules,
  { slo, rules, newId }: { readonly slo: Slo; readonly rules: readonly AlertRuleContent[]; readonly newId: () => string }
): Promise<void> {
  const { namespaceId, groupId, updatedBy, updatedAtMs } = slo
  const before = stored.byGroup.get(groupId) ?? []
  const others = [...stored.byGroup].reduce((sum, [id, own]) => sum + (id === groupId ? 0 : own.length), 0)
  stored.groupIds.add(groupId)
  requireRoom(others + rules.length, stored.groupIds.size)
  await alertRules.putGroup({ ...sloGroup(slo), id: groupId, namespaceId })
  const { ended, kept } = matched(before, rules)
  if (ended.length > 0) await alertStates.end(namespaceId, ended.map(idOf), updatedAtMs)
  for (const rule of before) if (!kept.has(rule.id)) await alertRules.removeRule(namespaceId, rule.id)
  const byName = new Map(before.map(rule => [rule.name, rule] as const))
  const after: AlertRule[] = []
  for (const [position, content] of rules.entries()) {
    const own = byName.get(content.name)
    const rule: AlertRule = {
      ...content,
      ...{ id: own?.id ?? newId(), namespaceId, groupId, position },
      ...{ version: (own?.version ?? 0) + 1, updatedBy, updatedAtMs }
    }
    const isSame = own !== undefined && isSameRule(own, rule)
    if (!isSame) await alertRules.putRule(rule)
    after.push(isSame ? own : rule)
  }
  stored.byGroup.set(groupId, after)
}

function idOf({ id }: AlertRule): string {
  return id
}

/** Rules whose alerts end, and the ids of those that stay. Names of the rules of an SLO are unique. */
function matched(
  before: readonly AlertRule[],
  after: readonly AlertRuleContent[]
): { readonly ended: readonly AlertRule[]; readonly kept: ReadonlySet<string> } {
  const enabled = new Map(after.map(rule => [rule.name, rule.enabled] as const))
  return {
    ended: before.filter(rule => rule.enabled && enabled.get(rule.name) !== true),
    kept: new Set(before.filter(({ name }) => enabled.has(name)).map(idOf))
  }
}

function isSameRule(stored: AlertRule, rule: AlertRule): boolean {
  const { version: _v, updatedBy: _b, updatedAtMs: _a, ...before } = stored
  const { version: _version, updatedBy: _by, updatedAtMs: _at, ...after } = rule
  return isSameJson(before, after)
}

function requireRoom(rules: number, groups: number): void {
  if (rules <= MAX_RULES && groups <= MAX_RULE_GROUPS) return
  const detail = `a namespace has at most ${MAX_RULES} alert rules in ${MAX_RULE_GROUPS} groups; with the rules of the SLO it would have ${rules} in ${groups}`
  throw new GatewayError('quota_exceeded', detail)
}
