import { expect, it } from '@jest/globals'
import { comparedMeasures } from '../../../../src/query/compare/compared-counts.js'
import { significantDifferences } from '../../../../src/query/compare/differences.js'
import { evidenceOf } from '../../../../src/query/compare/evidence.js'

it('the evidence of numbers that one side has alone finds numbers, not strings of the same field', () => {
  const field = { in: 'log_fields', name: 'ms' } as const
  const sideOf = (counts: readonly number[]) => ({
    ...{ rows: 3_200, facets: [], distributions: [{ field, counts }], complete: true, warnings: [] }
  })
  const sides = { base: sideOf([0, 0]), other: sideOf([900, 1_100]) }
  const { differences } = significantDifferences(comparedMeasures(sides, [{ field, name: 'log_fields.ms', bounds: [50] }]))
  expect(differences).toMatchObject([{ kind: 'field_value', value: null, count: 2_000, baseCount: 0 }])
  expect(evidenceOf(differences[0]!, 'a OR b')).toBe('(a OR b) (log_fields.ms:<50 OR log_fields.ms:>=50)')
})
