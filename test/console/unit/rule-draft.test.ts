import { describe, expect, it } from '@jest/globals'
import type { AlertRuleQuery } from '../../../console/src/api/generated/AlertRule.js'
import { canEvaluate, draftOf, inputOf, isEditable, newDraft } from '../../../console/src/alerts/rule-draft.js'

type Rule = NonNullable<AlertRuleQuery['alertRule']>

const STORED = {
  ...{ id: 'r1', alert: 'Load', expr: 'node_load1', condition: null, op: 'OUTSIDE', threshold: 1, upper: 5, version: 3 },
  ...{ for: '0s', keepFiringFor: '0s', forNOfM: [2, 3], noData: 'nodata', onError: 'keep', severity: null, enabled: true },
  ...{ labels: [], annotations: [], runbookUrl: null, group: { id: 'g1', name: 'default', interval: '1m', slo: null } }
} as unknown as Rule

describe('the form of a rule', () => {
  it('saves what it shows of a stored rule, and what it does not show', () => {
    expect(inputOf(draftOf(STORED), STORED)).toEqual({
      ...{ groupId: 'g1', runbookUrl: null, onError: 'keep', forNOfM: [2, 3], alert: 'Load', expr: 'node_load1' },
      ...{ op: 'OUTSIDE', threshold: 1, upper: 5, for: '0s', keepFiringFor: '0s', noData: 'nodata', enabled: true },
      ...{ labels: [], annotations: [] }
    })
  })

  it('drops the upper bound of a comparison with one value', () => {
    expect(inputOf({ ...draftOf(STORED), op: 'GT' }, STORED)).not.toHaveProperty('upper')
  })

  it('leaves recording rules to the API', () => {
    expect(isEditable(STORED)).toBe(true)
    expect(isEditable({ ...STORED, alert: null })).toBe(false)
  })

  it('waits for a field before it evaluates a measure of one', () => {
    const measured = { ...newDraft(null, 'level:error'), agg: 'p95' }
    expect(canEvaluate(measured)).toBe(false)
    expect(canEvaluate({ ...measured, field: 'duration_ms' })).toBe(true)
    expect(canEvaluate({ ...measured, agg: 'count' })).toBe(true)
  })
})
