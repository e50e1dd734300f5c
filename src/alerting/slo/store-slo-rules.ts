import type { AlertRule, AlertRuleContent } from '../../domain/alerts/alert-rule.js'
import { isSameJson } from '../../domain/same-json.js'
import type { Slo } from '../../domain/alerts/slo.js'
import { GatewayError } from '../../domain/errors.js'
import type { ControlPorts } from '../../ports/control-store.js'
import { MAX_RULE_GROUPS, MAX_RULES } from '../rules/rule-limits.js'
import { sloGroup } from './slo-rules.js'

/**
 * Stores the rules of an SLO within a transaction: in its group, each at its place. Rules that stay keep their ids and their
 * alerts; those that have another name are other alerts. `conflict` when another group has the name of its group,
 * `quota_exceeded` beyond the limits of the namespace.
 */
export async function storeSloRules(
  { alertRules, alertStates }: Pick<ControlPorts, 'alertRules' | 'alertStates'>,
  slo: Slo,
  rules: readonly AlertRuleContent[],
  newId: () => string
): Promise<void> {
  const { namespaceId, groupId, updatedBy, updatedAtMs } = slo
  const all = await alertRules.rules(namespaceId, MAX_RULES)
  const before = all.filter(rule => rule.groupId === groupId)
  const groups = await alertRules.groups(namespaceId, MAX_RULE_GROUPS)
  const isNew = !groups.some(({ id }) => id === groupId)
  requireRoom(all.length - before.length + rules.length, groups.length + (isNew ? 1 : 0))
  await alertRules.putGroup({ ...sloGroup(slo), id: groupId, namespaceId })
  const { ended, kept } = matched(before, rules)
  if (ended.length > 0) await alertStates.end(namespaceId, ended.map(idOf), updatedAtMs)
  for (const rule of before) if (!kept.has(rule.id)) await alertRules.removeRule(namespaceId, rule.id)
  const byName = new Map(before.map(rule => [rule.name, rule] as const))
  for (const [position, content] of rules.entries()) {
    const stored = byName.get(content.name)
    const rule: AlertRule = {
      ...content,
      ...{ id: stored?.id ?? newId(), namespaceId, groupId, position },
      ...{ version: (stored?.version ?? 0) + 1, updatedBy, updatedAtMs }
    }
    if (stored === undefined || !isSameRule(stored, rule)) await alertRules.putRule(rule)
  }
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
