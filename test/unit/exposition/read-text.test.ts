import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { readExposition, type TextFormat } from '../../../src/wire/exposition/read-text.js'
import type { Exposition, TextSample } from '../../../src/wire/exposition/samples.js'
import { endsAtOnce } from '../../support/at-once.js'

function read(text: string | Buffer, format: TextFormat = 'prometheus', maxSamples = 100_000): Exposition {
  const steps = readExposition(Buffer.from(text as string), format, maxSamples)
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

/** The only sample of a text. */
function sampleOf(text: string, format: TextFormat = 'prometheus'): TextSample {
  const { items } = read(format === 'openmetrics' ? `${text}\n# EOF\n` : text, format)
  expect(items).toHaveLength(1)
  const [item] = items
  if ('detail' in item!) throw new Error(item.detail)
  return item!
}

const faultsOf = (text: string, format: TextFormat = 'prometheus'): readonly (readonly [number, string])[] =>
  read(text, format).items.flatMap(item => ('detail' in item ? [[item.line, item.detail] as const] : []))

describe('the text format 0.0.4', () => {
  it('reads the example of its specification', () => {
    const { items, facts } = read(`
# HELP http_requests_total The total number of HTTP requests.
# TYPE http_requests_total counter
http_requests_total{method="post",code="200"} 1027 1395066363000
http_requests_total{method="post",code="400"}    3 1395066363000

# Escaping in label values:
msdos_file_access_time_seconds{path="C:\\\\DIR\\\\FILE.TXT",error="Cannot find file:\\n\\"FILE.TXT\\""} 1.458255915e9

# Minimalistic line:
metric_without_timestamp_and_labels 12.47

# A weird metric from before the epoch:
something_weird{problem="division by zero"} +Inf -3982045

# A histogram, which has a pretty complex representation in the text format:
# HELP http_request_duration_seconds A histogram of the request duration.
# TYPE http_request_duration_seconds histogram
http_request_duration_seconds_bucket{le="0.05"} 24054
http_request_duration_seconds_bucket{le="+Inf"} 144320
http_request_duration_seconds_sum 53423
http_request_duration_seconds_count 144320
`)
    expect(items.filter(item => 'detail' in item)).toEqual([])
    const samples = items as readonly TextSample[]
    expect(samples.map(({ name, value }) => [name, value])).toEqual([
      ['http_requests_total', 1027],
      ['http_requests_total', 3],
      ['msdos_file_access_time_seconds', 1.458255915e9],
      ['metric_without_timestamp_and_labels', 12.47],
      ['something_weird', Infinity],
      ['http_request_duration_seconds_bucket', 24054],
      ['http_request_duration_seconds_bucket', 144320],
      ['http_request_duration_seconds_sum', 53423],
      ['http_request_duration_seconds_count', 144320]
    ])
    expect(samples[2]!.labels).toEqual([
      { name: 'path', value: 'C:\\DIR\\FILE.TXT' },
      { name: 'error', value: 'Cannot find file:\n"FILE.TXT"' }
    ])
    expect(samples.map(({ timestampNs }) => timestampNs).slice(0, 5)).toEqual([
      1395066363000000000n,
      1395066363000000000n,
      null,
      null,
      -3982045000000n
    ])
    expect(samples.map(({ family }) => family?.kind)).toEqual([
      ...['counter', 'counter', undefined, undefined, undefined],
      ...['histogram', 'histogram', 'histogram', 'histogram']
    ])
    expect(facts).toEqual([
      { name: 'http_requests_total', kind: 'counter', help: 'The total number of HTTP requests.', unit: '' },
      { name: 'http_request_duration_seconds', kind: 'histogram', help: 'A histogram of the request duration.', unit: '' }
    ])
  })

  it.each([
    ['a name in quotes', '{"my.metric","my label"="x"} 1', 'my.metric', [{ name: 'my label', value: 'x' }]],
    ['a trailing comma, blanks and tabs', '\ta {  b = "c" , }\t1 ', 'a', [{ name: 'b', value: 'c' }]],
    ['no labels in braces', 'a{} 1', 'a', []],
    ['a line that ends as on Windows', 'a 1\r\n', 'a', []],
    ['braces and hashes in values', 'a{b="}#{"} 1', 'a', [{ name: 'b', value: '}#{' }]]
  ])('takes %s', (_, text, name, labels) => {
    expect(sampleOf(text)).toMatchObject({ name, labels, value: 1, exemplar: null, timestampNs: null })
  })

  it.each([
    ['NaN', Number.NaN],
    ['-Inf', -Infinity],
    ['inf', Infinity],
    ['-.5e-3', -0.0005],
    ['1e400', Infinity],
    ['-0', -0]
  ])('takes the value %s', (text, value) => expect(sampleOf(`a ${text}`).value).toBe(value))

  it.each([
    ['a', 'is not a number'],
    ['a x', '"x" is not a number'],
    ['a 0x10', 'is not a number'],
    ['a{b="c" 1', ', or }'],
    ['a{b="c} 1', 'is not terminated'],
    ['a{b=c} 1', 'a quoted string'],
    ['a{b="\\x"} 1', '\\x is not an escape sequence'],
    ['a{"b" "c"} 1', ', or }'],
    ['a{"b"} 1', 'two names'],
    ['{b="c"} 1', 'no name'],
    ['1a 1', 'the name of a metric'],
    ['a 1 1.5', 'integer milliseconds'],
    ['a 1 99999999999999999999', 'integer milliseconds'],
    ['a 1 2 3', 'the end of the line'],
    ['# TYPE a countre', 'is not a metric type'],
    ['# TYPE', undefined]
  ])('refuses %j by its line, and goes on', (text, reason) => {
    const found = faultsOf(`good 1\n${text}\ngood 2\n`)
    if (reason === undefined) expect(found).toEqual([])
    else expect(found).toEqual([[2, expect.stringContaining(reason)]])
    expect(read(`good 1\n${text}\ngood 2\n`).items.filter(item => 'name' in item)).toHaveLength(2)
  })

  it('refuses a long number that is invalid at once', async () => {
    const refused = [[1, expect.stringContaining('is not a number')]]
    expect(await endsAtOnce(() => expect(faultsOf(`a ${'1'.repeat(200_000)}x`)).toEqual(refused))).toBe(true)
  })

  it('takes as many samples as are allowed and no more', () => {
    expect(read('a 1\nb 1\n', 'prometheus', 2).items).toHaveLength(2)
    expect(() => read('a 1\nb 1\n', 'prometheus', 1)).toThrow('a request must not exceed 1 samples')
    expect(() => read(Buffer.from([0x61, 0xff, 0x20, 0x31]))).toThrow('not UTF-8')
  })
})

describe('OpenMetrics 1.0', () => {
  it('reads units, exemplars and seconds to the nanosecond', () => {
    const { items, facts } = read(
      [
        '# TYPE foo_seconds counter',
        '# UNIT foo_seconds seconds',
        '# HELP foo_seconds Reports \\"how long\\",\\nin \\\\.',
        'foo_seconds_total{a="b"} 17.0 1520879607.789000001 # {trace_id="abc",span_id="d"} 0.67 1520879606.5',
        'foo_seconds_created{a="b"} 1520872607.123',
        'bar_bucket{le="+Inf"} 1 # {} 2',
        '# EOF',
        ''
      ].join('\n'),
      'openmetrics'
    )
    expect(facts).toEqual([{ name: 'foo_seconds', kind: 'counter', unit: 'seconds', help: 'Reports "how long",\nin \\.' }])
    expect(items).toEqual([
      {
        line: 4,
        name: 'foo_seconds_total',
        labels: [{ name: 'a', value: 'b' }],
        value: 17,
        timestampNs: 1520879607789000001n,
        family: facts[0],
        exemplar: {
          labels: [
            { name: 'trace_id', value: 'abc' },
            { name: 'span_id', value: 'd' }
          ],
          value: 0.67,
          timestampNs: 1520879606500000000n
        }
      },
      expect.objectContaining({ line: 5, name: 'foo_seconds_created', family: facts[0], timestampNs: null, exemplar: null }),
      expect.objectContaining({ line: 6, exemplar: { labels: [], value: 2, timestampNs: null } })
    ])
  })

  it.each([
    ['a 1\n', 'does not end with # EOF'],
    ['a 1\n# EOF\na 2\n', 'line 3 follows # EOF'],
    ['# EOF\n\n', 'line 2 follows # EOF'],
    ['', 'does not end with # EOF']
  ])('takes nothing of %j', (text, reason) => expect(() => read(text, 'openmetrics')).toThrow(reason))

  it.each([
    ['', 'the name of a metric'],
    ['# a comment', 'expected # HELP'],
    ['a 1 2e9', 'decimal digits'],
    ['a 1 2 # {a="b"}', 'is not a number'],
    ['a 1 2 # a', '{'],
    ['a 1 2 # {"x"} 1', 'labels but no value']
  ])('refuses %j by its line', (text, reason) => {
    expect(faultsOf(`a 1\n${text}\n# EOF`, 'openmetrics')).toEqual([[2, expect.stringContaining(reason)]])
  })
})

describe('strings', () => {
  const unit = fc.constantFrom('a', '"', '\\', '\n', '{', '}', ',', '=', '#', ' ', 'é', '😀', '\r', '\0')
  const labelText = fc.record({ name: fc.string({ unit, minLength: 1 }), value: fc.string({ unit }) })
  const escaped = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
  const name = fc.stringMatching(/^[a-zA-Z_:][a-zA-Z0-9_:]{0,8}$/)
  const labels = fc.uniqueArray(labelText, { selector: ({ name: label }) => label, maxLength: 4 })
  const written = (pairs: readonly { name: string; value: string }[]): string =>
    `{${pairs.map(label => `"${escaped(label.name)}"="${escaped(label.value)}"`).join(',')}}`
  const number = (value: number): string =>
    Object.is(value, -0) ? '-0' : Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : value < 0 ? '-Inf' : 'NaN'

  it('come back as they were written, whatever the labels hold', () => {
    const sample = fc.record({
      name,
      labels,
      value: fc.double(),
      ms: fc.option(fc.bigInt(-(10n ** 15n), 10n ** 15n)),
      exemplar: fc.option(fc.record({ labels, value: fc.double() }))
    })
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 5 }), samples => {
        const plain = samples.map(
          one => `${one.name}${written(one.labels)} ${number(one.value)}${one.ms === null ? '' : ` ${one.ms}`}\n`
        )
        const expected = samples.map(one => ({
          ...{ name: one.name, labels: one.labels, value: one.value },
          timestampNs: one.ms === null ? null : one.ms * 1_000_000n
        }))
        expect(read(plain.join('')).items).toMatchObject(expected)
        const open = samples.map(one => {
          const exemplar = one.exemplar === null ? '' : ` # ${written(one.exemplar.labels)} ${number(one.exemplar.value)}`
          return `${one.name}${written(one.labels)} ${number(one.value)}${exemplar}\n`
        })
        const withExemplars = samples.map(one => ({
          name: one.name,
          labels: one.labels,
          value: one.value,
          exemplar: one.exemplar
        }))
        expect(read(`${open.join('')}# EOF\n`, 'openmetrics').items).toMatchObject(withExemplars)
      }),
      { numRuns: 300 }
    )
  })

  it('never fail otherwise than by a line or as a whole, whatever they are', () => {
    const piece = fc.constantFrom(
      'a',
      '{',
      '}',
      '"',
      '\\',
      '=',
      ',',
      ' ',
      '\n',
      '#',
      '1',
      '.',
      'e',
      '# TYPE a counter\n',
      '# EOF',
      '\t',
      'NaN',
      'é'
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }).map(parts => parts.join('')),
        body => {
          const lines = body.split('\n').length
          expect(read(body).items.length).toBeLessThanOrEqual(lines)
          try {
            read(body, 'openmetrics')
          } catch (error) {
            expect(String(error)).toMatch(/# EOF/)
          }
        }
      ),
      { numRuns: 1_000 }
    )
  })
})
