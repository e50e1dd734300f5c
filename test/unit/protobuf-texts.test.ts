import { expect, it } from '@jest/globals'
import { InternedStrings } from '../../src/wire/protobuf/interned-strings.js'

it('strings of a body are read alike, whatever was read before', () => {
  const strings = new InternedStrings()
  const read = (bytes: Buffer): string => strings.text(bytes, 0, bytes.length)
  // Some of them are kept in the same place.
  for (let i = 0; i < 50_000; i++) {
    const text = `\u00e9${i}`
    expect(read(Buffer.from(text))).toBe(text)
    expect(read(Buffer.from(text, 'latin1'))).toBe(`\ufffd${i}`)
  }
})
