import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { exactNumber } from '../../../src/domain/number-text.js'
import { parseQuery } from '../../../src/query/search-language/parse-query.js'
import { writeBoth, writeCompared, writeEquals, writeExists } from '../../../src/query/search-language/write-condition.js'
import { LOG_VOCABULARY } from '../../../src/query/vocabulary.js'

const parse = (query: string) => parseQuery(query, LOG_VOCABULARY)
const names = fc.oneof(
  fc.constantFrom('service', 'log_fields.a b', 'tags."x":y', '-x', '1st', 'OR', 'ключ', '\u{1d4b3}'),
  fc.string({ minLength: 1 })
)
const values = fc.oneof(fc.constantFrom('1.10', '0', '-7', '1e3', '12345678901234567'), fc.string({ minLength: 1 }))

describe('written conditions', () => {
  it('read as what they were written of, whatever the field and the value', () => {
    fc.assert(
      fc.property(names, values, (name, value) => {
        const field = `tags.${name}`
        // Of a number, its other spellings are not found.
        const of = exactNumber(value) === null ? { kind: 'eq', value } : { kind: 'text', values: [value] }
        expect(parse(writeEquals(field, value))).toEqual({ ...of, field: { in: 'tags', name } })
        expect(parse(writeExists(field))).toEqual({ kind: 'exists', field: { in: 'tags', name } })
        expect(parse(writeCompared(field, '>=2.5'))).toEqual({ kind: 'range', field: { in: 'tags', name }, gte: '2.5' })
      })
    )
  })

  it('keep to the query that they are added to', () => {
    expect(writeBoth('  ', 'a:"b"')).toBe('a:"b"')
    expect(writeBoth(undefined, 'a:"b"')).toBe('a:"b"')
    expect(parse(writeBoth('x OR y', 'service:"b"'))).toEqual(parse('(x OR y) AND service:"b"'))
  })
})
