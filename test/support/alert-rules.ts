import type { AlertRuleContent } from '../../src/domain/alerts/alert-rule.js'
import {
  type AlertTransition,
  type ConditionResult,
  FIRST_RULE_STATE,
  type RuleState,
  type VectorElement
} from '../../src/domain/alerts/alert-state.js'
import type { Label } from '../../src/domain/metric-point.js'
import { type Evaluation, evaluate } from '../../src/alerting/evaluate/evaluate.js'
import { PreparedRule, type RuleContext } from '../../src/alerting/evaluate/prepared-rule.js'
import { parsePromql } from '../../src/query/promql/syntax/parser.js'

const MINUTE_MS = 60_000

/** Labels of a record, sorted by name. */
export function labelsOf(record: Readonly<Record<string, string>>): readonly Label[] {
  const names = Object.keys(record).sort()
  return names.map(name => ({ name, value: record[name]! }))
}

/** A rule named `Test` on PromQL without `for`, with these members instead. */
export function ruleOf(members: Partial<AlertRuleContent> = {}): AlertRuleContent {
  return {
    ...{ kind: 'alert', name: 'Test', condition: { kind: 'promql', expr: 'x > 0' }, threshold: null },
    ...{ forMs: 0, keepFiringForMs: 0, forNOfM: null, noData: 'nodata', onError: 'error', labels: [], annotations: [] },
    ...{ severity: null, enabled: true, runbookUrl: null },
    ...members
  }
}

/** The rule, ready to be evaluated. */
export function preparedOf(members: Partial<AlertRuleContent> = {}, context: Partial<RuleContext> = {}): PreparedRule {
  return new PreparedRule(ruleOf(members), { limit: null, externalUrl: 'https://alidade.example', ...context })
}

/** An element with these labels. */
export function element(labels: Readonly<Record<string, string>>, value = 1): VectorElement {
  return { labels: labelsOf(labels), value }
}

/** A vector. It has data unless it is empty and `hasData` is false. */
export function vectorOf(elements: readonly VectorElement[], hasData = true): ConditionResult {
  return { kind: 'vector', elements, hasData }
}

/** PromQL as `PromqlQuery.parse` reads it. */
export function readPromql(query: string): ReturnType<typeof parsePromql> {
  return parsePromql(query, true)
}

/** Evaluations of a rule one after the other. */
export class Evaluations {
  rule: PreparedRule
  state: RuleState = FIRST_RULE_STATE
  last: Evaluation | null = null

  constructor(rule: PreparedRule) {
    this.rule = rule
  }

  /** Evaluates at a minute, and returns what changed its state: `pending>firing`. */
  at(minute: number, result: ConditionResult): readonly string[] {
    this.last = evaluate(this.rule, this.state, result, minute * MINUTE_MS)
    this.state = this.last.state
    return this.last.transitions.map(({ from, to }: AlertTransition) => `${from}>${to}`)
  }

  /** States of all instances, by the value of a label. */
  states(label = 'job'): Readonly<Record<string, string>> {
    const named = [...this.state.instances.values()].map(({ labels, state }) => {
      return [labels.find(({ name }) => name === label)?.value ?? '', state] as const
    })
    return Object.fromEntries(named)
  }
}
