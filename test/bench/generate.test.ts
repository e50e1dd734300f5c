import { describe, expect, it } from '@jest/globals'
import { KNOWN_TRACE_EVERY, knownTrace, LogSource, NEEDLE, NEEDLE_EVERY } from '../../bench/generate/logs.js'
import { PointSource } from '../../bench/generate/metrics.js'
import { RumSource } from '../../bench/generate/rum.js'
import { TEMPLATES } from '../../bench/generate/templates.js'

interface Line {
  timestamp: string
  level: string
  service: string
  message: string
  trace_id?: string
  span_id?: string
  log_fields: Record<string, unknown>
}

function lines(seed: number, n: number): string[] {
  const source = new LogSource(seed)
  return Array.from({ length: n }, (_, i) => source.next(1_700_000_000 + Math.floor(i / 100), i))
}

describe('the log generator', () => {
  const sample = lines(1, 20_000)
  const parsed = sample.map(line => JSON.parse(line) as Line)

  it('gives the same lines for the same seed and others for another', () => {
    expect(lines(1, 50)).toEqual(sample.slice(0, 50))
    expect(lines(2, 50)).not.toEqual(sample.slice(0, 50))
  })
  it('writes about 300 bytes a line, ASCII only', () => {
    const mean = sample.reduce((sum, line) => sum + line.length, 0) / sample.length
    expect(mean).toBeGreaterThan(285)
    expect(mean).toBeLessThan(315)
    expect(sample.every(line => Buffer.byteLength(line) === line.length)).toBe(true)
  })
  it('has 200 templates', () => {
    expect(TEMPLATES).toHaveLength(200)
  })
  it('gives five fields and, to 60 % of the lines, a trace and a span', () => {
    expect(parsed.every(line => Object.keys(line.log_fields).length === 5)).toBe(true)
    const traced = parsed.filter(line => line.trace_id?.length === 32 && line.span_id?.length === 16)
    expect(traced.length / parsed.length).toBeCloseTo(0.6, 1)
    expect(new Set(traced.map(line => line.trace_id)).size).toBe(traced.length)
  })
  it('keeps nine decimals of the time', () => {
    expect(parsed[42]!.timestamp).toBe('2023-11-14T22:13:20.000000042Z')
  })
  it('hides the needle and the known traces where it states', () => {
    const source = new LogSource(3)
    const marked: string[] = []
    let needles = 0
    for (let i = 0; i < NEEDLE_EVERY; i++) {
      const line = source.next(0, 0)
      if (line.includes(NEEDLE)) needles++
      if (i % KNOWN_TRACE_EVERY === KNOWN_TRACE_EVERY - 1) marked.push((JSON.parse(line) as Line).trace_id!)
    }
    expect(needles).toBe(1)
    expect(marked).toEqual(Array.from({ length: 4 }, () => knownTrace(0)))
  })
})

describe('the point generator', () => {
  it('sweeps all series once per step and lets counters only rise', () => {
    const source = new PointSource({ seed: 1, hosts: 2, startNs: 1_700_000_000_000_000_000n, stepNs: 1_000_000_000n })
    const sweep = (): { name: string; value: number; labels: object }[] =>
      Array.from(
        { length: source.seriesCount },
        () => JSON.parse(source.next()) as { name: string; value: number; labels: object }
      )
    const [first, second] = [sweep(), sweep()]
    expect(new Set(first.map(p => p.name + JSON.stringify(p.labels))).size).toBe(source.seriesCount)
    const counters = first.map((p, i) => [p, second[i]!] as const).filter(([p]) => p.name === 'http.server.requests')
    expect(counters.every(([a, b]) => b.value >= a.value)).toBe(true)
  })
})

describe('the RUM generator', () => {
  it('makes vitals that follow one another in time and slow down with a bad release', () => {
    const [calm, slow] = [new RumSource(5), new RumSource(5)]
    for (let i = 0; i < 200; i++) {
      const a = calm.next({ release: '1', slowdown: 1 })
      const b = slow.next({ release: '2', slowdown: 4 })
      expect(Number(a['first_contentful_paint_ms'])).toBeGreaterThan(Number(a['time_to_first_byte_ms']))
      expect(Number(a['largest_contentful_paint_ms'])).toBeGreaterThan(Number(a['first_contentful_paint_ms']))
      expect(Number(b['largest_contentful_paint_ms'])).toBeGreaterThan(Number(a['largest_contentful_paint_ms']))
    }
  })
})
