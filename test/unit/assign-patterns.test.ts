import { describe, expect, it } from '@jest/globals'
import { assignPatterns } from '../../src/app/assign-patterns.js'
import type { AssignedPart } from '../../src/ingest/patterns/stored-log-patterns.js'
import type { UnassignedPart } from '../../src/ports/unassigned-logs.js'

const STEP: AssignedPart = { assigned: 0, overflowed: 0, missed: 0, next: null, fault: null }

/** A service with these parts, listed again each time, and the outcomes of its steps, in order. */
class Service {
  readonly steps: unknown[] = []
  readonly printed: string[] = []
  readonly #parts: UnassignedPart[][]
  readonly #outcomes: AssignedPart[]

  constructor(parts: readonly (readonly UnassignedPart[])[], outcomes: readonly Partial<AssignedPart>[]) {
    this.#parts = parts.map(each => [...each])
    this.#outcomes = outcomes.map(outcome => ({ ...STEP, ...outcome }))
  }

  run(isDryRun = false): Promise<boolean> {
    const call = async (command: string, { namespace, ...input }: Record<string, unknown>): Promise<Record<string, unknown>> => {
      expect(namespace).toBe('shop')
      if (command === 'unassigned-logs') return { parts: this.#parts.shift() }
      this.steps.push(input)
      return { ...this.#outcomes.shift()! }
    }
    const print = (text: string): void => void this.printed.push(text)
    return assignPatterns((command, input) => call(command, { ...input }), { namespace: 'shop', isDryRun, print })
  }
}

describe('the command that gives stored logs their patterns', () => {
  it('goes on where each step ended, also after one that found nothing', async () => {
    const next = { part: 'a', after: 2_000 }
    const steps = [{ next }, { assigned: 5, next: { part: 'b', after: -1 } }, { assigned: 2 }]
    const service = new Service([[{ part: 'a', logs: 2_007 }], [{ part: 'c', logs: 2_000 }]], steps)
    expect(await service.run()).toBe(true)
    expect(service.steps).toEqual([{ part: 'a', after: -1 }, next, { part: 'b', after: -1 }])
    expect(service.printed).toEqual([
      '5 of 2,007 logs have a pattern',
      '7 of 2,007 logs have a pattern',
      '7 logs got a pattern\n2,000 logs have none: their messages have no word'
    ])
  })

  it('states that logs are left which were changed meanwhile', async () => {
    const service = new Service([[{ part: 'a', logs: 7 }], [{ part: 'a', logs: 1 }]], [{ assigned: 5, missed: 2 }])
    expect(await service.run()).toBe(false)
    expect(service.printed.at(-1)).toBe('5 logs got a pattern\n1 logs have none: 2 changed meanwhile; run the command again')
  })

  it('ends well when nothing is left of what was changed or deleted meanwhile', async () => {
    const service = new Service([[{ part: 'a', logs: 7 }], []], [{ assigned: 5, missed: 2 }])
    expect(await service.run()).toBe(true)
    expect(service.printed.at(-1)).toBe('5 logs got a pattern')
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
      '1,234 logs in 1 segments or indices have no pattern\n1 segments cannot be read and are left as they are; see verify'
    ])
  })
})
