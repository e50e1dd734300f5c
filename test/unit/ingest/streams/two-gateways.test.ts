import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import type { IngestId, NamespaceId } from '../../../../src/domain/ids.js'
import { isGatewayError } from '../../../../src/domain/errors.js'
import { StreamAcceptor } from '../../../../src/ingest/streams/accept-stream.js'
import { LargeReads } from '../../../../src/query/large-reads.js'
import { STREAM_LIMITS } from '../../../../src/ingest/streams/stream-limits.js'
import { StreamRecorder } from '../../../../src/ingest/streams/stream-recorder.js'
import type { IngestRequest } from '../../../../src/ingest/ingest-request.js'
import type { ResolvedNamespace } from '../../../../src/ingest/resolve-namespace.js'
import type { ControlPorts, ControlStore } from '../../../../src/ports/control-store.js'
import type { StreamAccount, StreamChange } from '../../../../src/ports/stream-ledger.js'
import { NS } from '../items.js'

const NOW_MS = 1_763_690_000_000
/** No sender recovers. */
const NO_LOGS = { settle: async () => undefined, stream: async function* () {} }
const COMPARISON = { logs: NO_LOGS, limits: STREAM_LIMITS, reads: new LargeReads() }
const clock = { nowMs: () => NOW_MS, nowNs: () => BigInt(NOW_MS) * 1_000_000n, monotonicMs: () => 0 }
const REQUEST = { ack: 'durable' } as IngestRequest
const TARGET = { namespace: { id: NS, name: 'prod' }, source: 'api_key' } as ResolvedNamespace

/** A ledger and a log store that two gateways share; every call takes a turn of the event loop. */
class SharedStores {
  readonly #accounts = new Map<string, StreamAccount>()
  readonly records = new Map<IngestId, readonly number[]>()
  #queue: Promise<unknown> = Promise.resolve()
  failsNext: 'append' | 'ledger' | null = null

  readonly control = {
    streams: {
      account: async (_ns: NamespaceId, id: string) => this.#accounts.get(id) ?? null,
      count: async () => this.#accounts.size
    },
    transaction: async <T>(work: (ports: ControlPorts) => Promise<T>): Promise<T> => {
      const turn = this.#queue.then(() => work({ streams: { ...this.control.streams, save: this.#save } } as never))
      this.#queue = turn.catch(() => undefined)
      return turn
    }
  } as unknown as Pick<ControlStore, 'streams' | 'transaction'>

  readonly #save = async (changes: readonly StreamChange[]): Promise<void> => {
    if (this.failsNext === 'ledger') {
      this.failsNext = null
      throw new Error('the gateway was killed before the ledger was written')
    }
    for (const { stream, runs, gaps, closed } of changes) {
      const before = this.#accounts.get(stream.id)
      const kept = (before?.gaps ?? []).filter(({ no }) => !closed.includes(no) && !gaps.some(gap => gap.no === no))
      const lastRun = [before?.lastRun ?? null, ...runs].findLast(run => run?.to === stream.bytesTo) ?? null
      this.#accounts.set(stream.id, { stream, lastRun, gaps: [...kept, ...gaps] })
    }
  }

  /** Keeps an ingest id once, as every log store does. */
  async append(id: IngestId, items: readonly number[]): Promise<void> {
    if (!this.records.has(id)) this.records.set(id, items)
    if (this.failsNext !== 'append') return
    this.failsNext = null
    throw new Error('the response was lost')
  }

  gateway(): (raw: Sent) => Promise<boolean> {
    const recorder = new StreamRecorder({ control: this.control, clock, limits: STREAM_LIMITS })
    const acceptor = new StreamAcceptor({ recorder, comparison: COMPARISON, clock })
    return async ({ stream, items }) => {
      const raw = { items, namespace: undefined, stream }
      try {
        await acceptor.accept(REQUEST, raw, TARGET, async (id, { begin }) => {
          await begin?.()
          await this.append(id, items)
          const reply = {
            status: 'ok',
            accepted: items.length,
            rejected: 0,
            namespace: 'prod',
            namespace_source: 'api_key'
          } as const
          return { reply, refusals: { byCode: new Map() }, dropped: 0, times: null }
        })
        return true
      } catch (error) {
        if (isGatewayError(error)) throw error
        return false
      }
    }
  }
}

interface Sent {
  readonly stream: object
  readonly items: readonly number[]
}

function sent(sizes: readonly number[]): readonly Sent[] {
  let at = 0
  return sizes.map((size, i) => {
    const from = at
    at += size
    const items = Array.from({ length: size }, (_, line) => from + line)
    const place = { seq: i + 1, from, to: at, first_line: from + 1, lines: size }
    return { stream: { id: 'stream-1', host_id: 'h1', ...place, sealed_at: new Date(NOW_MS + i).toISOString() }, items }
  })
}

const STEPS = fc.array(
  fc.record({
    /** Batches that are sent at once, by index; those of one pair over different gateways. */
    indices: fc.array(fc.nat({ max: 11 }), { minLength: 1, maxLength: 4 }),
    fails: fc.constantFrom(null, null, 'append' as const, 'ledger' as const)
  }),
  { maxLength: 25 }
)

describe('two gateways that share a ledger', () => {
  it('store every batch once and know of it, whichever of them get it, how often, and where they fail', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 12, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(sizes, STEPS, async (lengths, steps) => {
        const stores = new SharedStores()
        const gateways = [stores.gateway(), stores.gateway()]
        const batches = sent(lengths)
        const acknowledged = new Set<number>()
        // The first batch comes first: the beginning of a stream that is first seen in its middle is unknown.
        await gateways[0]!(batches[0]!)
        for (const { indices, fails } of steps) {
          stores.failsNext = fails
          const pairs = indices.flatMap(index => gateways.map(send => ({ index, stored: send(batches[index]!) })))
          for (const { index, stored } of pairs) if (await stored) acknowledged.add(index)
        }
        stores.failsNext = null
        const highest = Math.max(0, ...acknowledged)
        for (let index = 0; index <= highest; index++) await gateways[index % 2]!(batches[index]!)
        const lines = [...stores.records.values()].flat().toSorted((a, b) => a - b)
        expect(lines).toEqual([...new Set(lines)])
        const account = await stores.control.streams.account(NS, 'stream-1')
        const end = batches.slice(0, highest + 1).reduce((sum, { items }) => sum + items.length, 0)
        expect(account).toMatchObject({ gaps: [], stream: { lines: end, stored: end, bytesTo: end, nextSeq: highest + 2 } })
        expect(lines.filter(line => line < end)).toHaveLength(end)
      }),
      { numRuns: 150 }
    )
  })

  it('know of all lines when a sender without its state sends more than one that was killed', async () => {
    const stores = new SharedStores()
    const [one, other] = [stores.gateway(), stores.gateway()]
    const [first, killed] = sent([5, 3]) as [Sent, Sent]
    const [, longer, next] = sent([5, 10, 4]) as [Sent, Sent, Sent]
    await one(first)
    const position = { ...longer.stream, sealed_at: new Date(NOW_MS + 5_000).toISOString() }
    await Promise.all([one(killed), other({ ...longer, stream: position })])
    expect((await stores.control.streams.account(NS, 'stream-1'))!.stream).toMatchObject({
      nextSeq: 3,
      bytesTo: 15,
      lines: 15,
      stored: 15
    })
    await other(next)
    const lines = [...stores.records.values()].flat().toSorted((a, b) => a - b)
    // Those of the batch in flight come twice.
    expect(lines.filter((line, i) => lines.indexOf(line) !== i)).toEqual(killed.items)
  })
})
