import { describe, expect, it, jest } from '@jest/globals'
import * as fc from 'fast-check'
import { type Line, LineSplitter } from '../../agent/src/files/line-splitter.js'
import { LIMITS } from '../../agent/src/limits.js'

function split(chunks: readonly Buffer[]): { readonly lines: readonly Line[]; readonly half: Line | null } {
  const splitter = new LineSplitter()
  const lines: Line[] = []
  for (const chunk of chunks) expect(splitter.push(chunk, lines)).toBe(chunk.length)
  return { lines, half: splitter.flush() }
}

const stringsOf = (...chunks: readonly string[]): readonly string[] =>
  split(chunks.map(chunk => Buffer.from(chunk))).lines.map(({ text }) => text)

describe('lines of a file', () => {
  it('end with a line feed, with or without a carriage return', () => {
    expect(stringsOf('a\r\nb\n\r\n\nc\rd\n')).toEqual(['a', 'b', '', '', 'c\rd'])
  })

  it('wait for their end', () => {
    const { lines, half } = split([Buffer.from('one\ntw')])
    expect([lines, half]).toEqual([
      [{ text: 'one', bytes: 4, isTruncated: false, isPartial: false }],
      { text: 'tw', bytes: 2, isTruncated: false, isPartial: true }
    ])
    expect(stringsOf('t', 'w', 'o\r', '\n')).toEqual(['two'])
  })

  it('keep a NUL and replace invalid UTF-8', () => {
    const { lines } = split([Buffer.from([0x61, 0x00, 0xff, 0x0a])])
    expect(lines[0]!.text).toBe('a\u0000\ufffd')
  })

  it('begin behind zero bytes, of which a file that was truncated may have any number', () => {
    const zeros = Buffer.alloc(LIMITS.lineBytes)
    const { lines, half } = split([zeros, zeros, Buffer.from('one\n\0two\nthree\n'), zeros])
    expect(lines).toEqual([
      { text: 'one', bytes: 2 * LIMITS.lineBytes + 4, isTruncated: false, isPartial: false },
      { text: 'two', bytes: 5, isTruncated: false, isPartial: false },
      { text: 'three', bytes: 6, isTruncated: false, isPartial: false }
    ])
    expect(half).toEqual({ text: '', bytes: LIMITS.lineBytes, isTruncated: false, isPartial: true })
    const long = split([zeros, Buffer.from(`${'x'.repeat(LIMITS.lineBytes + 1)}\n`)]).lines[0]!
    expect([long.isTruncated, long.text.length]).toEqual([true, LIMITS.lineBytes])
  })

  it('have no byte order mark', () => {
    expect(stringsOf('\ufeff{"a":1}\nb\ufeffc\n')).toEqual(['{"a":1}', 'b\ufeffc'])
  })

  it('are cut at the limit, and not before it', () => {
    const at = (bytes: number): Line => split([Buffer.from('x'.repeat(bytes)), Buffer.from('\nnext\n')]).lines[0]!
    expect(at(LIMITS.lineBytes)).toMatchObject({ isTruncated: false, bytes: LIMITS.lineBytes + 1 })
    const longer = at(LIMITS.lineBytes + 5)
    expect(longer).toMatchObject({ isTruncated: true, bytes: LIMITS.lineBytes + 6 })
    expect(longer.text).toHaveLength(LIMITS.lineBytes)
  })

  it('are not read beyond the requested number', () => {
    const splitter = new LineSplitter()
    const lines: Line[] = []
    expect(splitter.push(Buffer.from('a\nb\nc\nd'), lines, 2)).toBe(4)
    expect([lines.length, splitter.pendingBytes]).toEqual([2, 0])
  })

  it('are kept in few buffers when they come byte by byte', () => {
    const concat = jest.spyOn(Buffer, 'concat')
    const splitter = new LineSplitter()
    const lines: Line[] = []
    for (let i = 0; i < 10_000; i++) splitter.push(Buffer.from('é'), lines)
    splitter.push(Buffer.from('\n'), lines)
    expect(Math.max(...concat.mock.calls.map(([parts]) => parts.length))).toBeLessThanOrEqual(65)
    concat.mockRestore()
    expect(lines).toEqual([{ text: 'é'.repeat(10_000), bytes: 20_001, isTruncated: false, isPartial: false }])
  })

  it('are the same however their bytes arrive', () => {
    const bytes = fc
      .array(fc.constantFrom('a', 'é', '\n', '\r', '\n', 'xyz', '\0'), { maxLength: 60 })
      .map(all => Buffer.from(all.join('')))
    fc.assert(
      fc.property(bytes, fc.array(fc.nat({ max: 80 }), { maxLength: 10 }), (all, cuts) => {
        const places = [0, ...cuts.filter(cut => cut < all.length).toSorted((a, b) => a - b), all.length]
        const { lines, half } = split(places.slice(1).map((end, i) => all.subarray(places[i], end)))
        expect({ lines, half }).toEqual(split([all]))
        const sizes = [...lines, ...(half === null ? [] : [half])].map(line => line.bytes)
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(all.length)
        const whole = all.toString().split('\n')
        expect(lines.map(({ text }) => text)).toEqual(whole.slice(0, -1).map(text => text.replace(/^\0+|\r$/g, '')))
      })
    )
  })
})
