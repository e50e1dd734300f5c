import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import snappy from 'snappyjs'
import { BrokenSnappy, SnappyTooLarge, uncompressSnappy } from '../../../src/wire/snappy.js'

const MAX_BYTES = 10_000_000

function uncompress(block: Buffer, maxBytes = MAX_BYTES): { readonly bytes: Buffer; readonly turns: number } {
  const steps = uncompressSnappy(block, maxBytes)
  let scheduler = 1
  let step = steps.next()
  for (; !step.done; scheduler++) step = steps.next()
  return { bytes: step.value, turns: scheduler }
}

/** The length in front, of less than 2^21. */
function lengthOf(bytes: number): Buffer {
  return Buffer.of((bytes & 0x7f) | 0x80, ((bytes >> 7) & 0x7f) | 0x80, bytes >> 14)
}

describe('a block of snappy', () => {
  it('is uncompressed to what was compressed', () => {
    const repeated = fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 0, max: 400 }))
    fc.assert(
      fc.property(fc.array(repeated, { maxLength: 4 }), parts => {
        const bytes = Buffer.concat(parts.flatMap(([part, times]) => Array.from({ length: times }, () => part)))
        expect(uncompress(Buffer.from(snappy.compress(bytes))).bytes).toEqual(bytes)
      })
    )
  })

  it('may have literals and copies with every length of numbers', () => {
    const literal = Buffer.concat([Buffer.of(61 << 2, 0x2b, 0x01), Buffer.alloc(300, 'abc')])
    const near = Buffer.of((0 << 5) | (3 << 2) | 1, 3)
    const far = Buffer.of((9 << 2) | 2, 0x2c, 0x01)
    const farther = Buffer.of((9 << 2) | 3, 0x2c, 0x01, 0, 0)
    const { bytes } = uncompress(Buffer.concat([lengthOf(327), literal, near, far, farther]))
    expect(bytes.toString()).toBe('abc'.repeat(109))
  })

  it.each<[string, Buffer]>([
    ['is empty', Buffer.alloc(0)],
    ['has no end of its length', Buffer.alloc(6, 0xff)],
    ['ends within a literal', Buffer.of(3, 2 << 2, 0x61)],
    ['ends within the length of a literal', Buffer.of(3, 62 << 2, 0x61)],
    ['ends within a copy', Buffer.of(5, 0, 0x61, 1)],
    ['makes fewer bytes than it states', Buffer.of(3, 0, 0x61)],
    ['makes more bytes than it states', Buffer.of(1, 1 << 2, 0x61, 0x61)],
    ['copies more bytes than it states', Buffer.of(4, 0, 0x61, 1, 1)],
    ['copies from before its beginning', Buffer.of(5, 0, 0x61, 1, 2)],
    ['copies from its own position', Buffer.of(5, 0, 0x61, 1, 0)]
  ])('is refused that %s', (_, block) => {
    expect(() => uncompress(block)).toThrow(BrokenSnappy)
  })

  it('is refused before memory is taken when it reports that it is too large', () => {
    expect(() => uncompress(Buffer.of(0xff, 0xff, 0xff, 0xff, 0x0f), 1_000)).toThrow(SnappyTooLarge)
    expect(uncompress(Buffer.concat([lengthOf(3), Buffer.of(2 << 2), Buffer.from('abc')]), 3).bytes.toString()).toBe('abc')
  })

  it('lets other work have its turn, of many small elements too', () => {
    const copies = Buffer.concat(Array.from({ length: 500_000 }, () => Buffer.of(2, 1, 0)))
    expect(uncompress(Buffer.concat([lengthOf(500_001), Buffer.of(0, 0x61), copies])).turns).toBeGreaterThan(4)
  })
})
