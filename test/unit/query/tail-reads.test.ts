import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import { READS_AT_ONCE } from '../../../src/query/log-tail/limits.js'
import { TailReads } from '../../../src/query/log-tail/tail-reads.js'
import { ManualTime } from '../../support/manual-time.js'

const NEVER = new AbortController().signal
const A = 'nsa' as NamespaceId
const B = 'nsb' as NamespaceId
const C = 'nsc' as NamespaceId

describe('reads of live tails', () => {
  let time: ManualTime
  let reads: TailReads
  let started: string[]
  let finish: Map<string, () => void>

  beforeEach(() => {
    time = new ManualTime()
    reads = new TailReads(time, time)
    started = []
    finish = new Map()
  })

  const read = (ns: NamespaceId, name: string, signal: AbortSignal = NEVER): Promise<void> =>
    reads.run(ns, signal, () => {
      started.push(name)
      return new Promise(resolve => finish.set(name, resolve))
    })
  const pass = async (ms: number): Promise<void> => {
    time.pass(ms)
    await turn()
  }
  /** Lets a read end that took `tookMs`. */
  const end = async (done: Promise<void>, name: string, tookMs = 0): Promise<void> => {
    await pass(tookMs)
    finish.get(name)!()
    await done
  }

  it('run one at a time of a namespace, and as many at once as the limit', async () => {
    void read(A, 'a1')
    void read(A, 'a2')
    void read(B, 'b1')
    void read(C, 'c1')
    await pass(0)
    expect(started).toEqual(['a1', 'b1'])
    expect(started).toHaveLength(READS_AT_ONCE)
  })

  it('give a freed place to the namespace that waits longest', async () => {
    const first = read(A, 'a1')
    void read(A, 'a2')
    void read(B, 'b1')
    void read(C, 'c1')
    await end(first, 'a1')
    expect(started).toEqual(['a1', 'b1', 'c1'])
  })

  it('pause a namespace for as long as its read took', async () => {
    const first = read(A, 'a1')
    void read(A, 'a2')
    await pass(0)
    await end(first, 'a1', 300)
    await pass(299)
    expect(started).toEqual(['a1'])
    await pass(1)
    expect(started).toEqual(['a1', 'a2'])
  })

  it('free the place of a read that failed', async () => {
    await expect(reads.run(A, NEVER, () => Promise.reject(new Error('store')))).rejects.toThrow('store')
    await pass(0)
    void read(A, 'a1')
    await pass(0)
    expect(started).toEqual(['a1'])
  })

  it('drop a waiting read whose tail has ended, and only that', async () => {
    const first = read(A, 'a1')
    const gone = new AbortController()
    const waiting = read(A, 'a2', gone.signal)
    void read(A, 'a3')
    gone.abort(new Error('left'))
    await expect(waiting).rejects.toThrow('left')
    await end(first, 'a1')
    await pass(0)
    expect(started).toEqual(['a1', 'a3'])
  })

  it('reject a read whose tail has ended before', async () => {
    await expect(read(A, 'a1', AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
    expect(started).toEqual([])
  })
})
