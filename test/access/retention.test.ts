import { describe, expect, it } from '@jest/globals'
import { RetentionJob } from '../../src/access/retention.js'
import { DEFAULT_RETENTION } from '../../src/domain/namespace.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import { namespace } from '../contract/control-fixtures.js'
import { ManualTime } from '../support/manual-time.js'

const DAY_NS = 86_400_000_000_000n

describe('the retention job', () => {
  const clock = new ManualTime()
  const calls: string[] = []
  const faults: NamespaceId[] = []
  const note = (what: string) => (ns: NamespaceId, timeNs: bigint) => {
    if (ns.endsWith('broken')) return Promise.reject(new Error('engine'))
    calls.push(`${ns} ${what} ${(clock.nowNs() - timeNs) / DAY_NS}d`)
    return Promise.resolve()
  }
  const job = new RetentionJob({
    clock,
    logs: { deleteBefore: note('logs') },
    metrics: { deleteBefore: note('metrics') },
    events: { deleteBefore: (ns, kind, timeNs) => note(kind)(ns, timeNs) },
    traces: { deleteBefore: note('traces') },
    exemplars: { deleteBefore: note('exemplars') },
    streams: { deleteBefore: (ns, atMs) => note('streams')(ns, BigInt(atMs) * 1_000_000n) },
    hosts: { deleteBefore: async () => undefined },
    namespaces: () => [
      namespace('broken'),
      namespace('gone', { state: 'deleted' }),
      namespace('going', { state: 'deleting' }),
      namespace('shop', { retention: { ...DEFAULT_RETENTION, metrics: null } }),
      namespace('bank', {
        retention: { logs: null, metrics: DEFAULT_RETENTION.metrics, rum: null, errors: null, traces: null, rejected: null }
      })
    ],
    onError: (_error, ns) => faults.push(ns)
  })

  it('trims each signal of active namespaces by its retention, never what is kept forever, whatever fails elsewhere', async () => {
    await Promise.all([job.runOnce(), job.runOnce()])
    const shop = namespace('shop').id
    const bank = namespace('bank').id
    const ofBank = [`${bank} metrics 30d`, `${bank} exemplars 30d`]
    const ofShop = ['logs 14d', 'streams 14d', 'rum 30d', 'errors 30d', 'traces 7d'].map(call => `${shop} ${call}`)
    expect(calls).toEqual([...ofShop, ...ofBank])
    expect(faults).toEqual([namespace('broken').id])
  })
})
