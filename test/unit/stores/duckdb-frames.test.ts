import { describe, expect, it } from '@jest/globals'
import { encodeNullableNumbers, encodeStringColumn, encodeStrings, NULL_LENGTH } from '../../../src/stores/duckdb/wire/columns.js'
import { decodePayload, encodeFrame, FRAME_CALL, FRAME_CANCEL, FrameReader } from '../../../src/stores/duckdb/wire/frames.js'

describe('frames', () => {
  const payload = { args: [1n << 62n, BigInt64Array.of(-1n, 5n), { text: 'ä\0ö', none: null }], method: 'x' }
  const stream = Buffer.concat([
    encodeFrame(1, FRAME_CALL, payload),
    encodeFrame(2, FRAME_CANCEL),
    encodeFrame(0xffffffff, FRAME_CALL, 'last')
  ])

  it.each([1, 2, 3, 8, 9, 10, 64, stream.length])('are cut the same from chunks of %i bytes', size => {
    const reader = new FrameReader()
    const frames = []
    for (let at = 0; at < stream.length; at += size) frames.push(...reader.push(stream.subarray(at, at + size)))
    expect(frames.map(frame => [frame.id, frame.kind, decodePayload(frame)])).toEqual([
      [1, FRAME_CALL, payload],
      [2, FRAME_CANCEL, undefined],
      [0xffffffff, FRAME_CALL, 'last']
    ])
  })

  // Two large frames, a small one between them and one behind.
  const large = 'large'.repeat(40_000)
  const mixed = Buffer.concat([
    encodeFrame(1, FRAME_CALL, large),
    encodeFrame(2, FRAME_CALL, 'small'),
    encodeFrame(3, FRAME_CALL, large),
    encodeFrame(4, FRAME_CANCEL)
  ])

  it.each([1_000, 65_536, 65_545, 199_999, 200_100, mixed.length])('of many bytes are cut the same from chunks of %i', size => {
    const reader = new FrameReader()
    const frames = []
    for (let at = 0; at < mixed.length; at += size) frames.push(...reader.push(mixed.subarray(at, at + size)))
    expect(frames.map(frame => [frame.id, frame.kind, decodePayload(frame)])).toEqual([
      [1, FRAME_CALL, large],
      [2, FRAME_CALL, 'small'],
      [3, FRAME_CALL, large],
      [4, FRAME_CANCEL, undefined]
    ])
    // In memory of their own, so that they hold nothing else and numbers in it are aligned.
    for (const { payload } of [frames[0]!, frames[2]!]) {
      expect([payload.byteOffset, payload.buffer.byteLength]).toEqual([0, payload.length])
    }
  })

  it('refuses a stream that is not one of frames', () => {
    expect(() => new FrameReader().push(Buffer.alloc(64, 0xff))).toThrow('frame of')
    expect(() => new FrameReader().push(Buffer.alloc(9))).toThrow('frame of 0 bytes')
  })
})

describe('columns', () => {
  function decode(values: readonly (string | null)[]): (string | null)[] | null {
    const column = encodeStrings(values, value => value)
    if (column === null) return null
    let at = 0
    return [...column.lengths].map(length => {
      if (length === NULL_LENGTH) return null
      at += length
      return Buffer.from(column.bytes.subarray(at - length, at)).toString()
    })
  }

  it.each([[['a', null, '', 'bc']], [['é', null, '漢字🙂', 'x']], [['']]])('keep the strings %j', values => {
    expect(decode(values)).toEqual(values)
  })

  it('do not join the halves of a surrogate pair across records', () => {
    expect(decode(['a\ud83d', '\ude00b'])).toEqual(['a\ufffd', '\ufffdb'])
  })

  it('hold a text once that all of several records have', () => {
    const pick = (value: string | null): string | null => value
    expect(encodeStringColumn(['é', 'é'], pick)).toEqual({ shared: Buffer.from('é') })
    expect(encodeStringColumn(['', ''], pick)).toEqual({ shared: Buffer.alloc(0) })
    for (const strings of [['a'], ['a', null], [null, 'a'], ['a', 'b'], [null, null]]) {
      expect(encodeStringColumn(strings, pick)).toEqual(encodeStrings(strings, pick))
    }
  })

  it('are left out when no record has a value', () => {
    expect(decode([null, null])).toBeNull()
    expect(encodeNullableNumbers([null, null], value => value)).toBeNull()
    expect(encodeNullableNumbers([null, 0], value => value)).toEqual({ orNaN: Float64Array.of(Number.NaN, 0) })
  })
})
