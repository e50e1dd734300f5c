import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { formatDurationMs, parseDurationMs } from '../../../src/domain/duration.js'
import { GatewayError } from '../../../src/domain/errors.js'
import { flatten } from '../../../src/domain/flatten.js'
import { parseRecordId, recordId } from '../../../src/domain/ids.js'
import { nearest } from '../../../src/domain/nearest.js'
import { parseSeverity } from '../../../src/domain/severity.js'
import { resolveWindow } from '../../../src/domain/time-range.js'
import { createUlidSource, ulidTimeMs } from '../../../src/domain/ulid.js'

describe('ids', () => {
  it('grow strictly when the clock stalls, repeats and moves backwards', () => {
    const times = [5, 5, 5, 3, 9, 9, 1]
    let call = 0
    const next = createUlidSource(
      () => times[call++ % times.length]!,
      n => new Uint8Array(n).fill(255)
    )
    const ids = Array.from({ length: 50 }, next)
    expect([...ids].sort()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ulidTimeMs(ids[0]!)).toBe(5)
  })

  it('split into the ingest id and the index that made them', () => {
    const ingestId = createUlidSource(
      () => 1_700_000_000_000,
      n => new Uint8Array(n)
    )()
    expect(parseRecordId(recordId(ingestId, 9_999))).toEqual({ ingestId, index: 9_999 })
    expect(parseRecordId(`${ingestId}x`)).toBeNull()
  })
})

describe('durations', () => {
  it.each([
    ['15s', 15_000],
    ['1h30m', 5_400_000],
    ['7d', 604_800_000],
    ['1.5h', 5_400_000],
    ['250ms', 250]
  ])('reads %s', (text, ms) => {
    expect(parseDurationMs(text)).toBe(ms)
  })

  it.each(['', '5', 'h', '5 m', '-5m', '5m!', '5M'])('refuses %j', text => expect(parseDurationMs(text)).toBeNull())

  it('come back from their text', () => {
    fc.assert(fc.property(fc.nat(), ms => expect(parseDurationMs(formatDurationMs(ms))).toBe(ms)))
  })
})

describe('levels', () => {
  it.each([
    ['WARNING', 'warn', 13],
    ['err', 'error', 17],
    ['notice', 'info', 10],
    ['3', 'error', 17],
    ['7', 'debug', 5],
    ['30', 'info', 9],
    ['60', 'fatal', 21],
    ['Audit', 'info', 10],
    ['Loud', 'loud', 0],
    ['constructor', 'constructor', 0],
    ['', null, 0]
  ])('maps %s', (text, level, severityNumber) => expect(parseSeverity(text)).toEqual({ level, severityNumber }))
})

describe('flatten', () => {
  it('leaves a flat object as it is', () => {
    const flat = { a: 1, b: null }
    expect(flatten(flat)).toBe(flat)
  })

  it('gives dotted keys, and many values for arrays and for a path that is written twice', () => {
    const object = { a: { b: 1, c: { d: 'x' } }, 'a.b': 2, list: [1, 'two', { deep: true }, [3]], none: [] }
    expect({ ...flatten(object) }).toEqual({ 'a.b': [1, 2], 'a.c.d': 'x', 'list.deep': true, list: [3, 1, 'two'], none: [] })
  })

  it('treats __proto__ as an ordinary key', () => {
    const flat = flatten(JSON.parse('{"__proto__":{"polluted":1},"a":{"__proto__":2}}') as never)
    expect(Object.keys(flat)).toEqual(['__proto__.polluted', 'a.__proto__'])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

describe('resolveWindow', () => {
  const nowNs = 1_700_000_000_000_000_000n

  it('reads numbers by magnitude, RFC 3339 and relative times', () => {
    expect(resolveWindow(1_699_999_000, undefined, nowNs, 1).startNs).toBe(1_699_999_000_000_000_000n)
    expect(resolveWindow('now-15m', 'now', nowNs, 1)).toEqual({
      startNs: nowNs - 900_000_000_000n,
      endNs: nowNs,
      unitDetected: 'relative'
    })
    expect(resolveWindow('2023-11-14T00:00:00Z', undefined, nowNs, 1).unitDetected).toBe('rfc3339')
  })

  it('is the default length up to and with now when nothing is given', () => {
    expect(resolveWindow(undefined, undefined, nowNs, 3_600_000)).toEqual({
      startNs: nowNs + 1n - 3_600_000_000_000n,
      endNs: nowNs + 1n,
      unitDetected: 'default'
    })
  })

  it.each([
    ['yesterday', 'now'],
    ['now', 'now'],
    ['now', 'now-1h'],
    [{}, 'now']
  ])('refuses %j to %j', (start, end) => {
    expect(() => resolveWindow(start, end, nowNs, 1)).toThrow(GatewayError)
  })
})

/** Optimal string alignment, by its definition. */
function alignment(a: string, b: string): number {
  const memory = new Map<string, number>()
  const of = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j
    const key = `${i} ${j}`
    const known = memory.get(key)
    if (known !== undefined) return known
    const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
    const change = of(i - 1, j - 1) + Number(a[i - 1] !== b[j - 1])
    const found = Math.min(of(i - 1, j) + 1, of(i, j - 1) + 1, change, isSwap ? of(i - 2, j - 2) + 1 : Infinity)
    memory.set(key, found)
    return found
  }
  return of(a.length, b.length)
}

describe('the nearest known word', () => {
  const KNOWN = ['host', 'service', 'level', 'trace_id', 'port', 'http.server.requests']
  it.each([
    ['servce', 'service'],
    ['levle', 'level'],
    ['prot', 'port'],
    ['traceid', 'trace_id'],
    ['http_server_requests', 'http.server.requests']
  ])('of %s is %s', (word, meant) => {
    expect(nearest(word, KNOWN)).toBe(meant)
  })

  it('is chosen by the letters that differ, including swapped ones', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 14 })
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 6 }), (requested, known) => {
        const most = Math.min(3, Math.max(1, Math.floor(requested.length / 3)))
        const distances = known.map(candidate => alignment(requested, candidate))
        const least = Math.min(...distances)
        const isNear = least <= most && least < requested.length
        expect(nearest(requested, known)).toBe(isNear ? known[distances.indexOf(least)] : null)
      }),
      { numRuns: 300 }
    )
  })

  it.each(['size', 'has', 'a', 'server', '', 'requests'])('is absent for "%s"', word => {
    expect(nearest(word, KNOWN)).toBeNull()
  })
})
