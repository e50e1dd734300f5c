import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { ProtocolLine } from '../../../src/wire/line-protocol/lines.js'
import { readProtocol } from '../../../src/wire/line-protocol/read-lines.js'
import type { BadLine } from '../../../src/wire/text-lines/read-lines.js'
import { endsAtOnce } from '../../support/at-once.js'
import { cpuMs } from '../../support/cpu-ms.js'

function read(text: string | Buffer, maxLines = 100_000): readonly (ProtocolLine | BadLine)[] {
  const steps = readProtocol(Buffer.from(text as string), maxLines)
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

function lineOf(text: string): ProtocolLine {
  const [item, ...others] = read(text)
  expect(others).toEqual([])
  if (item === undefined || 'detail' in item) throw new Error(item?.detail ?? 'no line')
  return item
}

const field = (key: string, value: number): object => ({ key, value })

describe('line protocol', () => {
  it.each([
    [
      'the example of its reference',
      'myMeasurement,tag1=value1,tag2=value2 fieldKey=1 1556813561098000000',
      'myMeasurement',
      1556813561098000000n
    ],
    ['no tags and no time', 'myMeasurement fieldKey=1', 'myMeasurement', null],
    ['escapes in the measurement', 'my\\ Measurement\\,x fieldKey=1', 'my Measurement,x', null],
    ['equals signs in the measurement', 'a=b fieldKey=1', 'a=b', null],
    ['blanks before the line and behind it', '  a fieldKey=1   7  ', 'a', 7n],
    ['a line that ends as on Windows', 'a fieldKey=1 7\r\n', 'a', 7n],
    ['a time before 1970', 'a fieldKey=1 -7', 'a', -7n],
    ['letters and emoji', '😀é fieldKey=1', '😀é', null]
  ])('reads %s', (_, text, measurement, time) => {
    expect(lineOf(text)).toMatchObject({ line: 1, measurement, time, fields: [field('fieldKey', 1)], strings: 0 })
  })

  it('refuses a line that is far too long, and only that', () => {
    const longest = `m ${'a'.repeat(262_140)}=1`
    const long = `${longest}0`
    expect(read(`${long}\nm b=1\n`)).toMatchObject([{ line: 1, detail: 'a line must not exceed 262144 characters' }, { line: 2 }])
    expect(read(longest)).toMatchObject([{ line: 1, measurement: 'm' }])
  })

  it('lets other work have its turn, by lines and by what they hold', () => {
    const scheduler = (text: string): number => {
      const steps = readProtocol(Buffer.from(text), 100_000)
      let count = 1
      while (!steps.next().done) count++
      return count
    }
    expect(scheduler('m a=1\n'.repeat(900))).toBe(1)
    expect(scheduler('m a=1\n'.repeat(2_100))).toBe(3)
    expect(scheduler(`m a="${'x'.repeat(100_000)}",b=1\n`.repeat(30))).toBe(11)
  })

  it('reads escapes of tags and fields, and backslashes that escape nothing', () => {
    const line = lineOf('m,t\\ a\\,g\\=x=v\\ a\\,l\\=\\u,p=C:\\dir f\\=i\\,e\\ ld=1,g=2i')
    expect(line.tags).toEqual([
      { name: 't a,g=x', value: 'v a,l=\\u' },
      { name: 'p', value: 'C:\\dir' }
    ])
    expect(line.fields).toEqual([field('f=i,e ld', 1), field('g', 2)])
  })

  it('reads every type of field; strings are counted and left out', () => {
    const line = lineOf('m a=1,b=-2.5e3,c=3i,d=4u,e=t,f=FALSE,g="a, \\"b\\" = \\\\",h=True,i="",j=.5 9')
    const values = [1, -2500, 3, 4, 1, 0, 1, 0.5]
    expect(line.fields.map(({ value }) => value)).toEqual(values)
    expect(line.fields.map(({ key }) => key).join('')).toBe('abcdefhj')
    expect([line.strings, line.time]).toEqual([2, 9n])
  })

  it('takes the ends of 64 bits and nothing beyond', () => {
    const line = lineOf('m a=9223372036854775807i,b=-9223372036854775808i,c=18446744073709551615u 9223372036854775807')
    expect(line.fields.map(({ value }) => value)).toEqual([2 ** 63, -(2 ** 63), 2 ** 64])
    expect(line.time).toBe(2n ** 63n - 1n)
    for (const text of ['a=9223372036854775808i', 'a=18446744073709551616u', `a=${'9'.repeat(100)}i`, 'a=1 9223372036854775808'])
      expect(read(`m ${text}`)).toEqual([{ line: 1, detail: expect.stringContaining('out of range') }])
  })

  it('goes on behind comments, blank lines, lines at fault, and newlines in strings', () => {
    const items = read('# a comment\n\n  \nm a="x\n# no comment\ny",b=1 1\nbad\nm a=2\n')
    expect(items).toEqual([
      expect.objectContaining({ line: 4, strings: 1, fields: [field('b', 1)], time: 1n }),
      { line: 7, detail: 'missing fields' },
      expect.objectContaining({ line: 8, fields: [field('a', 2)] })
    ])
  })

  it.each([
    [',a=b c=1', 'missing measurement'],
    ['m', 'missing fields'],
    ['m ', 'missing fields'],
    ['m a', 'missing value of field'],
    ['m a=', 'missing field value'],
    ['m a=1,', 'missing fields'],
    ['m,t a=1', 'missing tag value'],
    ['m,t= a=1', 'missing value of tag'],
    ['m,=v a=1', 'missing tag key'],
    ['m a=x', 'is not a field value'],
    ['m a=1.5i', 'is not a field value'],
    ['m a=-1u', 'is not a field value'],
    ['m a=NaN', 'is not a field value'],
    ['m a=1e999', 'out of range'],
    ['m a=1 x', 'is not a timestamp'],
    ['m a=1 1.5', 'is not a timestamp'],
    ['m a=1 1 2', 'is not a timestamp'],
    ['m a="x" y', 'is not a timestamp'],
    ['m a="x\nm b=1', 'is not terminated']
  ])('refuses %j', (text, reason) => expect(read(text)).toEqual([{ line: 1, detail: expect.stringContaining(reason) }]))

  it('refuses a long number that is invalid at once', async () => {
    const refused = [{ line: 1, detail: expect.stringContaining('is not a field value') }]
    expect(await endsAtOnce(() => expect(read(`m a=${'1'.repeat(200_000)}x`)).toEqual(refused))).toBe(true)
  })

  it('takes as many lines as are allowed, and strings only', () => {
    expect(read('m a=1\nm a=2\n', 2)).toHaveLength(2)
    expect(() => read('m a=1\nm a=2\n', 1)).toThrow('a request must not exceed 1 lines')
    expect(() => read(Buffer.from([0x61, 0xff]))).toThrow('not UTF-8')
  })

  it('gives back what was written, whatever the strings hold', () => {
    const unit = fc.constantFrom('a', ',', '=', ' ', '\\', '"', 'é', '😀', '#', 'i')
    // A trailing backslash cannot be written, nor can one before what is escaped.
    const word = fc
      .string({ unit, minLength: 1 })
      .filter(text => !/\\(?:$|[,= \\"])/.test(text) && !text.startsWith('#') && text.trim() === text)
    const measurement = (text: string): string => text.replace(/[, ]/g, '\\$&')
    const key = (text: string): string => text.replace(/[,= ]/g, '\\$&')
    const tags = fc.uniqueArray(fc.record({ name: word, value: word }), { selector: ({ name }) => name, maxLength: 3 })
    const fields = fc.array(fc.record({ key: word, value: fc.double({ noNaN: true, noDefaultInfinity: true }) }), {
      minLength: 1,
      maxLength: 3
    })
    const line = fc.record({ measurement: word, tags, fields, time: fc.option(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)) })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), lines => {
        const text = lines.map(one => {
          const head = [measurement(one.measurement), ...one.tags.map(({ name, value }) => `${key(name)}=${key(value)}`)].join(
            ','
          )
          const values = one.fields.map(each => `${key(each.key)}=${Object.is(each.value, -0) ? '-0' : each.value}`).join(',')
          return `${head} ${values}${one.time === null ? '' : ` ${one.time}`}\n`
        })
        expect(read(text.join(''))).toEqual(lines.map((one, i) => ({ line: i + 1, strings: 0, ...one })))
      }),
      { numRuns: 500 }
    )
  })

  it('never fails otherwise than by a line, whatever the text is', () => {
    const piece = fc.constantFrom('m', ',', '=', ' ', '"', '\\', '\n', '#', '1', 'i', 'a=1', '="', '\t', 'é')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), parts => {
        const text = parts.join('')
        expect(read(text).length).toBeLessThanOrEqual(text.split('\n').length)
      }),
      { numRuns: 1_000 }
    )
  })

  it('reads hostile quotes in one pass', () => {
    const tookMs = cpuMs(() => expect(read('"="\n'.repeat(100_000), 200_000).length).toBeGreaterThan(0))
    expect(tookMs).toBeLessThan(5_000)
  })
})
