import { describe, expect, it } from '@jest/globals'
import { SyslogLines } from '../../agent/src/parse/syslog.js'
import { seededRandom } from '../../bench/generate/random.js'

const parse = (line: string, readMs = READ_MS) => new SyslogLines(readMs).parse(line)
const READ_MS = new Date(2026, 0, 2, 12, 0, 0).getTime()
const localTime = (year: number, month: number, day: number, ms = 0): string =>
  new Date(year, month, day, 3, 4, 5, ms).toISOString()
const timeOf = (line: string): number => Date.parse(parse(line)!.timestamp)

describe('a line of syslog', () => {
  it('is read as RFC 3164, with the priority where there is one', () => {
    expect(parse('<34>Jan  1 03:04:05 web-1 su[230]: failed for lonvick')).toEqual({
      message: 'failed for lonvick',
      timestamp: localTime(2026, 0, 1).replace('Z', '000000Z'),
      host: 'web-1',
      service: 'su',
      level: '2',
      fields: { pid: '230', facility: 4 }
    })
    expect(parse('Jan  1 03:04:05 web-1 kernel: usb 1-1: new device')).toMatchObject({
      message: 'usb 1-1: new device',
      service: 'kernel'
    })
  })

  it('is read without a host, which some daemons leave out', () => {
    const place = { timestamp: localTime(2026, 0, 1).replace('Z', '000000Z') }
    expect(parse('Jan  1 03:04:05 su[230]: failed')).toEqual({
      ...place,
      message: 'failed',
      service: 'su',
      fields: { pid: '230' }
    })
    expect(parse('Jan  1 03:04:05 su: a: b')).toEqual({ ...place, message: 'a: b', service: 'su' })
    expect(parse('Jan  1 03:04:05 web-1 last message repeated 2 times')).toMatchObject({ host: 'web-1' })
    expect(parse('Jan  1 03:04:05 ')).toBeNull()
  })

  it('is of the year that is not more than a day ahead', () => {
    expect(timeOf('Dec 31 03:04:05 h a: x')).toBe(new Date(2025, 11, 31, 3, 4, 5).getTime())
    expect(timeOf('Jan  3 03:04:05 h a: x')).toBe(new Date(2026, 0, 3, 3, 4, 5).getTime())
    expect(timeOf('Jan  4 03:04:05 h a: x')).toBe(new Date(2025, 0, 4, 3, 4, 5).getTime())
  })

  it('of the last of December that is read in the new year, and of the first of January that is early', () => {
    const newYear = new Date(2027, 0, 1, 0, 0, 1).getTime()
    expect(Date.parse(parse('Dec 31 03:04:05 h a: x', newYear)!.timestamp)).toBe(new Date(2026, 11, 31, 3, 4, 5).getTime())
    const oldYear = new Date(2026, 11, 31, 23, 59, 59).getTime()
    expect(Date.parse(parse('Jan  1 03:04:05 h a: x', oldYear)!.timestamp)).toBe(new Date(2027, 0, 1, 3, 4, 5).getTime())
  })

  it('is read with the time that rsyslog and systemd write', () => {
    expect(parse('2026-01-01T03:04:05.123456+02:00 web-1 CRON[7]: (root) CMD (x)')).toEqual({
      message: '(root) CMD (x)',
      timestamp: '2026-01-01T03:04:05.123456+02:00',
      host: 'web-1',
      service: 'CRON',
      fields: { pid: '7' }
    })
  })

  it('is read as RFC 5424, with its structured data', () => {
    const line =
      '<165>1 2026-01-01T22:14:15.003Z web-1 evntslog 8710 ID47 [exampleSDID@32473 iut="3" text="a \\"b\\" \\] c"][x y="z"] \uFEFFAn event'
    expect(parse(line)).toEqual({
      message: 'An event',
      timestamp: '2026-01-01T22:14:15.003Z',
      host: 'web-1',
      service: 'evntslog',
      level: '5',
      fields: {
        facility: 20,
        pid: '8710',
        msgid: 'ID47',
        'exampleSDID@32473.iut': '3',
        'exampleSDID@32473.text': 'a "b" ] c',
        'x.y': 'z'
      }
    })
    const bare = parse('<34>1 2026-01-01T22:14:15Z - - - - - started', READ_MS)
    expect(bare).toEqual({ message: 'started', timestamp: '2026-01-01T22:14:15Z', level: '2', fields: { facility: 4 } })
  })

  it('without a program is a message', () => {
    expect(parse('Jan  1 03:04:05 web-1 last message repeated 3 times')).toMatchObject({
      message: 'last message repeated 3 times'
    })
  })

  it.each([
    'plain text',
    '',
    '<34>',
    '<192>Jan  1 03:04:05 h a: x',
    'Foo  1 03:04:05 h a: x',
    'Feb 31 03:04:05 h a: x',
    'Jan  1 03:04:05 h ',
    '<34>1 yesterday h a - - - x',
    '<34>1 2026-01-01T22:14:15Z h a - - [open x',
    '2026-13-01T03:04:05Z h a: x'
  ])('is not recognized: %s', line => {
    expect(parse(line)).toBeNull()
  })

  it('costs little, however it is made', () => {
    const started = performance.now()
    for (const line of [
      '<34>1 2026-01-01T22:14:15Z h a - - ' + '[a b="\\'.repeat(5_000),
      `Jan  1 03:04:05 h ${'a'.repeat(100_000)}`
    ])
      parse(line)
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  it('states the same whatever lines were before it', () => {
    const random = seededRandom(66)
    const times = ['2026-01-01T03:04:05Z', '2026-01-01T03:04:05.25+02:00', '2026-01-01T03:04:05.2+29:00', '2026-01-01T24:00:00Z']
    const more = ['2026-01-01T24:00:00.5Z', '2026-01-01T03:04:61Z', '2026-01-01T03:04:05.2', '-', '2026', '2026-01-01\t03:04:05Z']
    const ids = ['-', 'a', 'shop', '812', 'a\tb', '', 'x'.repeat(49)]
    const ends = ['- started', '-', '- ', '- \ufeffstarted', '- \ufeff', '[a b="c"] started', '-x started', '']
    const shared = new SyslogLines(READ_MS)
    let found = 0
    for (let i = 0; i < 20_000; i++) {
      const parts = [...[1, 2, 3, 4].map(() => random.pick(ids)), random.pick(ends)].join(' ')
      const version1 = `<${random.pick([14, 34, 192])}>1 ${random.pick([...times, ...more])} ${parts}`
      const day = random.pick(['Jan  1', 'Jan  4', 'Feb 30', 'Foo 12'])
      const older = `${day} 03:04:0${random.below(2)}${random.pick(['', '.25'])} web-1 su[230]: failed`
      const line = random.below(4) === 0 ? older : version1
      const parsed = parse(line)
      expect([line, shared.parse(line)]).toEqual([line, parsed])
      if (parsed !== null) found++
    }
    expect(found).toBeGreaterThan(1_000)
  })
})
