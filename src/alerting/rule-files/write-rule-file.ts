import { Document, isScalar, visit } from 'yaml'
import type { AlertRuleContent } from '../../domain/alerts/alert-rule.js'
import { formatDuration } from '../../query/promql/syntax/duration.js'
import { ruleJson } from '../evaluate/parse-rule/rule-json.js'

/** A group to write, its rules in their order. */
export interface WrittenGroup {
  readonly name: string
  readonly intervalMs: number
  readonly limit: number | null
  readonly queryOffsetMs: number | null
  readonly rules: readonly AlertRuleContent[]
}

/**
 * A rule file of Prometheus. `readRuleFile` reads the same groups from it. Prometheus reads it, too, unless rules have members
 * that only this service knows.
 */
export function writeRuleFile(groups: readonly WrittenGroup[]): string {
  const written = groups.map(({ name, intervalMs, limit, queryOffsetMs, rules }) => ({
    name,
    interval: formatDuration(intervalMs),
    ...(queryOffsetMs !== null && { query_offset: formatDuration(queryOffsetMs) }),
    ...(limit !== null && { limit }),
    rules: rules.map(ruleJson)
  }))
  const document = new Document({ groups: written }, { aliasDuplicateObjects: false })
  // Unquoted, the name `<<` would be a merge key.
  visit(document, {
    Pair: (_, { key }) => {
      if (isScalar(key) && key.value === '<<') key.type = 'QUOTE_DOUBLE'
    }
  })
  return document.toString({ lineWidth: 0 })
}
