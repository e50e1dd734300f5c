import { describe, expect, it } from '@jest/globals'
import type { Exemplar } from '../../../src/domain/exemplar.js'
import type { NamespaceId } from '../../../src/domain/ids.js'
import type { MetricFacts } from '../../../src/domain/metric-facts.js'
import { EXEMPLAR_BOUNDS, MAX_FAMILIES, MetricNoteKeeper, TRIM_AFTER } from '../../../src/ingest/metric-note-keeper.js'
import { MAX_EXEMPLARS, MAX_FACTS, MAX_HELP_BYTES, MAX_OWN_LABEL_BYTES, MetricNotes } from '../../../src/ingest/metric-notes.js'
import type { ExemplarBounds } from '../../../src/ports/metric-notes.js'
import { itemCheck, NOW_NS } from './items.js'
import { ManualTime } from '../../support/manual-time.js'

const SHOP = 'shop0000000000000' as NamespaceId
const MINUTE_MS = 60_000

const facts = (name: string, help = 'help'): MetricFacts => ({ name, kind: 'counter', help, unit: '' })
const exemplar = (changes: Partial<Exemplar> = {}): Exemplar => {
  return { name: 'a', labels: [], ownLabels: [], timestampNs: NOW_NS, value: 1, ...changes }
}

function notesOf(reported: readonly MetricFacts[], exemplars: readonly Exemplar[] = []): MetricNotes {
  const notes = new MetricNotes()
  for (const one of reported) notes.describe(one, 256)
  notes.exemplars.push(...exemplars)
  return notes
}

/** A keeper over a catalog that notes what is written, and over a clock that only moves when the test moves it. */
function keeping(known: readonly MetricFacts[] = []) {
  const written: string[][] = []
  const trims: ExemplarBounds[] = []
  const clock = new ManualTime()
  let isDown = false
  const keeper = new MetricNoteKeeper({
    facts: {
      all: async () => {
        if (isDown) throw new Error('down')
        return known
      },
      of: async () => [],
      save: async (_ns, news) => {
        if (isDown) throw new Error('down')
        written.push(news.map(({ name, help }) => `${name} ${help}`))
      }
    },
    exemplars: {
      save: async () => undefined,
      select: async () => ({ exemplars: [], hasMore: false }),
      trim: async (_ns, bounds) => void trims.push(bounds),
      deleteBefore: async () => undefined
    },
    clock
  })
  const keep = (...notices: readonly MetricFacts[]): Promise<void> => keeper.keep(SHOP, notesOf(notices))
  return { keeper, keep, written, trims, clock, setDown: (down: boolean) => void (isDown = down) }
}

describe('metadata of metrics', () => {
  it('is written when it is news, and a family that two describe differently at most every ten minutes', async () => {
    const { keep, written, clock } = keeping([facts('old')])
    await keep(facts('old'), facts('new'))
    await keep(facts('new'))
    await keep(facts('new', 'other'))
    expect(written).toEqual([['new help']])
    clock.pass(10 * MINUTE_MS)
    await keep(facts('new', 'other'), facts('old', 'other'))
    expect(written).toEqual([['new help'], ['new other', 'old other']])
  })

  it('is kept of as many families as are allowed; known ones may still change', async () => {
    const known = Array.from({ length: MAX_FAMILIES - 1 }, (_, i) => facts(`m${i}`))
    const { keep, written, clock } = keeping(known)
    await keep(facts('last'), facts('beyond'))
    clock.pass(10 * MINUTE_MS)
    await keep(facts('beyond'), facts('m0', 'other'))
    expect(written).toEqual([['last help'], ['m0 other']])
  })

  it('is reported to the sender as not kept when the catalog is down, and kept by the retry', async () => {
    const { keep, written, setDown } = keeping()
    setDown(true)
    await expect(keep(facts('a'))).rejects.toThrow('down')
    setDown(false)
    await keep(facts('a'))
    setDown(true)
    await expect(keep(facts('b'))).rejects.toThrow('down')
    setDown(false)
    await keep(facts('a'), facts('b'))
    expect(written).toEqual([['a help'], ['b help']])
  })

  it('is truncated where it is long, and skipped where it is empty', () => {
    const notes = notesOf([
      facts('a', 'é'.repeat(MAX_HELP_BYTES)),
      facts('x'.repeat(257)),
      facts(''),
      { ...facts('b', ''), kind: 'unknown' }
    ])
    expect([...notes.facts.keys()]).toEqual(['a'])
    const { help } = notes.facts.get('a')!
    expect([Buffer.byteLength(help) <= MAX_HELP_BYTES, help.endsWith('é…')]).toEqual([true, true])
    for (let i = 0; i <= MAX_FACTS; i++) notes.describe(facts(`m${i}`), 256)
    expect(notes.facts.size).toBe(MAX_FACTS)
  })
})

describe('exemplars', () => {
  it('are trimmed with the first ones of a life, and again after so many', async () => {
    const { keeper, trims } = keeping()
    const keep = (count: number): Promise<void> =>
      keeper.keep(
        SHOP,
        notesOf(
          [],
          Array.from({ length: count }, () => exemplar())
        )
      )
    await keep(1)
    await keep(TRIM_AFTER - 1)
    expect(trims).toEqual([EXEMPLAR_BOUNDS])
    await keep(1)
    expect(trims).toHaveLength(2)
  })

  it('are refused beyond their bounds, which leaves the item that they belong to alone', () => {
    const check = itemCheck()
    const note = (changes: Partial<Exemplar>): void => check.notes.note(exemplar(changes), check)
    const label = (bytes: number): readonly { name: string; value: string }[] => [{ name: 'n', value: 'x'.repeat(bytes - 1) }]
    note({ ownLabels: label(MAX_OWN_LABEL_BYTES) })
    note({ ownLabels: label(MAX_OWN_LABEL_BYTES + 1) })
    note({ labels: label(4_097) })
    note({ timestampNs: 0n })
    expect([check.notes.exemplars.length, check.notes.refusedExemplars, check.fault]).toEqual([1, 3, null])
    for (let i = 0; i < MAX_EXEMPLARS; i++) note({})
    expect([check.notes.exemplars.length, check.notes.refusedExemplars]).toEqual([MAX_EXEMPLARS, 4])
  })
})
