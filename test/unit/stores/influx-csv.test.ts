import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { formatNs } from '../../../src/domain/timestamp.js'
import { AnnotatedCsvReader } from '../../../src/stores/influxdb/read/annotated-csv.js'
import { csvCells } from '../../../src/stores/influxdb/read/csv-cells.js'
import { NumberBytes } from '../../../src/stores/influxdb/read/number-bytes.js'
import { SampleColumns } from '../../../src/stores/influxdb/read/sample-columns.js'
import { TimeBytes } from '../../../src/stores/influxdb/read/time-bytes.js'
import { withFlags } from '../../../src/stores/influxdb/read/with-flags.js'

/** A double in decimal digits without an exponent, as InfluxDB writes it. */
function goDecimal(value: number): string {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]\d+))?$/.exec(
    Object.is(value, -0) ? '-0' : String(value)
  )!
  const digits = whole! + fraction
  const point = whole!.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return sign! + digits + '0'.repeat(point - digits.length)
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}

const finite = fc.double({ noNaN: true, noDefaultInfinity: true })
const anyNs = fc.bigInt({ min: -9_223_372_036_854_775_806n, max: 9_223_372_036_854_775_806n })

describe('numbers out of bytes', () => {
  const number = new NumberBytes()

  it('are the doubles that were written', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          finite,
          fc.integer(),
          fc.integer().map(n => n / 1000)
        ),
        value => {
          const text = goDecimal(value)
          expect(number.double(Buffer.from(`,${text},x`), 1)).toBe(value)
          expect(number.end).toBe(text.length + 1)
        }
      ),
      { numRuns: 2_000 }
    )
  })

  it.each(['', '-', 'NaN', '+Inf', '1.2.3', '12a'])('refuse %p', text => {
    expect(() => number.double(Buffer.from(`${text},`), 0)).toThrow(
      expect.objectContaining({ diagnosis: expect.stringContaining('for a number') })
    )
  })

  it('are 64 bits for flags', () => {
    expect(number.integer(Buffer.from('-9223372036854775807\r\n'), 0)).toBe(-9223372036854775807n)
    expect(number.end).toBe(20)
  })
})

describe('times out of bytes', () => {
  it('are whole nanoseconds in typed arrays', () => {
    fc.assert(
      fc.property(fc.array(anyNs, { minLength: 1 }), times => {
        const time = new TimeBytes()
        const columns = new SampleColumns()
        for (const ns of times) {
          // Trailing zeros of the fraction are left out.
          time.read(Buffer.from(formatNs(ns).replace(/\.?0*Z$/, 'Z')), 0)
          columns.add(time.seconds, time.nanos, 1)
        }
        expect([...columns.timestampsNs]).toEqual(times)
      })
    )
  })
})

describe('cells of CSV', () => {
  it.each([
    [',,0,a', ['', '', '0', 'a']],
    ['a,"b,c",d', ['a', 'b,c', 'd']],
    ['"a ""hi""",', ['a "hi"', '']],
    ['""', ['']],
    ['', ['']]
  ])('of %p', (line, cells) => {
    expect(csvCells(line)).toEqual(cells)
  })
})

const RESPONSE = [
  '#default,_result,,,,',
  ',result,table,_time,_value,host',
  ',,0,2026-11-20T12:00:00Z,1,a',
  ',,0,2026-11-20T12:00:00.5Z,-0.25,a',
  ',,10,2026-11-20T12:00:00.000000001Z,3,"x, ""y"""',
  '',
  '#default,_result,,,,,',
  ',result,table,_time,_value,host,ho=st',
  ',,11,1969-12-31T23:59:59.999999999Z,12345678901234567890,é😀,b',
  ',,11,2262-04-11T23:47:16.854775806Z,0.000000000000001,é😀,b',
  '',
  ''
].join('\r\n')

interface Tables {
  readonly tables: [string, string[], string[]][]
  readonly reader: AnnotatedCsvReader
}

