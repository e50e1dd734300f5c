import { describe, expect, it } from '@jest/globals'
import { buildSchema, graphql } from 'graphql'
import { resolveListsInSlices } from '../../../src/http/graphql-slices.js'
import { EventLoopSlices } from '../../../src/threads/event-loop-slices.js'

class CountedSlices extends EventLoopSlices {
  count = 0

  override next(): Promise<void> {
    this.count++
    return super.next()
  }
}

async function run(source: string, items: unknown) {
  const schema = buildSchema('type Query { items: [Item!]! ids: [Int!]! } type Item { id: Int! more: [Item!] }')
  const slices = new CountedSlices({ monotonicMs: () => 0 })
  resolveListsInSlices(schema, slices)
  const result = await graphql({ schema, source, rootValue: { items, ids: Array.from({ length: 50_000 }, (_, i) => i) } })
  return { result, slices: slices.count }
}

const items = (count: number) => Array.from({ length: count }, (_, id) => ({ id }))

describe('long lists of GraphQL', () => {
  it('are resolved in slices, in their order', async () => {
    const { result, slices } = await run('{ items { id } }', items(20_000))
    expect(result.errors).toBeUndefined()
    expect((result.data!['items'] as { id: number }[]).map(({ id }) => id)).toEqual(items(20_000).map(({ id }) => id))
    expect(slices).toBeGreaterThanOrEqual(7)
  })

  it('take smaller slices of items with more fields', async () => {
    const few = await run('{ items { id } }', Promise.resolve(items(20_000)))
    const many = await run('{ items { id a: id b: id c: id more { id } } }', items(20_000))
    expect(many.result.errors).toBeUndefined()
    expect(many.slices).toBeGreaterThan(2 * few.slices)
  })

  it('leaves pages alone, so that what they link to is requested at once, and lists of plain values', async () => {
    expect((await run('{ items { id } }', items(200))).slices).toBe(0)
    expect((await run('{ ids }', [])).slices).toBe(0)
  })

  it('gives the error of an item its place', async () => {
    const broken = items(6_000).map((item, i) =>
      i === 5_999
        ? {
            id: () => {
              throw new Error('lost')
            }
          }
        : item
    )
    const { result } = await run('{ items { id } }', broken)
    expect(result.errors?.[0]).toMatchObject({ message: 'lost', path: ['items', 5_999, 'id'] })
  })
})
