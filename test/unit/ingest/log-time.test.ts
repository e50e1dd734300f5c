import { describe, expect, it } from '@jest/globals'
import { formatNs } from '../../../src/domain/timestamp.js'
import { parseLog } from '../../../src/ingest/parse-log.js'
import { readTimeText } from '../../../src/ingest/recognize-log/read-time-text.js'
import { refusal } from './items.js'
import { NOW_NS, check, parse, sent, timeOf } from './parsed-logs.js'

describe('the time of a record', () => {
  it.each<[string, string]>([
    ['2026-11-23T02:32:11.869Z', '2026-11-23T02:32:11.869000000Z'],
    ['2026-11-23T02:32:11.869+0100', '2026-11-23T01:32:11.869000000Z'],
    ['2026-11-23T02:32:11+01', '2026-11-23T01:32:11.000000000Z'],
    ['2026-11-23 02:46:20,896', '2026-11-23T02:46:20.896000000Z'],
    ['2026-11-23 02:46:20.1234567891', '2026-11-23T02:46:20.123456789Z'],
    ['2026-11-23T02:46:20', '2026-11-23T02:46:20.000000000Z'],
    ['2026-11-23 02:46:20 +0200', '2026-11-23T00:46:20.000000000Z'],
    ['2026/11/23 02:46:20', '2026-11-23T02:46:20.000000000Z'],
    ['2026-11-23 02:46:20 UTC', '2026-11-23T02:46:20.000000000Z'],
    ['23/Nov/2026:02:29:20 +0000', '2026-11-23T02:29:20.000000000Z'],
    ['23/Nov/2026:02:29:20 -0130', '2026-11-23T03:59:20.000000000Z'],
    ['Mon, 23 Nov 2026 02:29:20 +0000', '2026-11-23T02:29:20.000000000Z'],
    ['9 Nov 2026 12:29:20 GMT', '2026-11-09T12:29:20.000000000Z'],
    ['1795401131.869070387', '2026-11-23T02:32:11.869070387Z'],
    ['1795401131869', '2026-11-23T02:32:11.869000000Z']
  ])('is read from %s', (text, expected) => {
    expect(formatNs(readTimeText(text, {})!.ns)).toBe(expected)
    expect(timeOf(parse({ message: 'm', '@timestamp': text }))).toBe(expected)
    expect(timeOf(parse({ message: 'm', timestamp: text }))).toBe(expected)
  })

  it.each([
    '',
    'yesterday',
    '2026-11-23',
    '2026-02-31 00:00:00',
    '23/Foo/2026:02:29:20 +0000',
    '2026-11-23 02:46:20 CET',
    '2026-11-23 02:46',
    '12:30:00',
    '2026-11-23T02:46:20+99:00',
    '2026-11-23 02:46:20,'
  ])('is not read from %s: a field, and invalid under our own name', text => {
    expect(parse({ message: 'm', '@timestamp': text, a: 1 })).toMatchObject({
      isServerTime: true,
      timestampNs: NOW_NS,
      fields: { '@timestamp': text }
    })
    if (text !== '') expect(refusal(parseLog({ message: 'm', timestamp: text }, check()))).toBe('invalid_field timestamp')
  })

  it('keeps nanoseconds that a double has no room for', () => {
    expect(parse(sent('{"message":"m","timestamp":1795401131.869070387}')).timestampNs).toBe(1_795_401_131_869_070_387n)
    expect(parse(sent('{"message":"m","@timestamp" : 1795401131.869070387,"ratio":1795401131.8690703}')).fields).toEqual({
      ratio: 1795401131.8690703
    })
    expect(parse(sent('{"message":"m","ts":1795401131869070387}')).timestampNs).toBe(1_795_401_131_869_070_387n)
  })

  it('is refused where a time of ours is, under the name that it has', () => {
    expect(refusal(parseLog({ message: 'm', time: '2020-01-01T00:00:00Z' }, check()))).toBe('timestamp_too_old time')
    expect(refusal(parseLog({ message: 'm', '@timestamp': '2027-01-01T00:00:00Z' }, check()))).toBe(
      'timestamp_in_future @timestamp'
    )
  })

  it('takes the first member that is one', () => {
    const log = parse({ message: 'm', time: '12ms', ts: 'soon', date: '2026-11-23T02:00:00Z' })
    expect([timeOf(log), log.fields]).toEqual(['2026-11-23T02:00:00.000000000Z', { time: '12ms', ts: 'soon' }])
  })
})

describe('a date other than that of the event', () => {
  it.each<[string, object]>([
    ['a birth date', { date: '1980-05-01T00:00:00Z' }],
    ['a due date', { datetime: '2099-01-01T00:00:00Z' }],
    ['a flight', { eventTime: 4_070_908_800 }],
    ['one in an embedded record', { log: '{"msg":"m","date":"1980-05-01T00:00:00Z"}' }]
  ])('is a field: %s', (_name, raw) => {
    const log = parse({ message: 'm', ...raw })
    expect(log).toMatchObject({ isServerTime: true, timestampNs: NOW_NS })
    expect(JSON.stringify(log.fields)).toMatch(/1980|2099|4070908800/)
  })

  it('is skipped for the next member that is a time', () => {
    const raw = { message: 'm', date: '1980-05-01T00:00:00Z', asctime: '2026-11-23 02:46:20,896' }
    expect(timeOf(parse(raw))).toBe('2026-11-23T02:46:20.896000000Z')
    expect(parse(raw).fields).toEqual({ date: '1980-05-01T00:00:00Z' })
  })

  it('is the time within the window, and refuses the record where the request reports that it is the time', () => {
    expect(timeOf(parse({ message: 'm', date: '2026-11-23T02:00:00Z' }))).toBe('2026-11-23T02:00:00.000000000Z')
    const late = { message: 'm', date: '1980-05-01T00:00:00Z' }
    expect(refusal(parseLog(late, check({ time_field: 'date' })))).toBe('timestamp_too_old date')
  })

  it.each(['@timestamp', 'time', 'ts'])('is the time at %s, which refuses the record', name => {
    expect(refusal(parseLog({ message: 'm', [name]: '1980-05-01T00:00:00Z' }, check()))).toBe(`timestamp_too_old ${name}`)
  })
})
