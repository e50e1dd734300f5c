import { describe, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import type { MetricPoint } from '../../../src/domain/metric-point.js'
import { mostVaried, NamespaceSeries } from '../../../src/stores/influxdb/series/namespace-series.js'
import { BucketQueue } from '../../../src/stores/influxdb/write/bucket-queue.js'
import { type LineChunk, planLines } from '../../../src/stores/influxdb/write/plan-lines.js'
import type { Refusal } from '../../../src/stores/influxdb/write/send-lines.js'

const A = 'testnamespace01' as NamespaceId
const B = 'testnamespace02' as NamespaceId

function chunk(text: string): LineChunk {
  const lines = text.split('\n').slice(0, -1)
  return { text, sizeBytes: text.length, places: lines.map((_line, i) => i) }
}

/** Everything that follows from what has happened. */
function turn(): Promise<void> {
  return new Promise(setImmediate)
}

/** Requests that end when the test reports it. */
function openQueue(limits: { requestPoints?: number; requestBytes?: number } = {}) {
  const sent: { text: string; response(refusals?: readonly Refusal[]): void; fail(error: Error): void }[] = []
  const queue = new BucketQueue({
    ...{ requestPoints: 100, requestBytes: 1_000, maxRequests: 1, ...limits },
    send: text =>
      new Promise((resolve, reject) => {
        sent.push({ text, response: (refusals = []) => resolve(refusals), fail: reject })
      })
  })
  return { queue, sent }
}

describe('the queue of a bucket', () => {
  it('sends at once what comes alone, and together what comes meanwhile', async () => {
    const { queue, sent } = openQueue()
    const first = queue.write(A, chunk('1\n'))
    const later = ['2\n', '3\n', '4\n'].map(text => queue.write(A, chunk(text)))
    expect(sent.map(({ text }) => text)).toEqual(['1\n'])
    sent[0]!.response()
    expect(await first).toEqual([])
    await turn()
    sent[1]!.response([{ line: 1, reason: 'bad' }])
    expect(await Promise.all(later)).toEqual([[], [{ line: 0, reason: 'bad' }], []])
    expect(sent.map(({ text }) => text)).toEqual(['1\n', '2\n3\n4\n'])
    expect(queue.isIdle).toBe(true)
  })

  it('serves namespaces round-robin, however much one of them has', async () => {
    const { queue, sent } = openQueue({ requestPoints: 3 })
    void queue.write(A, chunk('0\n'))
    const strings = ['a\n', 'b\n', 'c\n', 'd\n', 'e\n']
    const all = [...strings.map(text => queue.write(A, chunk(text))), queue.write(B, chunk('B\n'))]
    sent[0]!.response()
    for (let i = 1; i < 3; i++) {
      await turn()
      sent[i]!.response()
    }
    await Promise.all(all)
    expect(sent.map(({ text }) => text)).toEqual(['0\n', 'a\nB\nb\n', 'c\nd\ne\n'])
  })

  it('keeps to its bounds, but takes one chunk of any size', async () => {
    const { queue, sent } = openQueue({ requestBytes: 6 })
    void queue.write(A, chunk('0\n'))
    const all = ['large, large\n', '1\n', '2\n', '3\n', '4\n'].map(text => queue.write(A, chunk(text)))
    for (let i = 0; i < 4; i++) {
      sent[i]!.response()
      await turn()
    }
    await Promise.all(all)
    expect(sent.map(({ text }) => text)).toEqual(['0\n', 'large, large\n', '1\n2\n3\n', '4\n'])
  })

  it('fails all that travelled together, and goes on with the rest', async () => {
    const { queue, sent } = openQueue()
    const first = queue.write(A, chunk('1\n'))
    const second = queue.write(B, chunk('2\n'))
    sent[0]!.fail(new Error('gone'))
    await expect(first).rejects.toThrow('gone')
    await turn()
    sent[1]!.response()
    expect(await second).toEqual([])
  })

  it('refuses what waits for a namespace that goes', async () => {
    const { queue, sent } = openQueue()
    const running = queue.write(A, chunk('1\n'))
    const doomed = queue.write(A, chunk('2\n'))
    const other = queue.write(B, chunk('3\n'))
    queue.discard(A, new Error('deleted'))
    await expect(doomed).rejects.toThrow('deleted')
    sent[0]!.response()
    await running
    await turn()
    sent[1]!.response()
    await other
    expect(sent.map(({ text }) => text)).toEqual(['1\n', '3\n'])
  })
})

function point(labels: Readonly<Record<string, string>>, timestampNs = 0n): MetricPoint {
  const sorted = Object.entries(labels).map(([name, value]) => ({ name, value }))
  return { index: 0, name: 'cpu', type: 'gauge', labels: sorted, timestampNs, value: 1 }
}

describe('a plan of lines', () => {
  it('cuts a batch into chunks and numbers its lines', () => {
    const items = ['a', 'b', 'c', 'd', 'e'].map((host, index) => ({ ...point({ host }, BigInt(index)), index }))
    const plan = planLines(new NamespaceSeries(4), items, { pooledNs: A, oldestNs: 1n, maxChunkPoints: 2 })
    expect(plan.chunks.map(({ text, places }) => [text, places])).toEqual([
      [`cpu,_ns=${A},host=b value=1 1\ncpu,_ns=${A},host=c value=1 2\n`, [1, 2]],
      [`cpu,_ns=${A},host=d value=1 3\ncpu,_ns=${A},host=e value=1 4\n`, [3, 4]]
    ])
    expect(plan.failures).toEqual([{ index: 0, reason: "the point is older than the namespace's retention" }])
    expect(plan.chunks.map(({ text, sizeBytes }) => Buffer.byteLength(text) - sizeBytes)).toEqual([0, 0])
  })

  it('gives no place to a series that InfluxDB cannot hold', () => {
    const known = new NamespaceSeries(1)
    const items = [point({ long: 'x'.repeat(70_000) }), point({ host: 'a' })]
    const plan = planLines(known, items, { pooledNs: null, oldestNs: 0n, maxChunkPoints: 10 })
    expect(plan.failures).toEqual([{ index: 0, reason: 'the name and labels of the series exceed the limit of InfluxDB' }])
    expect(known.size).toBe(1)
  })
})

describe('the label with the most values', () => {
  it.each([
    [
      [
        { a: '1', b: '1' },
        { a: '2', b: '1' }
      ],
      { label: 'a', values: 2 }
    ],
    [[{ b: '1' }, { b: '2' }, { a: '1' }, { a: '2' }], { label: 'a', values: 2 }],
    [[{}], null]
  ])('of %j', (labels, expected) => {
    expect(mostVaried(labels.map(each => point(each as Record<string, string>)))).toEqual(expected)
  })
})
