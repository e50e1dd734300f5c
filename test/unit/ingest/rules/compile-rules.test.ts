import { describe, expect, it } from '@jest/globals'
import { DETECTORS, type LogRules, NO_LOG_RULES } from '../../../../src/domain/log-rules.js'
import { compileRules } from '../../../../src/ingest/rules/compile-rules.js'

const repeated = <Value>(count: number, value: (i: number) => Value): readonly Value[] =>
  Array.from({ length: count }, (_, i) => value(i))

function rules(changes: { readonly [Part in keyof LogRules]?: Partial<LogRules[Part]> | LogRules[Part] }): LogRules {
  const { redact, drop = [], fields = [] } = changes
  return { redact: { ...NO_LOG_RULES.redact, ...redact }, drop: drop as LogRules['drop'], fields: fields as LogRules['fields'] }
}

const drop = (query: string, keep = 0, name = 'r') => ({ name, query, keep })

describe('rules that can be followed', () => {
  it('at every bound', () => {
    const all = rules({
      redact: { detectors: DETECTORS, keys: repeated(100, i => `k${i}`), literals: repeated(50, i => `literal ${i}`) },
      drop: [...repeated(19, i => drop(`a:${i}`, 0.5, `r${i}`)), drop(repeated(13, i => `b${i}:1`).join(' OR '))],
      fields: repeated(20, i => ({ when: { a: String(i) }, overrides: { message_field: 'text' } }))
    })
    expect(compileRules(all)).toMatchObject({ drops: { length: 20 } })
  })

  it('none at all are nothing to do', () => {
    expect(compileRules(NO_LOG_RULES)).toEqual({ scanner: null, drops: [], fields: null })
  })
})

describe('rules that cannot', () => {
  it.each([
    [{ redact: { keys: repeated(101, i => `k${i}`) } }, 'redact.keys', '101 names, at most 100'],
    [{ redact: { keys: [''] } }, 'redact.keys', '1 to 128 characters'],
    [{ redact: { literals: repeated(51, i => `literal ${i}`) } }, 'redact.literals', '51 strings, at most 50'],
    [{ redact: { literals: ['abc'] } }, 'redact.literals', '4 to 256 characters (got 3)'],
    [{ redact: { literals: ['x'.repeat(257)] } }, 'redact.literals', '(got 257)'],
    [{ drop: repeated(21, i => drop('a:1', 0, `r${i}`)) }, 'drop', '21 rules, at most 20'],
    [{ drop: [drop(repeated(33, i => `f${i}:1`).join(' OR '))] }, 'drop', '33 conditions'],
    [{ drop: [drop('')] }, 'drop[0].query', 'must have a condition'],
    [{ drop: [drop('a:1', 1)] }, 'drop[0].keep', 'from 0 to less than 1'],
    [{ drop: [drop('a:1', Number.NaN)] }, 'drop[0].keep', 'from 0 to less than 1'],
    [{ drop: [drop('a:x*y')] }, 'drop[0].query', 'regular expression'],
    [{ drop: [drop('(a')] }, 'drop[0].query', 'cannot be parsed'],
    [{ drop: [drop('pattern:abc')] }, 'drop[0].query', 'assigned after the rules'],
    [{ drop: [drop('a:1', 0, '')] }, 'drop[0].name', '1 to 64 characters'],
    [{ drop: [drop('a:1'), drop('b:1')] }, 'drop', 'two rules of one name'],
    [{ fields: repeated(21, () => ({ when: {}, overrides: { message_field: 'a' } })) }, 'fields', '21 rules'],
    [{ fields: [{ when: {}, overrides: {} }] }, 'fields[0]', 'must have an override'],
    [{ fields: [{ when: {}, overrides: { password_field: 'a' } }] }, 'fields[0]', 'unknown override password_field'],
    [{ fields: [{ when: { a: 1 }, overrides: { message_field: 'a' } }] }, 'fields[0].when', 'must be a string'],
    [{ fields: [{ when: {}, overrides: { message_field: 1 } }] }, 'fields[0].message_field', 'must be a string'],
    [{ fields: [{ when: {}, overrides: { timezone: 'Nowhere' } }] }, 'timezone', 'IANA'],
    [
      { fields: [{ when: { a: '1', b: '1', c: '1', d: '1', e: '1' }, overrides: { message_field: 'a' } }] },
      'fields[0].when',
      'has 5 members, at most 4'
    ]
  ])('%j', (changes, field, detail) => {
    const compile = (): unknown => compileRules(rules(changes as Parameters<typeof rules>[0]))
    expect(compile).toThrow(expect.objectContaining({ code: 'invalid_field', field, message: expect.stringContaining(detail) }))
  })
})
