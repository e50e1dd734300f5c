import { describe, expect, it } from '@jest/globals'
import { parsePromql } from '../../../src/query/promql/syntax/parser.js'
import { QueryValidator } from '../../../src/query/query-validation.js'

const validator = new QueryValidator({ parse: query => parsePromql(query) })

/** The part of the text that is marked. */
function marked(text: string, language: 'search' | 'promql' = 'search'): string | null {
  const [fault] = validator.validate(language, text).errors
  return fault ? text.slice(fault.from, fault.to) : null
}

describe('validation of searches', () => {
  it.each([
    ['', 'everything'],
    ['level:ERROR', 'level is "error"'],
    ['level:error service:payment "timed out"', 'level is "error" and service is "payment" and message contains "timed out"'],
    ['-level:debug -service:a -service:b', 'level is not "debug" and service is not "a" or "b"'],
    ['(level:error OR status:>=500) -host:*', '(level is "error" or status is at least 500) and host is absent'],
    ['NOT (level:error OR level:warn)', 'level is not "error" or "warn"'],
    ['NOT (service:a host:b)', 'service is not "a" or host is not "b"'],
    ['user.id:*', 'user.id is present'],
    ['host:web*', 'host begins with "web"'],
    ['-host:web*1', 'host does not match "web.*1"'],
    ['duration_ms:(>5 <=10)', 'duration_ms is greater than 5 and duration_ms is at most 10']
  ])('explains %s', (text, explanation) => {
    expect(validator.validate('search', text)).toEqual({ ok: true, errors: [], explanation })
  })

  it.each([
    ['level:error "timed out', '"timed', 'the quotation mark is not closed', 'add a closing "'],
    ['level:error OR', '', 'the query ends where a word is expected', null],
    ['a ) b', ')', 'unexpected closing parenthesis', 'write \\) for the character'],
    ['(level:error', '(level:error', 'this parenthesis is not closed', 'add a closing )'],
    ['level:>loud now', '>loud', 'level: "loud" is not a known level', 'trace'],
    ['x AND AND y', 'AND', 'AND requires an operand on both sides', '"AND" to search for the word']
  ])('marks the fault of %s', (text, part, message, suggestion) => {
    expect(marked(text)).toBe(part)
    const { ok, errors, explanation } = validator.validate('search', text)
    expect({ ok, explanation, message: errors[0]!.message, suggestion: errors[0]!.suggestion }).toEqual({
      ...{ ok: false, explanation: null, message, suggestion }
    })
  })

  it('marks the whole text when it is too long, and bounds the explanation', () => {
    expect(validator.validate('search', 'x'.repeat(8_193)).errors).toMatchObject([{ from: 8_192, to: 8_193 }])
    const long = Array.from({ length: 60 }, (_, i) => `f${i}:${'v'.repeat(100)}`).join(' ')
    expect(validator.validate('search', long).explanation).toHaveLength(2_001)
    expect(validator.validate('search', `service:(${'abcdefg'.split('').join(' OR ')})`).explanation).toBe(
      'service is "a", "b", "c", "d", "e" or 2 more'
    )
  })
})

describe('validation of PromQL', () => {
  it('accepts what can be read', () => {
    expect(validator.validate('promql', 'rate(http_requests_total[5m])')).toEqual({ ok: true, errors: [], explanation: null })
  })

  it('marks the character at fault', () => {
    expect(validator.validate('promql', 'sum by (')).toMatchObject({ ok: false, errors: [{ from: 8, to: 8 }] })
    expect(marked('rate(up)', 'promql')).toBe('up')
    expect(marked('up + nonsense(1)', 'promql')).toBe('nonsense')
    expect(validator.validate('promql', 'rate(up)').errors[0]!.message).toMatch(/parse error/)
    expect(validator.validate('promql', '').errors).toMatchObject([{ from: 0, to: 0 }])
  })
})
