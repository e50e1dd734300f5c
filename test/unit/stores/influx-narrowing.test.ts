import { describe, expect, it } from '@jest/globals'
import { narrow } from '../../../src/stores/influxdb/read/narrowing.js'
import { pinnedTags } from '../../../src/stores/influxdb/read/select-request.js'

function series(labels: Readonly<Record<string, string>>, name = 'cpu') {
  return { name, labels: Object.entries(labels).map(([label, value]) => ({ name: label, value })) }
}

describe('conditions for InfluxDB', () => {
  it('list the values that were found for a label with a matcher, and pin what all have in common', () => {
    const found = narrow([series({ env: 'prod', host: 'b' }), series({ env: 'prod', host: 'a', zone: 'eu' })], new Set(['host']))
    expect(found).toEqual({
      metrics: ['cpu'],
      tags: [
        { name: 'host', values: ['a', 'b'] },
        { name: 'env', values: ['prod'] }
      ]
    })
    expect(pinnedTags(found)).toEqual([{ name: 'env', value: 'prod' }])
  })

  it('leave out a label that one of the series lacks: no equality finds what is absent', () => {
    expect(narrow([series({ host: 'a' }), series({})], new Set(['host'])).tags).toEqual([])
  })

  it('leave out labels without a matcher in which the series differ', () => {
    expect(narrow([series({ host: 'a' }), series({ host: 'b' })], new Set()).tags).toEqual([])
  })

  it('list at most 50 values and metrics', () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => series({ host: `${i}` }, `m${i}`))
    const [all, more] = [narrow(many(50), new Set(['host'])), narrow(many(51), new Set(['host']))]
    expect([all.metrics?.length, all.tags[0]?.values.length]).toEqual([50, 50])
    expect(more).toEqual({ metrics: null, tags: [] })
  })

  it('pin at most 8 labels that no one requested', () => {
    const labels = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`l${i}`, 'x']))
    expect(narrow([series(labels)], new Set()).tags).toHaveLength(8)
    expect(narrow([series(labels)], new Set(['l8'])).tags).toHaveLength(9)
  })
})
