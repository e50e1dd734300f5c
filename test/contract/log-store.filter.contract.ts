import { expect, it } from '@jest/globals'
import { MATCH_ALL, type Field, type Filter } from '../../src/domain/filter.js'
import type { JsonObject } from '../../src/domain/json.js'
import { free, known, messagesOf, storeApart } from './log-fixtures.js'
import { BASE_NS, describeStores, newNamespace, type OpenStores } from './store-under-test.js'

const X = free('x')

/** Values of field x by the message that carries them. */
const VALUES: Readonly<Record<string, JsonObject>> = {
  'a number': { x: 1 },
  'its text': { x: '1' },
  'its decimal': { x: '1.0' },
  'a fraction': { x: 1.5 },
  'a big number': { x: 200 },
  'a word': { x: 'blue' },
  'another word': { x: 'Blue-green' },
  truth: { x: true },
  many: { x: ['red', 1, null] },
  'a bracket': { x: '[red' },
  empty: { x: '' },
  'an empty list': { x: [] },
  null: { x: null },
  absent: { y: 'blue' },
  'many digits': { x: '9007199254740993' },
  'other digits': { x: '9007199254740992' }
}

const CASES: readonly (readonly [string, Filter, readonly string[]])[] = [
  ['eq finds all spellings of a number', { kind: 'eq', field: X, value: '1' }, ['a number', 'its decimal', 'its text', 'many']],
  ['eq by another spelling', { kind: 'eq', field: X, value: '1.00' }, ['a number', 'its decimal', 'its text', 'many']],
  ['eq distinguishes long digits', { kind: 'eq', field: X, value: '9007199254740993' }, ['many digits']],
  ['eq minds case', { kind: 'eq', field: X, value: 'Blue' }, []],
  ['eq takes truth as a text', { kind: 'eq', field: X, value: 'true' }, ['truth']],
  ['eq looks into lists', { kind: 'eq', field: X, value: 'red' }, ['many']],
  ['eq of a text with a bracket', { kind: 'eq', field: X, value: '[red' }, ['a bracket']],
  ['text is one spelling of a number', { kind: 'text', field: X, values: ['1'] }, ['a number', 'its text', 'many']],
  ['text is another spelling', { kind: 'text', field: X, values: ['1.0', 'red'] }, ['its decimal', 'many']],
  ['text of a fraction', { kind: 'text', field: X, values: ['1.5', '1.50'] }, ['a fraction']],
  ['text of nothing', { kind: 'text', field: X, values: [] }, []],
  ['in takes any of several', { kind: 'in', field: X, values: ['blue', 'red', '200'] }, ['a big number', 'a word', 'many']],
  ['in of nothing', { kind: 'in', field: X, values: [] }, []],
  ['prefix minds case', { kind: 'prefix', field: X, value: 'Blue' }, ['another word']],
  ['contains ignores case', { kind: 'contains', field: X, value: 'BLUE' }, ['a word', 'another word']],
  ['contains looks into lists', { kind: 'contains', field: X, value: 'ED' }, ['a bracket', 'many']],
  ['a numeric bound compares numbers', { kind: 'range', field: X, gt: '1', lte: '200' }, ['a big number', 'a fraction']],
  ['a string bound compares strings', { kind: 'range', field: X, gte: 'blue', lt: 'c' }, ['a word']],
  ['regex matches the whole value', { kind: 'regex', field: X, pattern: 'bl.e', fold: false }, ['a word']],
  ['regex with folding', { kind: 'regex', field: X, pattern: 'BLUE-.*', fold: true }, ['another word']],
  [
    'exists leaves null, empty and absent out',
    { kind: 'not', of: { kind: 'exists', field: X } },
    ['absent', 'an empty list', 'empty', 'null']
  ],
  [
    'not of a condition takes records without the field',
    { kind: 'not', of: { kind: 'range', field: X, gte: '0' } },
    ['a bracket', 'a word', 'absent', 'an empty list', 'another word', 'empty', 'null', 'truth']
  ],
  ['and of nothing', MATCH_ALL, Object.keys(VALUES).sort()],
  ['or of nothing', { kind: 'or', of: [] }, []],
  [
    'nested logic',
    {
      kind: 'and',
      of: [
        {
          kind: 'or',
          of: [
            { kind: 'eq', field: X, value: 'blue' },
            { kind: 'eq', field: free('y'), value: 'blue' }
          ]
        },
        { kind: 'not', of: { kind: 'exists', field: X } }
      ]
    },
    ['absent']
  ]
]

