import { describe, expect, it } from '@jest/globals'
import { assignPatterns } from '../../src/app/assign-patterns.js'
import { MAX_WAITS } from '../../src/app/patient-calls.js'
import { GatewayError } from '../../src/domain/errors.js'
import type { AssignedPart } from '../../src/ingest/patterns/stored-log-patterns.js'
import type { UnassignedPart } from '../../src/ports/unassigned-logs.js'

const STEP: AssignedPart = {
  ...{ assigned: 0, hasOverflow: false, wordless: 0, missed: 0, refused: 0, refusal: null },
  ...{ next: null, fault: null }
}
const BUSY = new GatewayError('overloaded', 'the write queue is full', { retryAfterS: 2 })

/** A service with these parts, listed again each time, and the outcomes of its steps, in order. */
class Service {
  readonly steps: unknown[] = []
  readonly printed: string[] = []
  readonly waitedMs: number[] = []
  readonly #parts: UnassignedPart[][]
  readonly #outcomes: (AssignedPart | GatewayError)[]

  constructor(parts: readonly (readonly UnassignedPart[])[], outcomes: readonly (Partial<AssignedPart> | GatewayError)[]) {
    this.#parts = parts.map(each => [...each])
    this.#outcomes = outcomes.map(outcome => (outcome instanceof GatewayError ? outcome : { ...STEP, ...outcome }))
  }

  run(isDryRun = false): Promise<boolean> {
    const call = async (command: string, { namespace, ...input }: Record<string, unknown>): Promise<Record<string, unknown>> => {
      expect(namespace).toBe('shop')
      if (command === 'unassigned-logs') return { parts: this.#parts.shift() }
      this.steps.push(input)
      const outcome = this.#outcomes.shift()!
      if (outcome instanceof GatewayError) throw outcome
      return { ...outcome }
    }
    const print = (text: string): void => void this.printed.push(text)
    const wait = async (ms: number): Promise<void> => void this.waitedMs.push(ms)
    return assignPatterns((command, input) => call(command, { ...input }), { namespace: 'shop', isDryRun, print, wait })
  }
}

describe('the command that gives stored logs their patterns', () => {
  it('goes on where each step ended, also after one that found nothing', async () => {
    const next = { part: 'a', after: 2_000 }
    const steps = [
      { next, wordless: 2_000 },
      { assigned: 5, next: { part: 'b', after: -1 } },
      { assigned: 2, wordless: 2_000 }
    ]
    const service = new Service([[{ part: 'a', logs: 2_007 }], [{ part: 'c', logs: 2_000 }]], steps)
    expect(await service.run()).toBe(true)
    expect(service.steps).toEqual([{ part: 'a', after: -1 }, next, { part: 'b', after: -1 }])
    expect(service.printed).toEqual([
      '5 of 2,007 logs have a pattern',
      '7 of 2,007 logs have a pattern',
      '7 logs got a pattern\n2,000 logs have no word in their message'
    ])
  })

  it('states that logs are left which were changed meanwhile', async () => {
    const service = new Service([[{ part: 'a', logs: 7 }], [{ part: 'a', logs: 1 }]], [{ assigned: 5, missed: 2 }])
    expect(await service.run()).toBe(false)
    expect(service.printed.at(-1)).toBe('5 logs got a pattern\n1 log changed meanwhile; run the command again')
  })

  it('ends well when nothing is left of what was changed or deleted meanwhile', async () => {
    const service = new Service([[{ part: 'a', logs: 7 }], []], [{ assigned: 5, missed: 2 }])
    expect(await service.run()).toBe(true)
    expect(service.printed.at(-1)).toBe('5 logs got a pattern')
  })

  it('ends well when only logs without a word are left, whatever was deleted meanwhile', async () => {
    const service = new Service([[{ part: 'a', logs: 7 }], [{ part: 'a', logs: 1 }]], [{ assigned: 4, missed: 2, wordless: 2 }])
    expect(await service.run()).toBe(true)
    expect(service.printed.at(-1)).toBe('4 logs got a pattern\n1 log has no word in its message')
  })

  it('states that logs without a pattern arrived meanwhile, not that they have no word', async () => {
    const service = new Service([[{ part: 'a', logs: 3 }], [{ part: 'a', logs: 4 }]], [{ assigned: 1, wordless: 2 }])
    expect(await service.run()).toBe(true)
    const sentences = [
      '1 log got a pattern',
      '2 logs have no word in their message',
      '2 logs arrived meanwhile without a pattern'
    ]
    expect(service.printed.at(-1)).toBe(sentences.join('\n'))
  })

  it('states what the store refused, and why, without advice to run it again', async () => {
    const steps = [
      { assigned: 3, refused: 2, refusal: 'too long', next: { part: 'a', after: 5 } },
      { refused: 1, refusal: 'other' }
    ]
    const service = new Service([[{ part: 'a', logs: 6 }], [{ part: 'a', logs: 3 }]], steps)
    expect(await service.run()).toBe(false)
    expect(service.printed.at(-1)).toBe('3 logs got a pattern\n3 logs were refused by the search store: too long')
  })

  it('states that logs are beyond the limit of templates', async () => {
    const service = new Service([[{ part: 'a', logs: 3 }], []], [{ assigned: 3, hasOverflow: true }])
    expect(await service.run()).toBe(true)
    expect(service.printed.at(-1)).toBe('3 logs got a pattern\nsome logs are beyond the 10,000 templates of the namespace')
  })

  it('waits for a busy store, and repeats the step', async () => {
    const next = { part: 'a', after: 5 }
    const steps = [{ assigned: 3, next }, ...Array.from({ length: MAX_WAITS }, () => BUSY), { assigned: 4 }]
    const service = new Service([[{ part: 'a', logs: 7 }], []], steps)
    expect(await service.run()).toBe(true)
    expect(service.waitedMs).toEqual(Array.from({ length: MAX_WAITS }, () => 2_000))
    expect(service.steps.slice(1)).toEqual(Array.from({ length: MAX_WAITS + 1 }, () => next))
    expect(service.printed.at(-1)).toBe('7 logs got a pattern')
  })

  it.each([
    ['stays busy', Array.from({ length: MAX_WAITS + 1 }, () => BUSY)],
    ['fails', [new GatewayError('store_unavailable', 'no response')]]
  ])('states what was done when the store %s', async (_what, errors) => {
    const service = new Service([[{ part: 'a', logs: 7 }]], [{ assigned: 3, next: { part: 'a', after: 5 } }, ...errors])
    await expect(service.run()).rejects.toBe(errors.at(-1))
    expect(service.printed.at(-1)).toBe('3 logs got a pattern')
  })

  it('lists parts that changed meanwhile once more', async () => {
    const parts = [[{ part: 'a', logs: 7 }], [{ part: 'b', logs: 3 }], []]
    const service = new Service(parts, [{ assigned: 4, next: { part: 'a', after: 9 } }, { fault: 'gone' }, { assigned: 3 }])
    expect(await service.run()).toBe(true)
    expect(service.steps.at(-1)).toEqual({ part: 'b', after: -1 })
    expect(service.printed.at(-1)).toBe('7 logs got a pattern')
  })

  it('counts only, in a dry run', async () => {
    const service = new Service(
      [
        [
          { part: 'a', logs: 1_234 },
          { part: 'b', logs: null }
        ]
      ],
      []
    )
    expect(await service.run(true)).toBe(false)
    expect(service.steps).toEqual([])
    expect(service.printed).toEqual([
      '1,234 logs in 1 segment or index have no pattern\n1 segment cannot be read and is left as it is; see verify'
    ])
  })
})
