import type { Field, Filter } from '../../src/domain/filter.js'

const service: Field = { in: 'known', name: 'service' }
const message: Field = { in: 'known', name: 'message' }
const severity: Field = { in: 'known', name: 'severity_number' }
const timestamp: Field = { in: 'known', name: 'timestamp' }
const tag: Field = { in: 'tags', name: 'a/b"c' }
const free: Field = { in: 'free', name: 'user.id' }

const logField: Field = { in: 'log_fields', name: 'user.id' }
const trace: Field = { in: 'known', name: 'trace_id' }

const MANY = Array.from({ length: 17 }, (_, i) => String(i))

/** One case per member of the filter union and kind of field. */
export const FILTER_CASES: Readonly<Record<string, Filter>> = {
  'eq on a column': { kind: 'eq', field: service, value: "it's" },
  'eq on a number': { kind: 'eq', field: severity, value: '17' },
  'eq of a word on a number': { kind: 'eq', field: severity, value: 'high' },
  'eq on the time': { kind: 'eq', field: timestamp, value: '1700000000000000001' },
  'eq on a tag': { kind: 'eq', field: tag, value: 'x' },
  'eq of a number on a tag': { kind: 'eq', field: tag, value: '1' },
  'eq on a free field': { kind: 'eq', field: free, value: 'x' },
  'in on a column': { kind: 'in', field: service, values: ['a', 'b'] },
  'in of many on a column': { kind: 'in', field: service, values: MANY },
  'in of many on a number': { kind: 'in', field: severity, values: MANY },
  'in of many on the time': { kind: 'in', field: timestamp, values: MANY },
  'in on a tag': { kind: 'in', field: tag, values: ['a', '1', '1.0', '1234567890123456'] },
  'in of words on a tag': { kind: 'in', field: tag, values: ['a', 'b'] },
  'in of nothing on a tag': { kind: 'in', field: tag, values: [] },
  'in of nothing': { kind: 'in', field: service, values: [] },
  'exists on a column': { kind: 'exists', field: service },
  'exists on a number': { kind: 'exists', field: severity },
  'range of numbers on a column': { kind: 'range', field: service, gt: '1', lte: '2' },
  'range of strings on a column': { kind: 'range', field: service, gte: 'a', lt: 'b' },
  'range on a number': { kind: 'range', field: severity, gte: '9' },
  'range on the time': { kind: 'range', field: timestamp, gte: '5', lt: '9' },
  'range without bounds': { kind: 'range', field: service },
  'contains without letters': { kind: 'contains', field: message, value: '10.0.0.1' },
  'contains with plain letters': { kind: 'contains', field: message, value: 'Eclat%_' },
  'contains with letters of many forms': { kind: 'contains', field: message, value: 'ssss' },
  'contains on a column without folded strings': { kind: 'contains', field: service, value: 'ssss' },
  'prefix on a column': { kind: 'prefix', field: service, value: 'we%' },
  'regex on a column': { kind: 'regex', field: service, pattern: 'a.*', fold: false },
  'regex with folding': { kind: 'regex', field: message, pattern: 'A.*', fold: true },
  'contains of one letter': { kind: 'contains', field: message, value: 'K' },
  'contains of three letters': { kind: 'contains', field: message, value: 'a b' },
  'contains of nothing': { kind: 'contains', field: message, value: '' },
  'contains on a tag': { kind: 'contains', field: tag, value: 'x&"' },
  'exists on a free field': { kind: 'exists', field: free },
  'prefix on a free field': { kind: 'prefix', field: free, value: 'we%' },
  'range of numbers on a free field': { kind: 'range', field: free, gt: '-3', lte: '2.50' },
  'range of a number and a text on a tag': { kind: 'range', field: tag, gt: '1', lt: 'b' },
  'range of strings in log_fields': { kind: 'range', field: logField, gte: 'a' },
  'regex on a tag': { kind: 'regex', field: tag, pattern: '(a|b)c', fold: false },
  'regex with operators of one engine': { kind: 'regex', field: free, pattern: '\\#\\@\\&\\<\\>\\~\\"x', fold: false },
  'regex with a folded class': { kind: 'regex', field: service, pattern: '[j-l]+[^S]', fold: true },
  'many equalities of two fields': {
    kind: 'or',
    of: [
      ...MANY.map(value => ({ kind: 'eq' as const, field: trace, value: `t${value}` })),
      { kind: 'eq', field: service, value: 'a' },
      { kind: 'in', field: trace, values: ['t0', 'u'] }
    ]
  },
  'not of a condition that needs a look': { kind: 'not', of: { kind: 'range', field: service, gt: '1' } },
  'not, and, or': {
    kind: 'and',
    of: [
      { kind: 'not', of: { kind: 'eq', field: service, value: 'a' } },
      {
        kind: 'or',
        of: [
          { kind: 'exists', field: service },
          { kind: 'and', of: [] },
          { kind: 'or', of: [] }
        ]
      }
    ]
  }
}