const ODD_NAMES = [
  'a.b',
  'sp ace',
  'quo"te',
  "apo'strophe",
  'back\\slash',
  'sl/ash',
  'til~de',
  '$',
  '*',
  '[0]',
  '0',
  'ключ',
  '\u{1f511}',
  '__proto__'
]

/** Every member of the filter union on well-known and free fields. */
export function logFilterContract(name: string, open: OpenStores): void {
  describeStores(`${name}: LogStore filters`, open, of => {
    it('evaluates every condition on a free field', async () => {
      const ns = newNamespace()
      await storeApart(
        of().logs,
        ns,
        Object.entries(VALUES).map(([message, fields]) => ({ message, fields }))
      )
      for (const [title, filter, expected] of CASES) {
        expect([title, await messagesOf(of().logs, ns, filter)]).toEqual([title, expected])
      }
    })

    it('finds fields whatever they are called', async () => {
      const ns = newNamespace()
      // A computed member called __proto__ is an own one.
      const withValue = (field: string): JsonObject => ({ [field]: 'here' })
      await storeApart(
        of().logs,
        ns,
        ODD_NAMES.map(field => ({ message: field, fields: withValue(field) }))
      )
      for (const field of ODD_NAMES) {
        expect(await messagesOf(of().logs, ns, { kind: 'eq', field: free(field), value: 'here' })).toEqual([field])
      }
    })

    it('reaches nested objects and lists of objects by dotted names', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, [
        { message: 'nested', fields: { http: { request: { method: 'GET' } } } },
        { message: 'dotted', fields: { 'http.request.method': 'GET' } },
        { message: 'list', fields: { http: [{ request: { method: 'PUT' } }, { request: { method: 'GET' } }] } }
      ])
      const filter: Filter = { kind: 'eq', field: free('http.request.method'), value: 'GET' }
      expect(await messagesOf(of().logs, ns, filter)).toEqual(['dotted', 'list', 'nested'])
    })

    it('looks where the field directs: log_fields, tags or either', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, [
        { message: 'in fields', fields: { k: 'v' } },
        { message: 'in tags', tags: { k: 'v' } }
      ])
      const eq = (field: Field): Filter => ({ kind: 'eq', field, value: 'v' })
      expect(await messagesOf(of().logs, ns, eq({ in: 'log_fields', name: 'k' }))).toEqual(['in fields'])
      expect(await messagesOf(of().logs, ns, eq({ in: 'tags', name: 'k' }))).toEqual(['in tags'])
      expect(await messagesOf(of().logs, ns, eq(free('k')))).toEqual(['in fields', 'in tags'])
    })

    it('filters by well-known fields', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, [
        { message: 'error', at: 10, level: 'error', severityNumber: 17, service: 'shop', host: 'h1', traceId: 'abc', source: '' },
        { message: 'info', at: 20, level: 'info', severityNumber: 9, service: 'Shop', host: 'h2', spanId: 'def' },
        { message: 'bare', at: 30 }
      ])
      const expectFound = async (filter: Filter, expected: readonly string[]) =>
        expect([filter, await messagesOf(of().logs, ns, filter)]).toEqual([filter, expected])
      await expectFound({ kind: 'eq', field: known('service'), value: 'shop' }, ['error'])
      await expectFound({ kind: 'contains', field: known('service'), value: 'SHOP' }, ['error', 'info'])
      await expectFound({ kind: 'in', field: known('level'), values: ['error', 'warn'] }, ['error'])
      await expectFound({ kind: 'range', field: known('severity_number'), gte: '9' }, ['error', 'info'])
      await expectFound({ kind: 'eq', field: known('severity_number'), value: '17' }, ['error'])
      await expectFound({ kind: 'exists', field: known('source') }, [])
      await expectFound({ kind: 'eq', field: known('trace_id'), value: 'abc' }, ['error'])
      await expectFound({ kind: 'prefix', field: known('host'), value: 'h' }, ['error', 'info'])
      await expectFound({ kind: 'not', of: { kind: 'eq', field: known('host'), value: 'h1' } }, ['bare', 'info'])
      const [from, to] = [String(BASE_NS + 20n), String(BASE_NS + 30n)]
      await expectFound({ kind: 'range', field: known('timestamp'), gte: from, lt: to }, ['info'])
      await expectFound({ kind: 'eq', field: known('timestamp'), value: from }, ['info'])
      await expectFound({ kind: 'regex', field: known('message'), pattern: '(b|x)are?', fold: false }, ['bare'])
    })

    it('lets a dot of a regex match line ends', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, [{ message: 'first\nsecond' }])
      const filter: Filter = { kind: 'regex', field: known('message'), pattern: 'first.*second', fold: false }
      expect(await messagesOf(of().logs, ns, filter)).toHaveLength(1)
    })

    it.each(['=', '=-', 'Ab'])('finds strings of thousands of %j', async unit => {
      const ns = newNamespace()
      const long = (length: number): string => unit.repeat(length / unit.length)
      await storeApart(of().logs, ns, [
        { message: 'short', fields: { x: long(400) } },
        { message: 'long', fields: { x: `a${long(4_000)}b` } }
      ])
      const found = (value: string): Promise<readonly string[]> =>
        messagesOf(of().logs, ns, { kind: 'contains', field: X, value })
      expect(await found(long(400))).toEqual(['long', 'short'])
      for (const length of [600, 1_000, 4_000]) expect(await found(long(length))).toEqual(['long'])
      expect(await found(long(4_002))).toEqual([])
    })

    it.each([
      ['.*a.{12}', 'xa123456789012'],
      ['.*a.{30}', 'xa123456789012345678901234567890'],
      ['(a|b|ab)*c', 'ababababc'],
      ['.*(a.{8}b|b.{9}c).*', 'a12345678b'],
      ['={500}', '='.repeat(500)],
      ['.*={500}.*', `a${'='.repeat(500)}b`]
    ])('evaluates the regex %s, whose automaton is large', async (pattern, value) => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, [
        { message: 'found', fields: { x: value } },
        { message: 'other', fields: { x: value.slice(0, -2) } }
      ])
      expect(await messagesOf(of().logs, ns, { kind: 'regex', field: X, pattern, fold: false })).toEqual(['found'])
    })

    it('summarizes the free fields of the newest matching rows', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, [
        { at: 1, message: 'old', fields: { only_old: 1 } },
        { at: 2, fields: { n: 1, mixed: 1, none: null }, tags: { t: true } },
        { at: 3, fields: { n: 2.5, mixed: 'x' } },
        { at: 4, fields: { n: 2.5, s: ['a', 'b'] } }
      ])
      const filter: Filter = { kind: 'not', of: { kind: 'eq', field: known('message'), value: 'old' } }
      const range = { startNs: BASE_NS, endNs: BASE_NS + 100n }
      const all = await of().logs.fields(ns, { range, filter, limit: 10, sampleRows: 100 }, new AbortController().signal)
      expect(all.sampled).toBe(false)
      const summary = all.fields.map(({ field, type, count }) => `${field.in} ${field.name} ${type} ${count}`)
      expect(summary[0]).toBe('log_fields n number 3')
      expect(summary.toSorted()).toEqual(
        ['log_fields n number 3', 'log_fields mixed string 2', 'log_fields s string 1', 'tags t boolean 1'].sort()
      )
      const cut = await of().logs.fields(ns, { range, filter, limit: 1, sampleRows: 1 }, new AbortController().signal)
      expect(cut.sampled).toBe(true)
      expect(cut.fields).toHaveLength(1)
    })
  })
}