function openReader(maxSamples = 100, expected = (_host: string) => true): Tables & { readonly samples: () => unknown } {
  const tables: [string, string[], string[]][] = []
  const sinks: SampleColumns[] = []
  const reader = new AnnotatedCsvReader({
    valueKind: 'double',
    maxSamples,
    openTable: (columns, cells) => {
      const host = cells[columns.indexOf('host')]!
      tables.push([host, columns.slice(5), cells.slice(5)])
      if (!expected(host)) return null
      sinks.push(new SampleColumns())
      return sinks.at(-1)!
    }
  })
  const samples = () => sinks.map(({ timestampsNs, values }) => [[...timestampsNs], [...values]])
  return { tables, reader, samples }
}

const SECOND_NS = 1_795_176_000_000_000_000n
const SAMPLES = [
  [
    [SECOND_NS, SECOND_NS + 500_000_000n],
    [1, -0.25]
  ],
  [[SECOND_NS + 1n], [3]],
  [
    [-1n, 9_223_372_036_854_775_806n],
    [12345678901234567000, 1e-15]
  ]
]

const HEAD = '#default,_result,,,,\r\n,result,table,_time,_value,host\r\n'

describe('annotated CSV', () => {
  it('becomes columns, wherever the chunks end', () => {
    const bytes = Buffer.from(RESPONSE)
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { reader, samples, tables } = openReader()
      for (const part of [bytes.subarray(0, cut), bytes.subarray(cut)]) reader.push(part)
      reader.finish()
      expect(samples()).toEqual(SAMPLES)
      expect(tables).toEqual([
        ['a', ['host'], ['a']],
        ['x, "y"', ['host'], ['x, "y"']],
        ['é😀', ['host', 'ho=st'], ['é😀', 'b']]
      ])
    }
  })

  it('becomes the same byte by byte', () => {
    const { reader, samples } = openReader()
    for (const byte of Buffer.from(RESPONSE)) reader.push(Uint8Array.of(byte))
    reader.finish()
    expect(samples()).toEqual(SAMPLES)
  })

  it('passes over tables that no one wants, which cost no samples', () => {
    const { reader, samples } = openReader(2, host => host === 'a')
    reader.push(Buffer.from(RESPONSE))
    reader.finish()
    expect(samples()).toEqual([SAMPLES[0]])
  })

  it('takes as many samples as requested and refuses the next one', () => {
    openReader(5).reader.push(Buffer.from(RESPONSE))
    expect(() => openReader(4).reader.push(Buffer.from(RESPONSE))).toThrow(expect.objectContaining({ code: 'query_unsupported' }))
  })

  it('looks the place of consecutive tables of one series up once, wherever the chunks end', () => {
    const row = (table: number, ms: number, tags: string) => `,,${table},2026-11-20T12:00:00.00${ms}Z,${ms},${tags}\r\n`
    const rows = [row(0, 1, 'a'), row(1, 2, 'a'), row(1, 3, 'a'), row(2, 4, 'b'), row(3, 5, 'a'), row(10, 6, '"a"')]
    const bytes = Buffer.from(HEAD + rows.join(''))
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { reader, samples, tables } = openReader()
      for (const part of [bytes.subarray(0, cut), bytes.subarray(cut)]) reader.push(part)
      expect(tables.map(([host]) => host)).toEqual(['a', 'b', 'a', 'a'])
      expect((samples() as unknown[][]).map(([, values]) => values)).toEqual([[1, 2, 3], [4], [5], [6]])
    }
  })

  it('limits each place by itself where the reader requires it', () => {
    const rows = ['a', 'a', 'b', 'b'].map((host, i) => `,,${host === 'a' ? 0 : 1},2026-11-20T12:00:00.00${i}Z,${i},${host}\r\n`)
    const read = (maxSamples: number, boundOf: 'response' | 'place') => () => {
      const reader = new AnnotatedCsvReader({ valueKind: 'double', maxSamples, boundOf, openTable: () => new SampleColumns() })
      reader.push(Buffer.from(HEAD + rows.join('')))
    }
    read(2, 'place')()
    read(4, 'response')()
    for (const [maxSamples, boundOf] of [
      [1, 'place'],
      [3, 'response']
    ] as const)
      expect(read(maxSamples, boundOf)).toThrow(expect.objectContaining({ code: 'query_unsupported' }))
  })

  it('is empty without a table', () => {
    const { reader, samples } = openReader()
    reader.push(Buffer.from('\r\n'))
    reader.finish()
    expect(samples()).toEqual([])
  })

  it.each([
    ['before the first byte', ''],
    ['after a header', HEAD],
    ['between two rows', `${HEAD},,0,2026-11-20T12:00:00Z,1,a\r\n`],
    ['in a second block', `${HEAD},,0,2026-11-20T12:00:00Z,1,a\r\n\r\n${HEAD}`]
  ])('refuses a response that ends %s', (_title, text) => {
    const { reader } = openReader()
    reader.push(Buffer.from(text))
    expect(() => reader.finish()).toThrow(expect.objectContaining({ code: 'store_unavailable' }))
  })

  it.each([
    [
      'an error as a table',
      `${HEAD},,0,2026-11-20T12:00:00Z,1,a\r\n\r\n#default,,\r\n,error,reference\r\n,out of memory,897\r\n`
    ],
    ['an error before any row', '#default,,\r\n,error,reference\r\n,out of memory,897\r\n'],
    ['JSON in the midst of rows', `${HEAD},,0,2026-11-20T12:00:00Z,1,a\r\n{"message":"out of memory"}`],
    ['JSON as a line', `${HEAD},,0,2026-11-20T12:00:00Z,1,a\r\n{"message":"out of memory"}\n`],
    ['half a row', `${HEAD},,0,2026-11-20T12:00:00Z,1,a\r\n,,0,2026-11 out of memory`]
  ])('reports %s', (_title, text) => {
    const { reader } = openReader()
    const read = () => {
      reader.push(Buffer.from(text))
      reader.finish()
    }
    expect(read).toThrow(
      expect.objectContaining({ code: 'store_unavailable', diagnosis: expect.stringContaining('out of memory') })
    )
  })

  it.each([
    ['no cells', ',\r\n'],
    ['words for a time', ',,0,yesterday at noon 12345,1,a\r\n'],
    ['a word for a table', ',,x,2026-11-20T12:00:00Z,1,a\r\n'],
    ['too few cells', ',,0,2026-11-20T12:00:00Z,1\r\n'],
    ['a result of another name', ',_other,0,2026-11-20T12:00:00Z,1,a\r\n'],
    ['no value', ',,0,2026-11-20T12:00:00Z,,a\r\n'],
    ['a bare line feed', ',,0,2026-11-20T12:00:00Z\n']
  ])('refuses a row with %s', (_title, row) => {
    expect(() => openReader().reader.push(Buffer.from(HEAD + row))).toThrow()
  })

  it('refuses other columns and lines without an end', () => {
    const columns = '#default,_result,,,,\r\n,result,table,_value,_time,host\r\n'
    expect(() => openReader().reader.push(Buffer.from(columns))).toThrow('ended early')
    expect(() => openReader().reader.push(Buffer.alloc(1024 * 1024 + 1, 'x'))).toThrow('ended early')
  })
})

describe('flags', () => {
  const columns = (times: bigint[], bits: bigint[]) => ({
    timestampsNs: BigInt64Array.from(times),
    bits: BigInt64Array.from(bits)
  })
  const bitsOf = (value: number) => new BigInt64Array(Float64Array.of(value).buffer)[0]!
  // Prometheus's mark of a series that has ended, a signaling NaN.
  const STALE = 0x7ff0000000000002n

  it('take the place of the values that point to them, bit by bit, and only of those', () => {
    const samples = columns([1n, 2n, 3n, 4n], [1, 1.1e-15, 1.1e-15, 4].map(bitsOf))
    const { timestampsNs, values } = withFlags(samples, columns([1n, 2n, 4n], [5n, STALE, 6n]))
    expect([...timestampsNs]).toEqual([1n, 2n, 4n])
    expect([...new BigInt64Array(values.slice().buffer)]).toEqual([bitsOf(1), STALE, bitsOf(4)])
  })

  it('leave out a value whose flag is gone', () => {
    expect([...withFlags(columns([1n], [bitsOf(1.1e-15)])).values]).toEqual([])
  })
})
