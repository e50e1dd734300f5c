import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../src/domain/ids.js'
import { planRequest } from '../../src/query/promql/run-query.js'
import { PromqlTimeout } from '../../src/query/promql/evaluate/budget.js'
import { PromqlBadQuery, PromqlExecutionError } from '../../src/query/promql/promql-error.js'
import { promqlBounds } from '../../src/query/promql/promql-query.js'
import { type PromqlJob, PromqlThreads } from '../../src/query/promql/promql-threads.js'
import { DEFAULT_QUERY_SETTINGS } from '../../src/query/settings.js'
import { ShortRequests } from '../../src/threads/short-requests.js'
import { fixedMetrics } from '../support/fixed-metrics.js'
import { everyMinute } from '../support/promql.js'
import { threadsModule } from '../support/compiled-module.js'

const NEVER = new AbortController().signal
const STORE = fixedMetrics([
  everyMinute({ __name__: 'm', a: 'ü' }, 1, 2, 'stale'),
  everyMinute({ __name__: 'm', a: 'b' }, 4, 5, 6)
])
/** Seconds of work. */
const LONG = 'sum_over_time(vector(time())[1y:1s])'

/** The niceness of this process's threads, by their ids (proc_pid_stat(5), field 19). */
function threadNiceness(): ReadonlyMap<string, number> {
  const tasks = '/proc/self/task'
  const read = (id: string): number => Number(readFileSync(`${tasks}/${id}/stat`, 'utf8').split(') ')[1]!.split(' ')[16])
  // One that has ended since it was listed has no file any more.
  return new Map(readdirSync(tasks).flatMap(id => (existsSync(`${tasks}/${id}`) ? [[id, read(id)] as const] : [])))
}

let pool: PromqlThreads
afterEach(() => pool.close())

function jobOf(query: string, changes: Partial<PromqlJob> = {}): PromqlJob {
  const request = { query, steps: { startMs: 60_000, stepMs: 60_000, count: 2 }, isRange: true }
  const bounds = { ...promqlBounds(DEFAULT_QUERY_SETTINGS), maxValues: 1e12 }
  return {
    namespace: 'n1' as NamespaceId,
    request: request,
    bounds,
    reads: planRequest(request, bounds).reads.list,
    select: ({ matchers, range }) => STORE.select('n1' as NamespaceId, { matchers, range, maxSeries: 10, maxSamples: 10 }, NEVER),
    timeoutMs: 20_000,
    signal: NEVER,
    ...changes
  }
}

async function send(query: string, changes: Partial<PromqlJob> = {}): Promise<unknown> {
  const body = await pool.run(jobOf(query, changes))
  return (JSON.parse(Buffer.from(body).toString()) as { readonly data: { readonly result: unknown } }).data.result
}

