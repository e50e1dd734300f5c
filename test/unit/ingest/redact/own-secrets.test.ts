import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { SecretScanner } from '../../../../src/ingest/redact/secret-scanner.js'

function redactor(keys: readonly string[], literals: readonly string[] = []): (text: string) => string {
  const scanner = new SecretScanner({ detectors: [], keys, literals })
  return text => scanner.redact(text, () => undefined)
}

describe('values of named members in strings', () => {
  const redact = redactor(['password', 'http.token', 'Authorization'])

  it.each([
    ['password=hunter2 user=ada', 'password=[redacted:key] user=ada'],
    ['PASSWORD = hunter2', 'PASSWORD = [redacted:key]'],
    ['password: hunter2, user: ada', 'password: [redacted:key], user: ada'],
    ['{"password":"hunter \\"2\\"","a":1}', '{"password":"[redacted:key]","a":1}'],
    ["{'password': 'hunter2'}", "{'password': '[redacted:key]'}"],
    ['"{\\"password\\":\\"hunter2\\",\\"a\\":1}"', '"{\\"password\\":\\"[redacted:key]\\",\\"a\\":1}"'],
    ['db.password=x', 'db.password=[redacted:key]'],
    ['?password=x&next=y', '?password=[redacted:key]&next=y'],
    ['Authorization: Bearer abc.def user', 'Authorization: Bearer [redacted:key] user'],
    ['authorization: Basic dXNlcjpwYXNz', 'authorization: Basic [redacted:key]'],
    ['Authorization: Negotiate YIIabc user', 'Authorization: Negotiate [redacted:key] user'],
    ['{"user"=>"ada", "password"=>"hunter2"}', '{"user"=>"ada", "password"=>"[redacted:key]"}'],
    [':password => hunter2', ':password => [redacted:key]'],
    ['http.token=x token=y', 'http.token=[redacted:key] token=y'],
    ['password="not closed', 'password="[redacted:key]'],
    ['{"password":{"pin":"1}"},"a":1}', '{"password":[redacted:key],"a":1}'],
    ['{"password":["x","y"],"a":1}', '{"password":[redacted:key],"a":1}'],
    ['password={not closed', 'password=[redacted:key]'],
    ['{\\"password\\":\\"ab\\\\\\"cd\\",\\"a\\":1}', '{\\"password\\":\\"[redacted:key]\\",\\"a\\":1}'],
    ['{"body":"user: ada\\npassword: hunter2"}', '{"body":"user: ada\\npassword: [redacted:key]"}'],
    ['{"url":"?user=ada\\u0026password=hunter2"}', '{"url":"?user=ada\\u0026password=[redacted:key]"}'],
    ['next=%2Fa%3Fuser=ada%26password=hunter2', 'next=%2Fa%3Fuser=ada%26password=[redacted:key]']
  ])('%s', (text, expected) => expect(redact(text)).toBe(expected))

  it.each([1, 2, 3, 4])('in JSON within %d strings', depth => {
    const nested = (password: unknown): string => {
      let json = JSON.stringify({ password, a: 1 })
      for (let i = 1; i < depth; i++) json = JSON.stringify({ json })
      return json
    }
    for (const password of ['hunter2', 'the "2nd" one']) expect(redact(nested(password))).toBe(nested('[redacted:key]'))
    for (const password of [
      ['a]hunter2'],
      { pin: 'a}hunter2', b: [] },
      { 'a"}': 'hunter2"]' },
      { 'C:\\': '}hunter2', b: '\\"' }
    ]) {
      expect(redact(nested(password))).toMatch(/^[^0-9]*\[redacted:key\],\\*"a\\*":1[}"\\]*$/)
    }
  })

  it.each(['password', 'password=', 'password:', 'passwords=x', 'my_password=x', 'a password'])('not %s', text =>
    expect(redact(text)).toBe(text)
  )

  it('changes nothing that it has replaced', () => {
    const once = redact('password=hunter2 {"password":"x"}')
    expect(redact(once)).toBe(once)
  })
})

describe('own strings', () => {
  it.each([
    [['hunter2'], 'a hunter2b', 'a [redacted:literal]b'],
    [['hunter2'], 'a Hunter2', 'a Hunter2'],
    [['abcd', 'bcde'], 'xabcdey', 'x[redacted:literal]y'],
    [['abab'], 'ababab', '[redacted:literal]'],
    [['abcdef', 'cdef'], 'abcdeg cdef', 'abcdeg [redacted:literal]']
  ])('%j in %s', (literals, text, expected) => expect(redactor([], literals)(text)).toBe(expected))

  it('leaves none of them, and nothing else away', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 })
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 40 })
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), text, (literals, given) => {
        const covered = [...given].map((_, at) =>
          literals.some(literal => {
            const from = Math.max(0, at - literal.length + 1)
            return given.slice(from, at + literal.length).includes(literal)
          })
        )
        const left = redactor([], literals)(given).replaceAll('[redacted:literal]', '')
        expect(left).toBe([...given].filter((_, at) => !covered[at]).join(''))
      })
    )
  })
})
