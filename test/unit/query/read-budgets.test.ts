import { describe, expect, it } from '@jest/globals'
import { ReadBudgets } from '../../../src/query/read-budgets.js'

const newSignal = () => new AbortController().signal
const newBudgets = () => new ReadBudgets({ maxRequestBytes: 100, maxPageBytes: 40 })

/** A read of so many bytes; resolves with the bytes that it was given. */
async function readOf(budgets: ReadBudgets, signal: AbortSignal, bytes: number): Promise<number> {
  return budgets.read(
    signal,
    async maxBytes => maxBytes,
    () => bytes
  )
}

describe('the bytes that one request reads', () => {
  it('are those of a page for each read, and in the end what is left', async () => {
    const [budgets, signal] = [newBudgets(), newSignal()]
    expect(await readOf(budgets, signal, 40)).toBe(40)
    expect(await readOf(budgets, signal, 40)).toBe(40)
    expect(await readOf(budgets, signal, 19)).toBe(20)
    expect(await readOf(budgets, signal, 1)).toBe(1)
    await expect(readOf(budgets, signal, 0)).rejects.toMatchObject({
      code: 'query_unsupported',
      message: 'the request has read 100 bytes of rows, the limit is 100; request fewer rows at once'
    })
    expect(await readOf(budgets, newSignal(), 40)).toBe(40)
  })

  it('may be exceeded by a row that is larger than what is left', async () => {
    const [budgets, signal] = [newBudgets(), newSignal()]
    expect(await readOf(budgets, signal, 99)).toBe(40)
    expect(await readOf(budgets, signal, 500)).toBe(1)
    await expect(readOf(budgets, signal, 0)).rejects.toMatchObject({ message: expect.stringMatching(/ 599 bytes/) })
  })

  it('bound the reads in progress: the others wait for what these leave', async () => {
    const [budgets, signal] = [newBudgets(), newSignal()]
    const ends: (() => void)[] = []
    const granted: number[] = []
    const start = async () =>
      budgets.read(
        signal,
        async maxBytes => {
          granted.push(maxBytes)
          await new Promise<void>(resolve => ends.push(resolve))
        },
        () => 5
      )
    const reads = [start(), start(), start(), start()]
    await Promise.resolve()
    expect(granted).toEqual([40, 40])
    ends[0]!()
    await reads[0]
    expect(granted).toEqual([40, 40, 40])
    ends[1]!()
    await reads[1]
    expect(granted).toEqual([40, 40, 40, 40])
    for (const end of ends) end()
    await Promise.all(reads)
  })

  it('are not used up by reads that fail', async () => {
    const [budgets, signal] = [newBudgets(), newSignal()]
    const fail = async () =>
      budgets.read(
        signal,
        async () => Promise.reject(new Error('unavailable')),
        () => 0
      )
    const failed = await Promise.allSettled(Array.from({ length: 5 }, fail))
    expect(failed.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'rejected'))
    expect(await readOf(budgets, signal, 100)).toBe(40)
  })
})
