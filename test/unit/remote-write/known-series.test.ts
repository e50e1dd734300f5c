import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { KnownSeries } from '../../../src/remote-write/known-series.js'
import { double, int, message } from '../../support/protobuf.js'
import { decodeWriteRequest, decodeWriteRequestV2 } from './decode-at-once.js'

type Pair = readonly [name: string, value: string]

/** A series to be written: each piece is a label, or the value of a sample between labels. */
type Pieces = readonly (Pair | number)[]

const text = fc.oneof(fc.constantFrom('', 'a', 'b', '__name__', 'ä', '\u{1f680}'), fc.string({ maxLength: 6 }))
const pair = fc.tuple(text, text)
const ordered = fc.tuple(fc.array(pair, { maxLength: 4 }), fc.array(fc.integer(), { maxLength: 2 }))
const series = fc.oneof(
  ordered.map(([labels, values]): Pieces => [...labels, ...values]),
  fc.array(fc.oneof(pair, fc.integer()), { maxLength: 5 })
)
/** Few series, so that they come again. */
const requests = fc.array(fc.array(series, { maxLength: 4 }), { minLength: 1, maxLength: 4 })

function sample(value: number): Buffer {
  return message(2, double(1, value), int(2, BigInt(1_000)))
}

function writeV1(all: readonly Pieces[]): Buffer {
  const piece = (each: Pair | number): Buffer =>
    typeof each === 'number' ? sample(each) : message(1, message(1, each[0]), message(2, each[1]))
  return Buffer.concat(all.map(pieces => message(1, ...pieces.map(piece))))
}

/** Its table of symbols begins at `shift`, so that the same series has other references in each request. */
function writeV2(all: readonly Pieces[], shift: number, type: number): Buffer {
  const symbols = ['', ...Array.from({ length: shift }, (_, i) => `shift ${i}`)]
  const reference = (symbol: string): number => (symbols.includes(symbol) ? symbols.indexOf(symbol) : symbols.push(symbol) - 1)
  const bodies = all.map(pieces => {
    const references = pieces.flatMap(piece => (typeof piece === 'number' ? [] : piece.map(reference)))
    const values = pieces.filter(piece => typeof piece === 'number')
    return message(5, message(1, Buffer.from(references)), ...values.map(sample), message(5, int(1, type)))
  })
  return Buffer.concat([...symbols.map(symbol => message(4, symbol)), ...bodies])
}

/** The expected content of a request, by sample. */
function factsOf(all: readonly Pieces[], isCounter: boolean | null): readonly object[] {
  return all.flatMap(pieces => {
    const labels = pieces.flatMap(piece => (typeof piece === 'number' ? [] : [{ name: piece[0], value: piece[1] }]))
    const values = pieces.filter(piece => typeof piece === 'number')
    return values.map(value => ({ series: { labels, isCounter, checked: null }, timestampMs: 1_000n, value }))
  })
}

describe.each([
  ['a memory with room for all', 10_000_000],
  ['one that forgets', 4_000],
  ['one without room', 0]
])('series that are read again with %s', (_name, bytes) => {
  it('are those that were sent, in version 1.0, wherever the labels are', () => {
    fc.assert(
      fc.property(requests, sent => {
        const known = new KnownSeries(bytes, bytes)
        for (const all of [...sent, ...sent]) expect(decodeWriteRequest(writeV1(all), known).samples).toEqual(factsOf(all, null))
        expect(known.bytes).toBeLessThanOrEqual(2 * bytes)
      })
    )
  })

  it('are those that were sent, in version 2.0, whatever their references are', () => {
    fc.assert(
      fc.property(requests, sent => {
        const known = new KnownSeries(bytes, bytes)
        for (const [i, all] of [...sent, ...sent].entries()) {
          const types = [null, true, false]
          const body = writeV2(all, i, i % types.length)
          expect(decodeWriteRequestV2(body, known).samples).toEqual(factsOf(all, types[i % types.length]!))
        }
        expect(known.bytes).toBeLessThanOrEqual(2 * bytes)
      })
    )
  })
})

describe('a series that is named by the same bytes', () => {
  it('is the same object in the next request', () => {
    const known = new KnownSeries()
    const all: readonly Pieces[] = [[['__name__', 'up'], ['job', 'a'], 1]]
    const of = (shift: number) => [
      decodeWriteRequest(writeV1(all), known).samples[0]!.series,
      decodeWriteRequestV2(writeV2(all, shift, 1), known).samples[0]!.series
    ]
    const first = of(0)
    of(3).forEach((again, i) => expect(again).toBe(first[i]))
  })

  it('is not remembered when it cannot be read', () => {
    const known = new KnownSeries()
    const broken = message(1, Buffer.from([0x0a, 2, 0x0a, 9]), sample(1))
    const lost = message(5, message(1, Buffer.of(0, 7)), sample(1))
    for (let i = 0; i < 2; i++) {
      expect(() => decodeWriteRequest(broken, known)).toThrow('exceeds the message')
      expect(() => decodeWriteRequestV2(Buffer.concat([message(4, ''), lost]), known)).toThrow('undefined symbol')
    }
  })
})
