import type { AlertRule, AlertRuleContent } from '../../domain/alerts/alert-rule.js'
import { groupedBy } from '../../domain/grouped-by.js'
import { ruleJson } from '../evaluate/parse-rule/rule-json.js'
import type { AlertGroupRules } from './alert-rule-service.js'
import type { AlertGroupContent } from './parse-group.js'

/** What an import does to a group or a rule. */
export const IMPORT_CHANGES = ['created', 'changed', 'unchanged', 'removed'] as const
export type ImportChange = (typeof IMPORT_CHANGES)[number]

/** A group of a rule file, with bounds that were checked. */
export interface ImportedGroup {
  readonly group: AlertGroupContent
  readonly rules: readonly AlertRuleContent[]
}

/** A rule of the file, or a stored one that the file does not have. */
export interface PlannedRule {
  readonly change: ImportChange
  readonly kind: AlertRuleContent['kind']
  readonly name: string
  /** Null for one that is removed. */
  readonly content: AlertRuleContent | null
  /** Null for one that is created. */
  readonly stored: AlertRule | null
  /** Place in the group; that of a removed rule has no meaning. */
  readonly position: number
}

/** A group of the file. Groups that the file does not have stay as they are. */
export interface PlannedGroup {
  readonly change: Exclude<ImportChange, 'removed'>
  readonly content: AlertGroupContent
  readonly stored: AlertGroupRules | null
  /** Those of the file in its order, then those that are removed. */
  readonly rules: readonly PlannedRule[]
}

/**
 * What an import of these groups does. A group replaces the stored one of its name; rules are the same by kind and name, of
 * several equal names in their order. So a second import of a file changes nothing.
 */
export function planImport(stored: readonly AlertGroupRules[], groups: readonly ImportedGroup[]): readonly PlannedGroup[] {
  const byName = new Map(stored.map(each => [each.group.name, each] as const))
  return groups.map(({ group, rules }) => {
    const before = byName.get(group.name) ?? null
    return { change: groupChange(before, group), content: group, stored: before, rules: planRules(before?.rules ?? [], rules) }
  })
}

function groupChange(before: AlertGroupRules | null, after: AlertGroupContent): PlannedGroup['change'] {
  if (before === null) return 'created'
  const { intervalMs, limit, queryOffsetMs } = before.group
  const isSame = intervalMs === after.intervalMs && limit === after.limit && queryOffsetMs === after.queryOffsetMs
  return isSame ? 'unchanged' : 'changed'
}

function keyOf({ kind, name }: Pick<AlertRuleContent, 'kind' | 'name'>): string {
  return `${kind} ${name}`
}

function planRules(stored: readonly AlertRule[], rules: readonly AlertRuleContent[]): readonly PlannedRule[] {
  const left = groupedBy(stored, keyOf)
  const planned = rules.map((content, position): PlannedRule => {
    const before = left.get(keyOf(content))?.shift() ?? null
    const { kind, name } = content
    const isSame = before !== null && before.position === position && isSameRule(before, content)
    return {
      change: before === null ? 'created' : isSame ? 'unchanged' : 'changed',
      kind,
      name,
      content,
      stored: before,
      position
    }
  })
  const removed = [...left.values()].flat().map((rule): PlannedRule => {
    const { kind, name, position } = rule
    return { change: 'removed', kind, name, content: null, stored: rule, position }
  })
  return [...planned, ...removed]
}

function isSameRule(a: AlertRuleContent, b: AlertRuleContent): boolean {
  return JSON.stringify(ruleJson(a)) === JSON.stringify(ruleJson(b))
}
