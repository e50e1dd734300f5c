import { expect, it } from '@jest/globals'
import { labelsKey } from '../../../src/query/metric-chart.js'

it('keys of labels are equal for equal labels only, whatever the labels contain', () => {
  const apart = [
    [],
    [{ name: 'a', value: 'b' }],
    [
      { name: 'a', value: 'b' },
      { name: 'c', value: 'd' }
    ],
    [{ name: 'a', value: 'b\u0000c\u0000d' }],
    [{ name: 'a\u0000b', value: 'c\u0000d' }],
    [{ name: 'a', value: 'b\u0000\u00001,1,' }]
  ]
  expect(new Set(apart.map(labelsKey)).size).toBe(apart.length)
  expect(labelsKey([{ name: 'a', value: 'b' }])).toBe(labelsKey([{ name: 'a', value: 'b' }]))
})

// V8 hashes strings of more than 16,383 characters by their length alone: nothing may be added to each character.
it('keys of labels are little longer than their strings', () => {
  const labels = Array.from({ length: 20 }, (_, i) => ({ name: `l${i}`, value: '\u0001'.repeat(750) }))
  expect(labelsKey(labels).length).toBeLessThan(16_000)
})
