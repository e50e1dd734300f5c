import { describe, expect, it } from '@jest/globals'
import type { LogRecord } from '../../../src/domain/records/log.js'
import { parseLog } from '../../../src/ingest/parse-log.js'
import type { LogOverrides } from '../../../src/ingest/recognize-log/override-names.js'
import { accepted } from './items.js'
import { check } from './parsed-logs.js'

describe('what a response reports', () => {
  const reported = (logs: readonly unknown[], overrides: LogOverrides = {}) => {
    const of = check(overrides)
    const parsed = logs.map((raw, index) => {
      of.begin(index)
      return accepted<LogRecord>(parseLog(raw, of))
    })
    return { read: of.logs.reply(parsed), warnings: of.logs.warnings(of.context.logs), shown: of.logs.shownOf(0) }
  }
  const OURS = { message: 'm', timestamp: '2026-11-23T02:00:00Z', level: 'info' }

  it('is nothing for the names of this interface', () => {
    expect(reported([OURS, { message: 'm' }, { message: 'm', order: 5 }])).toEqual({ read: null, warnings: [], shown: null })
  })

  it('is how many records had which name, ours too', () => {
    const pino = { level: 30, time: 1795401131000, msg: 'm', pid: 1, name: 's' }
    const { read, warnings, shown } = reported([pino, OURS, { ...pino, time: undefined }])
    expect(read).toEqual({
      message: { msg: 2, message: 1 },
      time: { time: 1, arrival: 1, timestamp: 1 },
      level: { level: 3 },
      service: { name: 2 }
    })
    expect(warnings).toEqual([])
    expect(shown).toEqual({ message: 'msg', time: 'time', level: 'level', service: 'name' })
  })

  it('is that a time was not read, or which member may be one', () => {
    expect(reported([{ message: 'm', '@timestamp': 'soon' }]).warnings).toEqual([
      expect.stringMatching(/^1 records got the time of arrival, .* "@timestamp"/)
    ])
    const { read, warnings } = reported([{ message: 'm', created_at: '2026-11-23T02:00:00Z' }])
    expect([read, warnings]).toEqual([
      { message: { message: 1 }, time: { arrival: 1 } },
      [expect.stringMatching(/time_field=created_at/)]
    ])
  })

  it('is that UTC was assumed', () => {
    expect(reported([{ message: 'm', timestamp: '2026-11-23 02:00:00' }]).warnings).toEqual([
      expect.stringMatching(/^1 records .* UTC.*timezone/)
    ])
    expect(reported([{ message: 'm', timestamp: '2026-11-23 02:00:00' }], { timezone: '+01:00' }).warnings).toEqual([])
  })

  it('is that a date was not taken for the time, which it cannot be', () => {
    const birth = { message: 'm', date: '1980-05-01T00:00:00Z' }
    const due = { message: 'm', datetime: '2099-01-01T00:00:00Z', created_at: '2026-11-23T02:00:00Z' }
    const { read, warnings } = reported([birth, due])
    expect([read, warnings]).toEqual([
      { message: { message: 2 }, time: { arrival: 2 } },
      [expect.stringMatching(/^2 records got the time of arrival.*"date", "datetime".* accepted window.*time_field=date\)$/)]
    ])
    expect(reported([{ ...birth, ts: '2026-11-23T02:00:00Z' }])).toMatchObject({ read: { time: { ts: 1 } }, warnings: [] })
  })

  it('is that no record has the member that an override names', () => {
    expect(reported([OURS], { level_field: 'sev' }).warnings).toEqual(['no record has the member "sev" named by level_field'])
  })
})
