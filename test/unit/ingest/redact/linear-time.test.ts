import { describe, expect, it } from '@jest/globals'
import { DETECTORS } from '../../../../src/domain/log-rules.js'
import { SecretScanner } from '../../../../src/ingest/redact/secret-scanner.js'

const STEPS_PER_CHARACTER = 400

/** A string that counts the characters that are looked at. Squared counts would take hours: it throws long before. */
class CountedText extends String {
  steps = 0

  override charCodeAt(at: number): number {
    this.#count(1)
    return super.charCodeAt(at)
  }

  override startsWith(search: string, at?: number): boolean {
    this.#count(search.length)
    return super.startsWith(search, at)
  }

  override slice(start = 0, end = this.length): string {
    const part = super.slice(start, end)
    this.#count(part.length)
    return part
  }

  override indexOf(search: string, from = 0): number {
    const at = super.indexOf(search, from)
    this.#count((at < 0 ? this.length : at) - from + search.length)
    return at
  }

  #count(steps: number): void {
    this.steps += steps
    if (this.steps > STEPS_PER_CHARACTER * this.length) throw new RangeError(`${this.steps} steps for ${this.length} characters`)
  }
}

const rules = { detectors: DETECTORS, keys: ['password', 'a'], literals: [] }
function stepsOf(unit: string, length: number): number {
  const text = new CountedText(unit.repeat(Math.ceil(length / unit.length)))
  new SecretScanner(rules).redact(text as unknown as string, () => undefined)
  return text.steps
}

const HOSTILE = [
  ...['1', '4', '4 ', '4-', '4111-', '4111 1111 1111 111', '41111111111111111', '@', 'a@', 'a.@', '@a.', 'a@b.', 'a@b.c@', '%40'],
  ...[
    'a'.repeat(64) + '@',
    '@' + 'a'.repeat(300),
    '.',
    '-',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY----',
    '-----BEGIN A PRIVATE KEY-----'
  ],
  ...[
    '://',
    'a://',
    'a://b:',
    'a://' + 'b:'.repeat(500),
    'eyJ',
    'eyJ_',
    'eyJ-eyJ.',
    'eyJaaaaaaaa.',
    'eyJ_a_a_a_a_a',
    'sk-',
    'ghp_',
    'AKIA',
    'xoxb-'
  ],
  ...[
    '=',
    ':',
    'password=',
    'password=[redacted:',
    'password: Bearer [redacted:',
    'password={',
    'password=[{"',
    'password="',
    "password='",
    'password:\\"',
    'a="\\',
    '"',
    '\\',
    'a=',
    'aaaa=',
    'Bearer ',
    'password: Bearer '
  ],
  ...['\u00fc', '\u00fc@', 'ü.ü@ü.ü', ' ', '\n']
]

describe('the time of a scan', () => {
  it.each(HOSTILE)('grows with the length alone: %j', unit => {
    const [short, long] = [stepsOf(unit, 50_000), stepsOf(unit, 400_000)]
    // Eight times as long: about eight times as many, never squared.
    expect(long).toBeLessThan(short * 8 * 1.1 + 10_000)
  })

  it.each(['Bearer ', 'token\t'])('is not bounded by the stack: many %j after a name', scheme => {
    const text = `password: ${scheme.repeat(40_000)}hunter2`
    const redacted = new SecretScanner(rules).redact(text, () => undefined)
    expect(redacted).toBe(text.replace('hunter2', '[redacted:key]'))
  })

  it('takes a megabyte of digits and of @ at a few looks a character', () => {
    for (const unit of ['1', '@']) expect(stepsOf(unit, 1_048_576)).toBeLessThan(1_048_576 * 8)
  })
})
