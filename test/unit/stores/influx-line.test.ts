import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { NamespaceId } from '../../../src/domain/ids.js'
import { decodeText, encodeKey, encodeText } from '../../../src/stores/influxdb/line/encoded-text.js'
import { FLAGGED, pointFields } from '../../../src/stores/influxdb/line/field-values.js'
import { seriesHead } from '../../../src/stores/influxdb/line/series-head.js'

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  // Lone surrogates and control characters.
  fc.array(fc.integer({ min: 0, max: 0xffff })).map(units => String.fromCharCode(...units)),
  fc.constantFrom('_value', 'time', 'table', 'result', 'error', '%41', '#', '\\', 'a\\', '\n', '')
)

describe('strings in line protocol', () => {
  it('come back whatever they are, as names and as values', () => {
    fc.assert(
      fc.property(text, text => {
        expect(decodeText(encodeText(text))).toBe(text)
        expect(decodeText(encodeKey(text))).toBe(text)
      })
    )
  })

  it('hold nothing that InfluxDB cannot carry', () => {
    fc.assert(
      fc.property(text, text => {
        expect(encodeText(text)).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\\]|^#/u)
        expect(encodeKey(text)).not.toMatch(/^(?:_|time$|table$|result$|error$)/)
      })
    )
  })

  it.each([
    ['percent', '100%', '100%25'],
    ['a backslash at the end', 'C:\\', 'C:%5C'],
    ['line ends', 'a\r\nb', 'a%0D%0Ab'],
    ['a line separator', 'a\u2028b', 'a%u2028b'],
    ['a # at the start', '#1 of #2', '%231 of #2'],
    ['half of a pair', 'a\ud83d', 'a%uD83D'],
    ['what anyone can read', 'ÉCLAIR 😀 日本', 'ÉCLAIR 😀 日本']
  ])('write %s', (_title, text, encoded) => {
    expect(encodeText(text)).toBe(encoded)
  })

  it.each([
    ['_value', '%5Fvalue'],
    ['time', '%74ime'],
    ['times', 'times']
  ])('name the label %s %s', (name, encoded) => {
    expect(encodeKey(name)).toBe(encoded)
  })
})

describe('the head of a line', () => {
  const series = (labels: Record<string, string>, name = 'cpu') => ({
    name,
    labels: Object.entries(labels).map(([label, value]) => ({ name: label, value }))
  })

  it('escapes what separates', () => {
    expect(seriesHead(series({ 'a b': 'c,d', 'e=f': 'g h=i' }, 'x, y=z'), null)).toBe(String.raw`x\,\ y=z,a\ b=c\,d,e\=f=g\ h\=i`)
  })

  it('names the namespace in a pool, where no label can', () => {
    const head = seriesHead(series({ _ns: 'other', host: 'a' }), 'testnamespace01' as NamespaceId)
    expect(head).toBe('cpu,_ns=testnamespace01,%5Fns=other,host=a')
  })

  it('leaves out labels without a value', () => {
    expect(seriesHead(series({ a: '', b: '1' }), null)).toBe('cpu,b=1')
  })

  it('is refused beyond the length of keys in InfluxDB', () => {
    expect(seriesHead(series({ a: 'x'.repeat(65_000 - 'cpu,a='.length) }), null)).toHaveLength(65_000)
    expect(seriesHead(series({ a: 'x'.repeat(65_001 - 'cpu,a='.length) }), null)).toBeNull()
    expect(seriesHead(series({ a: 'é'.repeat(32_500) }), null)).toBeNull()
  })
})

describe('the fields of a line', () => {
  it.each([
    [1, 'value=1'],
    [-0, 'value=-0'],
    [0, 'value=0'],
    [1e21, 'value=1e+21'],
    [5e-324, 'value=5e-324'],
    [Number.NaN, 'value=1.1e-15,flag=9221120237041090560i'],
    [Number.POSITIVE_INFINITY, 'value=1.1e-15,flag=9218868437227405312i'],
    [Number.NEGATIVE_INFINITY, 'value=1.1e-15,flag=-4503599627370496i'],
    [FLAGGED, 'value=1.1e-15,flag=4382569440205035030i']
  ])('write %p', (value, fields) => {
    expect(pointFields({ value }).replace(/flag=4\d+i/, 'flag=4382569440205035030i')).toBe(fields)
  })
})
