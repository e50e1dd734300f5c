import { describe, expect, it } from '@jest/globals'
import { parseConfig } from '../../agent/src/config/load-config.js'
import { FaultLog } from '../../agent/src/fault-log.js'
import type { SourceState } from '../../agent/src/files/source-states.js'
import { runHost } from '../../agent/src/host/run-host.js'

interface Report {
  readonly atMs: number
  readonly sources: readonly string[]
  readonly hasLists: boolean
}

interface Body {
  readonly agent: { readonly sources: readonly { readonly path: string; readonly state: string }[] }
  readonly listeners: unknown
  readonly containers: unknown
}

/** Reports of an agent until a time, whose sources are those of the latest change before. */
async function reportsUntil(
  endMs: number,
  sourcesAt: (ms: number) => readonly SourceState[],
  text = ''
): Promise<readonly Report[]> {
  let nowMs = 0
  const stop = new AbortController()
  const bodies: { readonly atMs: number; readonly body: string }[] = []
  const clock = { nowMs: () => nowMs, elapsedMs: () => nowMs }
  const post = {
    compress: async (body: string) => (bodies.push({ atMs: nowMs, body }), Buffer.from(body)),
    put: async () => ({ status: 200, body: '', retryAfterMs: null })
  }
  await runHost({
    config: parseConfig(`agent: {api_key: k}\n${text}`),
    ...{ hostId: 'm-1', agent: { version: '1', startedAtMs: 0, configHash: 'ab' } },
    ...{ clock, signal: stop.signal, faults: new FaultLog(() => undefined, clock) },
    post: post as unknown as Parameters<typeof runHost>[0]['post'],
    sources: async () => sourcesAt(nowMs),
    // The first interval is three quarters of the others.
    random: () => 0.5,
    sleep: async ms => {
      nowMs += ms
      if (nowMs >= endMs) stop.abort()
    }
  })
  return bodies.map(({ atMs, body }) => {
    const { agent, listeners, containers } = JSON.parse(body) as Body
    const sources = agent.sources.map(({ path, state }) => `${path} ${state}`)
    return { atMs, sources, hasLists: listeners !== null && containers !== null }
  })
}

const reading = (path: string, lagBytes = 0): SourceState => ({ path, state: 'reading', lagBytes })
const INTERVALS = 'listeners: {interval: 60s}'

describe('reports of a host', () => {
  it('follow each collection, and a change of the files within 10 s', async () => {
    const first = await reportsUntil(1, () => [])
    expect(first).toEqual([{ atMs: 0, sources: [], hasLists: true }])
    const atMs = async (sourcesAt: (ms: number) => readonly SourceState[]): Promise<readonly unknown[]> =>
      (await reportsUntil(170_000, sourcesAt, INTERVALS)).map(report => [report.atMs, report.hasLists, report.sources.length])
    // Its lag alone does not count.
    expect(await atMs(ms => (ms < 5_000 ? [] : [reading('/a', ms)]))).toEqual([
      [0, true, 0],
      [10_000, false, 1],
      [45_000, true, 1],
      [105_000, true, 1],
      [165_000, true, 1]
    ])
    expect(await atMs(ms => (ms < 44_000 ? [] : [reading('/a')]))).toEqual([
      [0, true, 0],
      [45_000, true, 1],
      [105_000, true, 1],
      [165_000, true, 1]
    ])
  })

  it('are at least 10 s apart, whatever the files do', async () => {
    const reports = await reportsUntil(105_001, ms => [reading(`/${ms}`)], INTERVALS)
    expect(reports.map(({ atMs, hasLists }) => `${atMs / 1_000}${hasLists ? ' whole' : ''}`)).toEqual([
      ...['0 whole', '10', '20', '30', '45 whole', '55', '65', '75', '85', '95', '105 whole']
    ])
    const often = await reportsUntil(30_000, ms => [reading(`/${ms}`)], 'listeners: {interval: 10s}')
    expect(often.map(({ atMs, hasLists }) => [atMs, hasLists])).toEqual([
      [0, true],
      [7_500, true],
      [17_500, true],
      [27_500, true]
    ])
  })

  it('list neither listeners nor containers where both are off', async () => {
    const off = 'metrics: {containers: false}\nlisteners: {enabled: false}'
    expect(await reportsUntil(1, () => [], off)).toEqual([{ atMs: 0, sources: [], hasLists: false }])
  })
})
