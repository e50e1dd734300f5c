import { describe, expect, it } from '@jest/globals'
import { parseRfc3339Ns } from '../../../src/domain/timestamp.js'
import { parseLogOverrides } from '../../../src/ingest/recognize-log/log-overrides.js'
import type { LogOverrides } from '../../../src/ingest/recognize-log/override-names.js'
import { parse, timeOf } from './parsed-logs.js'

describe('overrides', () => {
  it.each<[LogOverrides, object, object]>([
    [{ message_field: 'text' }, { text: 'm', message: 'other' }, { message: 'm', fields: { message: 'other' } }],
    [{ message_field: 'a.b,c' }, { c: 'm', a: { x: 1 } }, { message: 'm', fields: { a: { x: 1 } } }],
    [{ message_field: 'absent' }, { message: 'm' }, { message: 'm' }],
    [{ time_field: 'at', time_unit: 'ms' }, { message: 'm', at: 1795401131000 }, { timestampNs: 1_795_401_131_000_000_000n }],
    [
      { time_field: 'timestamp' },
      { message: 'm', date: '1999-01-01T00:00:00Z' },
      { isServerTime: true, fields: { date: '1999-01-01T00:00:00Z' } }
    ],
    [
      { timezone: 'Europe/Berlin' },
      { message: 'm', time: '2026-11-23 02:46:20' },
      { timestampNs: parseRfc3339Ns('2026-11-23T01:46:20Z')! }
    ],
    [
      { timezone: '-05:00' },
      { message: 'm', time: '2026-11-23 02:46:20' },
      { timestampNs: parseRfc3339Ns('2026-11-23T07:46:20Z')! }
    ],
    [{ level_field: 'sev' }, { message: 'm', sev: 'E', level: 'info' }, { level: 'error', fields: { level: 'info' } }],
    [{ service_field: 'a.b' }, { message: 'm', 'a.b': 's' }, { service: 's' }],
    [{ host_field: 'node' }, { message: 'm', node: 'n' }, { host: 'n' }],
    [{ trace_field: 'ctx.t' }, { message: 'm', ctx: { t: 'AB' } }, { traceId: 'ab' }],
    [{ service: 's', host: 'h' }, { message: 'm' }, { service: 's', host: 'h' }],
    [{ service: 's' }, { message: 'm', app: 'own' }, { service: 'own' }],
    [{ tags: 'env=prod, team = pay' }, { message: 'm', tags: { env: 'own' } }, { tags: { env: 'own', team: 'pay' } }],
    [
      { tag_fields: 'region,a.b' },
      { message: 'm', region: 'eu', a: { b: 1, c: 2 } },
      { tags: { region: 'eu', 'a.b': 1 }, fields: { a: { c: 2 } } }
    ],
    [{ ignore_fields: 'secret,a.b' }, { message: 'm', secret: 1, a: { b: 1, c: 2 } }, { fields: { a: { c: 2 } } }]
  ])('%j', (overrides, raw, expected) => {
    const log = parse(raw, overrides)
    expect(log).toMatchObject(expected)
    if ('fields' in expected) expect(log.fields).toEqual(expected.fields)
  })

  it.each<[LogOverrides, string]>([
    [{ time_unit: 'm' }, 'time_unit'],
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ timezone: '+25:00' }, 'timezone'],
    [{ parse_message: 'yes' }, 'parse_message'],
    [{ tags: 'env' }, 'tags'],
    [{ tags: Array.from({ length: 21 }, (_, i) => `t${i}=1`).join(',') }, 'tags'],
    [{ message_field: Array.from({ length: 9 }, (_, i) => `m${i}`).join(',') }, 'message_field'],
    [{ message_field: 'a.b.c.d.e.f.g' }, 'message_field'],
    [{ ignore_fields: 'a'.repeat(129) }, 'ignore_fields'],
    [{ service: 's'.repeat(1025) }, 'service']
  ])('%j are refused by name', (overrides, field) => {
    let refused: unknown
    try {
      parseLogOverrides(overrides)
    } catch (error) {
      refused = error
    }
    expect(refused).toMatchObject({ code: 'invalid_field', field })
  })

  it('know when clocks change', () => {
    const at = (text: string): string => timeOf(parse({ message: 'm', time: text }, { timezone: 'America/New_York' }))
    expect(at('2026-11-23 02:46:20')).toBe('2026-11-23T07:46:20.000000000Z')
    const { zone } = parseLogOverrides({ timezone: 'Europe/Berlin' }).time
    expect(
      [Date.UTC(2026, 6, 1), Date.UTC(2026, 9, 25, 1, 59), Date.UTC(2026, 9, 25, 3), Date.UTC(2026, 2, 29, 3)].map(ms =>
        zone!(ms / 1000)
      )
    ).toEqual([7200, 7200, 3600, 7200])
  })
})
