import { describe, expect, it } from '@jest/globals'
import { Shop } from '../../bench/demo/shop.js'
import { chapterAt, lastIncident, LIVE_STARTS_AT, releaseStarting } from '../../bench/demo/story.js'

interface Log {
  level: string
  service: string
  trace_id?: string
  log_fields?: { release: string }
}

function play(fromSeconds: number, count: number): { logs: Log[]; errors: number } {
  const shop = new Shop(1)
  const seconds = Array.from({ length: count }, (_, i) => shop.second(1_700_000_000 + i, fromSeconds + i))
  return { logs: seconds.flatMap(s => s.logs as unknown as Log[]), errors: seconds.reduce((sum, s) => sum + s.errors.length, 0) }
}

describe('the story', () => {
  it('deploys a bad release a minute after the live part begins and rolls it back', () => {
    const names = Array.from({ length: 1200 }, (_, i) => chapterAt(LIVE_STARTS_AT + i).name)
    const order = names.filter((name, i) => name !== names[i - 1])
    expect(order).toEqual(['calm', 'deploy', 'incident', 'rollback', 'calm'])
    expect(releaseStarting(LIVE_STARTS_AT + 60)).toEqual({ release: '2.15.0', isRollback: false })
  })
  it('reports when the last incident was', () => {
    for (const at of [LIVE_STARTS_AT, 899, 900, 2_000]) {
      const { beganAgo, endedAgo } = lastIncident(at)
      expect([beganAgo, beganAgo + 1].map(ago => chapterAt(at - ago).name)).toEqual(['incident', 'deploy'])
      expect([endedAgo + 1, endedAgo].map(ago => chapterAt(at - ago).name)).toEqual(['incident', 'rollback'])
    }
  })
  it('repeats and holds for times before it began', () => {
    expect(chapterAt(-1200 + 600).name).toBe(chapterAt(600).name)
  })
})

describe('the shop', () => {
  it('fails far more often in the incident than in calm times, under the new release', () => {
    const [calm, incident] = [play(0, 300), play(580, 300)]
    expect(incident.errors).toBeGreaterThan(5 * Math.max(1, calm.errors))
    expect(incident.logs.filter(log => log.level === 'error').every(log => log.log_fields?.release === '2.15.0')).toBe(true)
  })
  it('lets one trace id cross services', () => {
    const services = new Map<string, Set<string>>()
    for (const { trace_id, service } of play(0, 30).logs) {
      if (trace_id !== undefined) services.set(trace_id, (services.get(trace_id) ?? new Set()).add(service))
    }
    expect(Math.max(...[...services.values()].map(set => set.size))).toBeGreaterThanOrEqual(4)
  })
  it('is the same for the same seed', () => {
    expect(play(0, 20)).toEqual(play(0, 20))
  })
})
