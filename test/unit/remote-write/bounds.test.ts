import { describe, expect, it } from '@jest/globals'
import { MalformedProtobuf } from '../../../src/wire/protobuf/malformed-protobuf.js'
import { decodeWriteRequest as stepsOfV1 } from '../../../src/remote-write/decode.js'
import { decodeWriteRequestV2 as stepsOfV2 } from '../../../src/remote-write/decode-v2.js'
import { KnownSeries } from '../../../src/remote-write/known-series.js'
import { TooManySamples } from '../../../src/remote-write/samples.js'
import { int, message } from '../../support/protobuf.js'
import { decodeWriteRequest, decodeWriteRequestV2 } from './decode-at-once.js'

const NAME = message(1, message(1, '__name__'), message(2, 'x'))
const EMPTY = ''
const [SAMPLE, EXEMPLAR, HISTOGRAM] = [message(2, EMPTY), message(3, EMPTY), message(4, EMPTY)]
const METADATA = message(3, EMPTY)

function times(count: number, part: Buffer): Buffer {
  return Buffer.concat(Array.from({ length: count }, () => part))
}

function turnsOf(steps: Generator<void, unknown>): number {
  let scheduler = 1
  while (!steps.next().done) scheduler++
  return scheduler
}

describe('a request of remote write 1.0', () => {
  it.each<[string, number, Buffer]>([
    ['samples', 1, SAMPLE],
    ['exemplars', 1, EXEMPLAR],
    ['histograms', 4, HISTOGRAM]
  ])('accepts so many %s and no more', (_, weight, part) => {
    const body = (count: number): Buffer => message(1, NAME, times(count, part))
    const { samples, exemplars } = decodeWriteRequest(body(50), new KnownSeries(), 50 * weight)
    expect(samples.length + exemplars.length).toBe(50)
    expect(() => decodeWriteRequest(body(51), new KnownSeries(), 50 * weight)).toThrow(TooManySamples)
  })

  it('counts the values of buckets', () => {
    const histogram = message(4, message(12, Buffer.alloc(320)))
    expect(decodeWriteRequest(message(1, NAME, histogram), new KnownSeries(), 14).samples).toHaveLength(1)
    expect(() => decodeWriteRequest(message(1, NAME, histogram), new KnownSeries(), 13)).toThrow(TooManySamples)
    const spans = message(4, times(160, message(11, EMPTY)))
    expect(decodeWriteRequest(message(1, NAME, spans), new KnownSeries(), 14).samples).toHaveLength(1)
    expect(() => decodeWriteRequest(message(1, NAME, spans), new KnownSeries(), 13)).toThrow(TooManySamples)
  })

  it('takes the largest batch of native histograms that Prometheus is set to send', () => {
    const histogram = message(4, times(8, message(11, EMPTY)), message(12, Buffer.alloc(160)))
    const body = times(1_100, message(1, NAME, times(10, histogram)))
    expect(decodeWriteRequest(body, new KnownSeries()).samples).toHaveLength(11_000)
  })

  it('leaves out labels of exemplars that are more than one may have', () => {
    const exemplar = message(3, times(200, message(1, EMPTY)))
    expect(decodeWriteRequest(message(1, NAME, exemplar), new KnownSeries()).exemplars[0]!.labels).toHaveLength(128)
  })

  it('has a limit of families with metadata', () => {
    expect(decodeWriteRequest(times(50, METADATA), new KnownSeries(), 50).facts).toHaveLength(50)
    expect(() => decodeWriteRequest(times(51, METADATA), new KnownSeries(), 50)).toThrow(TooManySamples)
  })

  it('counts samples before and after the labels once', () => {
    const scattered = message(1, NAME, times(30, SAMPLE), NAME, times(20, SAMPLE))
    expect(decodeWriteRequest(scattered, new KnownSeries(), 50).samples).toHaveLength(50)
    expect(() => decodeWriteRequest(scattered, new KnownSeries(), 49)).toThrow(TooManySamples)
  })

  it('has series of a megabyte at most, of a thousand labels, and strings that are cut', () => {
    const label = message(1, EMPTY)
    const labels = (count: number): Buffer => message(1, times(count, label), SAMPLE)
    expect(decodeWriteRequest(labels(1_024), new KnownSeries()).samples[0]!.series.labels).toHaveLength(1_024)
    expect(() => decodeWriteRequest(labels(1_025), new KnownSeries())).toThrow(MalformedProtobuf)
    expect(() => decodeWriteRequest(message(1, NAME, message(9, 'x'.repeat(1_048_576))), new KnownSeries())).toThrow(
      'exceeds 1048576 bytes'
    )
    const long = message(1, message(1, message(1, 'a'), message(2, 'x'.repeat(900_000))), SAMPLE)
    expect(decodeWriteRequest(long, new KnownSeries()).samples[0]!.series.labels[0]!.value).toHaveLength(65_536)
  })

  it('is read in slices', () => {
    const one = message(1, NAME, SAMPLE)
    expect(turnsOf(stepsOfV1(times(1_900, one), new KnownSeries(), 100_000))).toBe(1)
    expect(turnsOf(stepsOfV1(times(20_000, one), new KnownSeries(), 100_000))).toBe(11)
    expect(turnsOf(stepsOfV1(times(400_000, message(1, EMPTY)), new KnownSeries(), 100_000))).toBe(7)
  })
})

describe('a request of remote write 2.0', () => {
  const symbols = Buffer.concat(['', '__name__', 'x'].map(text => message(4, text)))
  const named = message(1, Buffer.of(1, 2))

  it('accepts so many samples and no more, a series without any counting as one', () => {
    const body = (...parts: readonly Buffer[]): Buffer => Buffer.concat([symbols, message(5, named, ...parts)])
    expect(decodeWriteRequestV2(body(times(50, SAMPLE)), new KnownSeries(), 50).samples).toHaveLength(50)
    expect(() => decodeWriteRequestV2(body(times(51, SAMPLE)), new KnownSeries(), 50)).toThrow(TooManySamples)
    expect(() => decodeWriteRequestV2(body(times(51, message(4, EMPTY))), new KnownSeries(), 50)).toThrow(TooManySamples)
    expect(() => decodeWriteRequestV2(body(times(13, message(3, EMPTY))), new KnownSeries(), 50)).toThrow(TooManySamples)
    expect(() => decodeWriteRequestV2(Buffer.concat([symbols, times(51, message(5, named))]), new KnownSeries(), 50)).toThrow(
      TooManySamples
    )
  })

  it('has strings that are cut, and no more labels than a series has', () => {
    const long = Buffer.concat([symbols, message(4, 'y'.repeat(900_000)), message(5, message(1, Buffer.of(1, 3)), SAMPLE)])
    expect(decodeWriteRequestV2(long, new KnownSeries()).samples[0]!.series.labels[0]!.value).toHaveLength(65_536)
    const many = Buffer.concat([symbols, message(5, message(1, Buffer.alloc(2_050)), SAMPLE)])
    expect(() => decodeWriteRequestV2(many, new KnownSeries())).toThrow('more than 1024 labels')
  })

  it('is read in slices', () => {
    const body = Buffer.concat([symbols, times(20_000, message(5, named, SAMPLE, message(5, int(1, 1))))])
    expect(turnsOf(stepsOfV2(body, new KnownSeries(), 100_000))).toBeGreaterThan(10)
    expect(turnsOf(stepsOfV2(times(200_000, message(4, EMPTY)), new KnownSeries(), 100_000))).toBeGreaterThan(3)
  })
})
