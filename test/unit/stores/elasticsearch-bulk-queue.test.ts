import { describe, expect, it } from '@jest/globals'
import { GatewayError } from '../../../src/domain/errors.js'
import type { NamespaceId } from '../../../src/domain/ids.js'
import { EngineRefusal } from '../../../src/stores/elasticsearch/client/engine-client.js'
import { BulkQueue } from '../../../src/stores/elasticsearch/write/bulk-queue.js'
import type { ItemOutcome } from '../../../src/stores/elasticsearch/write/item-outcome.js'
import { halves, type Piece } from '../../../src/stores/elasticsearch/write/piece.js'

const [A, B, C] = ['nsaaaaaaaaaa', 'nsbbbbbbbbbb', 'nscccccccccc'] as NamespaceId[]
const STORED: ItemOutcome = { kind: 'stored' }
const MIB = 1024 * 1024
const LIMITS = { bulkSlots: 2, bulkBytes: 4 * MIB, minBulkBytes: MIB / 4 }

function piece(ns: NamespaceId | undefined, size: number, count = 1): Piece {
  return { ns: ns!, bytes: Buffer.alloc(size), count }
}

/** Holds every bulk until the test responds to it. */
class HeldSender {
  readonly bulks: { readonly pieces: readonly Piece[]; result(): void; fail(error: Error): void }[] = []

  send(pieces: readonly Piece[]): Promise<readonly (readonly ItemOutcome[])[]> {
    return new Promise((resolve, reject) => {
      const response = () => resolve(pieces.map(({ count }) => Array.from({ length: count }, () => STORED)))
      this.bulks.push({ pieces, result: response, fail: reject })
    })
  }

  sizes(): readonly number[] {
    return this.bulks.map(({ pieces }) => pieces.reduce((sum, { bytes }) => sum + bytes.length, 0))
  }

  owners(at: number): readonly string[] {
    return this.bulks[at]!.pieces.map(({ ns }) => ns[2]!)
  }
}

function refusal(): GatewayError {
  return new GatewayError('overloaded', 'too many', { cause: new EngineRefusal(429, {}) })
}

describe('queue of bulks', () => {
  it('sends the first at once and the small ones that come meanwhile together', async () => {
    const sender = new HeldSender()
    const queue = new BulkQueue(sender, LIMITS)
    const written = [1, 2, 3, 4].map(size => queue.write(piece(A, size)))
    expect(sender.sizes()).toEqual([1])
    sender.bulks[0]!.result()
    expect(await written[0]).toEqual([STORED])
    expect(sender.sizes()).toEqual([1, 9])
    sender.bulks[1]!.result()
    await Promise.all(written)
  })

  it('uses another slot when much waits, and no more slots than there are', () => {
    const sender = new HeldSender()
    const queue = new BulkQueue(sender, LIMITS)
    for (let i = 0; i < 5; i++) void queue.write(piece(A, MIB))
    expect(sender.sizes()).toEqual([MIB, MIB])
    expect(queue.gauges()).toMatchObject({ inFlight: 2, requests: 2 })
  })

  it('takes from namespaces in turn, up to the bytes of a bulk', async () => {
    const sender = new HeldSender()
    const queue = new BulkQueue(sender, { ...LIMITS, bulkSlots: 1 })
    const first = queue.write(piece(C, 1))
    for (let i = 0; i < 5; i++) void queue.write(piece(A, MIB))
    void queue.write(piece(B, MIB))
    sender.bulks[0]!.result()
    await first
    expect(sender.owners(1)).toEqual(['a', 'b', 'a', 'a'])
    expect(sender.sizes()[1]).toBe(4 * MIB)
  })

  it('sends a piece that is larger than a bulk alone', () => {
    const sender = new HeldSender()
    const queue = new BulkQueue(sender, LIMITS)
    void queue.write(piece(A, 5 * MIB))
    expect(sender.sizes()).toEqual([5 * MIB])
  })

  it('halves its bulks when the engine refuses a whole one, down to a bound, and grows again', async () => {
    const sender = new HeldSender()
    const queue = new BulkQueue(sender, LIMITS)
    const sizes: number[] = []
    for (let i = 0; i < 6; i++) {
      const written = queue.write(piece(A, MIB))
      sender.bulks.at(-1)!.fail(refusal())
      await expect(written).rejects.toMatchObject({ code: 'overloaded' })
      sizes.push(queue.gauges().bulkBytes / MIB)
    }
    expect(sizes).toEqual([2, 1, 0.5, 0.25, 0.25, 0.25])
    const written = queue.write(piece(A, 1))
    sender.bulks.at(-1)!.result()
    await written
    expect(queue.gauges().bulkBytes).toBe(0.25 * 1.25 * MIB)
    expect(queue.gauges().refusals).toBe(6)
  })

  it('keeps its size when the engine is away', async () => {
    const sender = new HeldSender()
    const queue = new BulkQueue(sender, LIMITS)
    const written = queue.write(piece(A, 1))
    sender.bulks[0]!.fail(new GatewayError('store_unavailable', 'away'))
    await expect(written).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(queue.gauges().bulkBytes).toBe(4 * MIB)
  })

  it('takes back what waits of a namespace and waits for what is in flight', async () => {
    const sender = new HeldSender()
    const queue = new BulkQueue(sender, { ...LIMITS, bulkSlots: 1 })
    const [first, second, other] = [queue.write(piece(A, 1)), queue.write(piece(A, 1)), queue.write(piece(B, 1))]
    let isWithdrawn = false
    const withdrawn = queue.withdraw(A!, new GatewayError('namespace_deleted', 'gone')).then(() => (isWithdrawn = true))
    await expect(second).rejects.toMatchObject({ code: 'namespace_deleted' })
    expect(isWithdrawn).toBe(false)
    sender.bulks[0]!.result()
    await withdrawn
    await first
    sender.bulks[1]!.result()
    expect(await other).toEqual([STORED])
  })
})

describe('pieces', () => {
  it('fall into halves between documents', () => {
    const lines = ['{"a":0}\n{"d":"0"}\n', '{"a":1}\n{"d":"11"}\n', '{"a":2}\n{"d":"222"}\n']
    const [first, second] = halves({ ns: A!, bytes: Buffer.from(lines.join('')), count: 3 })
    expect([first.count, first.bytes.toString()]).toEqual([2, lines.slice(0, 2).join('')])
    expect([second.count, second.bytes.toString()]).toEqual([1, lines[2]])
  })
})
