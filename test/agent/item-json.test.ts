import { describe, expect, it } from '@jest/globals'
import { JsonBytes } from '../../agent/src/deliver/json-bytes.js'
import { itemJson } from '../../agent/src/parse/item-json.js'
import { seededRandom } from '../../bench/generate/random.js'

/** Each kind of character that JSON treats in its own way, and their neighbours. */
const CHARS = [
  'a',
  ' ',
  '"',
  '\\',
  '/',
  '\n',
  '\u0000',
  '\u001f',
  '~',
  '\u007f',
  '\u0080',
  'é',
  '\u2028',
  '\ud83d\ude00',
  '\ud83d',
  '\ude00'
]

describe('the JSON of a record', () => {
  it('is that of JSON.stringify, whatever the record has', () => {
    const random = seededRandom(20)
    const text = (): string =>
      Array.from({ length: random.below(70) }, () => (random.next() < 0.7 ? 'x' : random.pick(CHARS))).join('')
    const some = <T>(value: T): T | undefined => (random.next() < 0.5 ? value : undefined)
    for (let i = 0; i < 2_000; i++) {
      const fields = { [text()]: text(), b: i, [text()]: null, c: [text()], d: { e: true } }
      const item = { message: text(), timestamp: some(text()), host: some(text()), service: some(text()), level: some(text()) }
      const found = { ...item, trace_id: some(text()), span_id: some(text()), log_fields: some(fields) }
      expect(itemJson(JSON.parse(JSON.stringify(found)) as typeof found)).toBe(JSON.stringify(found))
    }
  })
})

describe('JSON that is written piece by piece', () => {
  it('has all pieces, also when it is longer than expected', () => {
    const json = new JsonBytes(10)
    const pieces = Array.from({ length: 300 }, (_, i) => `${i}${'é\u{1f600}'.repeat(i % 50)}`)
    for (const piece of pieces) json.add(piece)
    expect(json.bytes().toString()).toBe(pieces.join(''))
  })
})