describe('threads that evaluate PromQL', () => {
  it('read through the store of the asker, marks of ended series and all', async () => {
    pool = new PromqlThreads({ count: 2 })
    expect(await send('m')).toEqual([
      {
        metric: { __name__: 'm', a: 'b' },
        values: [
          [60, '5'],
          [120, '6']
        ]
      },
      { metric: { __name__: 'm', a: 'ü' }, values: [[60, '2']] }
    ])
  })

  it('hand errors on as what they are', async () => {
    pool = new PromqlThreads({ count: 2 })
    await expect(send('m +')).rejects.toThrow(PromqlBadQuery)
    await expect(send('m[5m]')).rejects.toThrow('invalid expression type "range vector" for range query')
    await expect(send('m + on() m')).rejects.toThrow(PromqlExecutionError)
    const bounds = promqlBounds({ ...DEFAULT_QUERY_SETTINGS, maxResultBytes: 300 })
    await expect(send('"x"'.padEnd(70_000))).rejects.toThrow('a query must not exceed 20000 characters')
    const few = promqlBounds({ ...DEFAULT_QUERY_SETTINGS, maxSamples: 5 })
    await expect(send('m', { bounds: few })).rejects.toThrow('too many samples')
    await expect(send('m or label_replace(m, "c", "d", "", "")', { bounds })).rejects.toThrow('limit of 300 bytes')
    const gone = new Error('the store is gone')
    await expect(send('m', { select: () => Promise.reject(gone) })).rejects.toBe(gone)
    expect(await send('vector(1)')).toHaveLength(1)
  })

  it('end a query at its time, and one that no one waits for', async () => {
    pool = new PromqlThreads({ count: 2 })
    await expect(send(LONG, { timeoutMs: 50 })).rejects.toThrow(PromqlTimeout)
    const leaving = new AbortController()
    const requested = send(LONG, { signal: leaving.signal })
    leaving.abort(new Error('gone'))
    await expect(requested).rejects.toThrow('gone')
    expect(await send('vector(1)')).toHaveLength(1)
  })

  it('are replaced when they do not listen', async () => {
    pool = new PromqlThreads({ count: 2 })
    await expect(send('m', { timeoutMs: 50, select: () => new Promise(() => undefined) })).rejects.toThrow(PromqlTimeout)
    expect(await send('vector(1)')).toHaveLength(1)
  })

  it('take no query while they are being ended', async () => {
    pool = new PromqlThreads({ count: 2 })
    await send('vector(1)')
    const leaving = new AbortController()
    const requested = send(LONG, { signal: leaving.signal }).catch(() => 'ended')
    const next = send('vector(1)')
    await setImmediate()
    leaving.abort()
    // This thread is held for longer than the grace of the other, which reports meanwhile that it has stopped.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    expect(await requested).toBe('ended')
    expect(await next).toHaveLength(1)
  })

  const onLinux = process.platform === 'linux' ? it : it.skip
  onLinux('go behind the thread that started them', async () => {
    const before = threadNiceness()
    pool = new PromqlThreads({ count: 2 })
    await send('vector(1)')
    const started = [...threadNiceness()].filter(([id]) => !before.has(id)).map(([, niceness]) => niceness)
    expect(started).toContain(5)
    // A pool of the engine's own may grow meanwhile: only the priority of the evaluating thread is lowered.
    expect(started.filter(niceness => niceness !== 0)).toHaveLength(1)
    expect(threadNiceness().get(String(process.pid))).toBe(before.get(String(process.pid)))
  })

  onLinux('stay where they are when that is further behind already', async () => {
    const url = pathToFileURL(threadsModule('lower-thread-priority')).href
    const code = `
      const { getPriority, setPriority } = require('node:os')
      setPriority(0, 12)
      void import(${JSON.stringify(url)}).then(({ lowerThreadPriority }) => {
        lowerThreadPriority()
        require('node:worker_threads').parentPort.postMessage(getPriority(0))
      })`
    // A thread of its own: none may become less nice without a privilege.
    const [niceness] = (await once(new Worker(code, { eval: true }), 'message')) as [number]
    expect(niceness).toBe(12)
  })

  it('respond in time while others have the right of way all the time', async () => {
    const shortRequests = new ShortRequests()
    pool = new PromqlThreads({ count: 2, shortRequests })
    shortRequests.word[0] = process.hrtime.bigint() + 3_600_000_000_000n
    expect(await send('sum(sum_over_time(vector(1)[1000000s:1s]))')).toHaveLength(1)
    await expect(send(LONG, { timeoutMs: 500 })).rejects.toThrow(PromqlTimeout)
  })

  it('leave one for other namespaces, whatever the first one queries', async () => {
    pool = new PromqlThreads({ count: 2 })
    const leaving = new AbortController()
    const many = Array.from({ length: 5 }, () => send(LONG, { signal: leaving.signal }).catch(() => 'ended'))
    expect(await send('vector(1)', { namespace: 'n2' as NamespaceId })).toHaveLength(1)
    leaving.abort()
    expect(await Promise.all(many)).toEqual(Array.from({ length: 5 }, () => 'ended'))
  })

  it('are kept for others by one whose query had to be ended with its thread', async () => {
    const n2 = { namespace: 'n2' as NamespaceId }
    pool = new PromqlThreads({ count: 2, entry: fileURLToPath(new URL('../support/deaf-thread.mjs', import.meta.url)) })
    const first = await send('who')
    const deaf = send('deaf', { timeoutMs: 200 })
    const second = await send('who', n2)
    await expect(deaf).rejects.toThrow(PromqlTimeout)
    const third = await send('who')
    expect(new Set([first, second, third]).size).toBe(3)
    expect([second, third]).toContain(await send('who', n2))
  })

  it('let only so many wait', async () => {
    pool = new PromqlThreads({ count: 2 })
    const leaving = new AbortController()
    const many = Array.from({ length: 129 }, () => send(LONG, { signal: leaving.signal }).catch(() => 'ended'))
    await expect(send('vector(1)')).rejects.toMatchObject({ code: 'overloaded' })
    leaving.abort()
    await Promise.all(many)
  })

  it('end with the pool, and so does what is in flight', async () => {
    pool = new PromqlThreads({ count: 2 })
    const requested = [send(LONG), send(LONG)].map(one => one.catch(() => 'ended'))
    await pool.close()
    expect(await Promise.all(requested)).toEqual(['ended', 'ended'])
    await expect(send('1')).rejects.toMatchObject({ code: 'overloaded' })
  })
})
