import { describe, expect, it } from '@jest/globals'
import { visibleBlock, visibleText } from '../../../console/src/format/visible-text.js'
import { readLogFilter } from '../../../console/src/logs/log-filter.js'
import { recordFields } from '../../../console/src/logs/record-fields.js'
import { quoted } from '../../../console/src/query/quoted.js'
import { returnPath } from '../../../console/src/session/return-path.js'

describe('text of records', () => {
  it('shows control and bidirectional characters as their code', () => {
    expect(visibleText('a\u202eb\u0000c\u200bd\u001b[31m')).toBe(String.raw`a\u202eb\u0000c\u200bd\u001b[31m`)
  })

  it('is one line in a table and several in a block', () => {
    expect(visibleText('a\r\nb\tc')).toBe('a  b c')
    expect(visibleBlock('a\r\nb\tc\u2066')).toBe('a\nb\tc\\u2066')
  })
})

describe('fields of records', () => {
  const empty = {
    level: 'INFO',
    service: null,
    host: null,
    source: null,
    traceId: null,
    spanId: null,
    fields: {},
    tags: {}
  } as const

  it('keep the names that objects have by themselves', () => {
    const fields = JSON.parse('{"__proto__":{"x":1},"constructor":"c"}') as Record<string, unknown>
    expect(recordFields({ ...empty, fields }).map(({ path }) => path)).toEqual([
      'level',
      'log_fields.__proto__.x',
      'log_fields.constructor'
    ])
  })

  it('are at most 2,000, however deep they nest', () => {
    let deep: unknown = 1
    for (let i = 0; i < 20_000; i++) deep = { a: deep }
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, i]))
    expect(recordFields({ ...empty, fields: many })).toHaveLength(2_000)
    expect(recordFields({ ...empty, fields: { deep } })).toHaveLength(2)
  })
})

describe('a filter made by a click', () => {
  it.each([
    ['plain', 'plain'],
    ['two words', '"two words"'],
    ['a "x" \\', String.raw`"a \"x\" \\"`],
    ['-dash', '"-dash"'],
    ['(a OR b)', '"(a OR b)"'],
    ['*', '"*"']
  ])('quotes %s', (value, written) => {
    expect(quoted(value)).toBe(written)
  })

  it('reads levels in any capitalisation, also those that senders made up', () => {
    expect(readLogFilter({ level: ['error', 'Warn'] })).toEqual({ levels: ['ERROR', 'WARN'] })
    expect(readLogFilter({ level: ['error', 'Loud'] })).toEqual({
      where: [{ field: 'level', op: 'IN', values: ['error', 'loud'] }]
    })
    expect(readLogFilter({ level: ['unknown', 'loud'] })).toEqual({ levels: ['UNKNOWN'] })
  })
})

describe('the path after signing in', () => {
  it.each([
    ['/n/prod/logs?q=a', '/n/prod/logs?q=a'],
    ['https://evil.test/n/x', '/'],
    ['//evil.test', '/'],
    [String.raw`/n/\evil.test`, '/'],
    ['javascript:alert(1)', '/'],
    [null, '/']
  ])('of %s is %s', (requested, path) => {
    expect(returnPath(requested)).toBe(path)
  })
})
