import { describe, expect, it } from '@jest/globals'
import { type ImportedGroup, type PlannedGroup, planImport } from '../../../src/alerting/rules/import-plan.js'
import type { AlertRuleContent } from '../../../src/domain/alerts/alert-rule.js'
import { alertGroup, alertRule } from '../../contract/alert-fixtures.js'
import { ruleOf } from '../../support/alert-rules.js'

const GROUP = { name: 'g', intervalMs: 60_000, limit: null, queryOffsetMs: null }

function stored(...rules: readonly AlertRuleContent[]) {
  const all = rules.map((content, position) => alertRule(`r${position}`, { ...content, position }))
  return [{ group: alertGroup('g', GROUP), rules: all }]
}

function file(rules: readonly AlertRuleContent[], changes: Partial<ImportedGroup['group']> = {}): readonly ImportedGroup[] {
  return [{ group: { ...GROUP, ...changes }, rules }]
}

function shown(plan: readonly PlannedGroup[]): unknown {
  return plan.map(({ change, rules }) => [change, rules.map(rule => `${rule.name} ${rule.change} ${rule.stored?.id ?? 'new'}`)])
}

const [a, b] = [ruleOf({ name: 'a' }), ruleOf({ name: 'b' })]

describe('the plan of an import', () => {
  it('creates what is not stored', () => {
    expect(shown(planImport([], file([a, b])))).toEqual([['created', ['a created new', 'b created new']]])
  })

  it('changes nothing the second time', () => {
    expect(shown(planImport(stored(a, b), file([a, b])))).toEqual([['unchanged', ['a unchanged r0', 'b unchanged r1']]])
  })

  it('knows rules by kind and name, equal ones in their order, and removes the rest', () => {
    const other = { ...a, forMs: 60_000 }
    const record = ruleOf({ kind: 'record', name: 'a' })
    expect(shown(planImport(stored(a, a, b), file([a, other, record])))).toEqual([
      ['unchanged', ['a unchanged r0', 'a changed r1', 'a created new', 'b removed r2']]
    ])
  })

  it('changes rules that move, and groups with other members', () => {
    expect(shown(planImport(stored(a, b), file([b, a], { intervalMs: 30_000 })))).toEqual([
      ['changed', ['b changed r1', 'a changed r0']]
    ])
  })

  it('leaves groups alone that the file does not have', () => {
    expect(planImport(stored(a), [])).toEqual([])
  })
})
