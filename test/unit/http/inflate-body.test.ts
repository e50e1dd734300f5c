import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { inflateBody } from '../../../src/http/inflate-body.js'
import { type BodyBytes, ByteBudget } from '../../../src/ingest/byte-budget.js'
import { ManualTime } from '../../support/manual-time.js'

const KIB = 1024
const MIB = 1024 * KIB

function budgetOf(maxBytes: number): {
  readonly budget: ByteBudget
  readonly time: ManualTime
  readonly open: (id: string) => BodyBytes
} {
  const time = new ManualTime()
  const budget = new ByteBudget(maxBytes, time)
  return { budget, time, open: id => budget.open({ kind: 'principal', group: id, id }) }
}

describe('a compressed body', () => {
  it('is decompressed, in one member or several', async () => {
    const { open } = budgetOf(MIB)
    expect((await inflateBody(gzipSync('abc'), 'gzip', MIB, open('a'))).toString()).toBe('abc')
    const members = Buffer.concat([gzipSync('abc'), gzipSync('def')])
    expect((await inflateBody(members, 'gzip', MIB, open('a'))).toString()).toBe('abcdef')
    expect((await inflateBody(gzipSync(''), 'gzip', MIB, open('a'))).length).toBe(0)
  })

  it('has the limit exactly, and not a byte more', async () => {
    const { budget, open } = budgetOf(MIB)
    const body = open('a')
    expect((await inflateBody(gzipSync(Buffer.alloc(64 * KIB)), 'gzip', 64 * KIB, body)).length).toBe(64 * KIB)
    await expect(inflateBody(gzipSync(Buffer.alloc(64 * KIB + 1)), 'gzip', 64 * KIB, body)).rejects.toThrow('65536')
    expect(budget.state.usedBytes).toBeGreaterThan(0)
    body.release()
    expect(budget.state.usedBytes).toBe(0)
  })

  it('that declares less than it holds is refused at the limit', async () => {
    const { open } = budgetOf(16 * MIB)
    const bomb = gzipSync(Buffer.alloc(8 * MIB))
    bomb.writeUInt32LE(10, bomb.length - 4)
    await expect(inflateBody(bomb, 'gzip', MIB, open('a'))).rejects.toMatchObject({ code: 'payload_too_large' })
  })

  it.each([
    ['cut', gzipSync('abc').subarray(0, 12)],
    ['no gzip at all', Buffer.from('{"message":"x"}')]
  ])('that is %s is invalid', async (_, bytes) => {
    await expect(inflateBody(bytes, 'gzip', MIB, budgetOf(MIB).open('a'))).rejects.toMatchObject({ code: 'invalid_json' })
  })

  it('leaves its place to others while it waits for the budget, and goes on after them', async () => {
    const { budget, open } = budgetOf(16 * MIB)
    const holder = open('holder')
    holder.tryTake(12 * MIB)
    const bytes = gzipSync(Buffer.alloc(5 * MIB))
    // As many as may be decompressed at once.
    const inflating = ['a1', 'a2'].map(async id => {
      const large = open(id)
      const { length } = await inflateBody(bytes, 'gzip', 8 * MIB, large)
      large.release()
      return length
    })
    const others = await Promise.all(['b', 'c', 'd'].map(id => inflateBody(gzipSync(id), 'gzip', MIB, open(id))))
    expect(others.map(String)).toEqual(['b', 'c', 'd'])
    holder.release()
    expect(await Promise.all(inflating)).toEqual([5 * MIB, 5 * MIB])
    expect(budget.state.waiting).toBe(0)
  })

  it('of a client that has left while it waited is not decompressed', async () => {
    const { open } = budgetOf(4 * MIB)
    const first = open('a')
    const bodies = [first, open('a'), open('a')]
    const all = bodies.map(body => inflateBody(gzipSync(Buffer.alloc(MIB)), 'gzip', 2 * MIB, body))
    bodies[2]!.release()
    await expect(all[2]).rejects.toMatchObject({ code: 'overloaded' })
    expect((await all[0]!).length).toBe(MIB)
    expect((await all[1]!).length).toBe(MIB)
  })
})
