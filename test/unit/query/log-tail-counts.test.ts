import { expect, it } from '@jest/globals'
import { seededRandom } from '../../../bench/generate/random.js'
import { MAX_CURSOR_CHARS } from '../../../src/query/log-tail/limits.js'
import { TailModel, type TailTroubles } from '../../support/tail-model.js'

const BOUNDS = { backlog: 60, seen: 150, digests: 20, spans: 3 }
const CALM: TailTroubles = { failure: 0, loss: 0, pause: 0, burst: 0, late: 0 }
const STEPS = 60
const TROUBLES: readonly (readonly [string, TailTroubles])[] = [
  ['late records', { ...CALM, late: 3 }],
  ['late records and reads that fail', { ...CALM, late: 4, failure: 10 }],
  ['bursts that are dropped', { ...CALM, late: 4, burst: 10 }],
  ['a client that pauses', { ...CALM, late: 4, pause: 8 }],
  ['sockets that are lost', { ...CALM, late: 4, loss: 8 }],
  ['sockets that are lost amid bursts', { ...CALM, late: 4, burst: 10, loss: 6 }],
  ['all of it', { failure: 15, loss: 10, pause: 10, burst: 10, late: 5 }]
]
const SEEDS = [1, 2, 3, 4]

async function followed(seed: number, troubles: TailTroubles): Promise<TailModel> {
  const model = new TailModel(seededRandom(seed), BOUNDS, troubles)
  for (let step = 0; step < STEPS; step++) await model.step()
  await model.end()
  return model
}

it.each(TROUBLES.flatMap(([name, troubles]) => SEEDS.map(seed => [name, seed, troubles] as const)))(
  'a live tail delivers each record once or counts it as dropped: %s, seed %i',
  async (_name, seed, troubles) => {
    const model = await followed(seed, troubles)
    expect(model.delivered + model.dropped).toBe(model.sent)
    expect(model.repeated).toBe(0)
    expect(model.longestCursor).toBeLessThan(MAX_CURSOR_CHARS)
  }
)

it('a live tail without troubles drops nothing', async () => {
  const { sent, delivered, dropped } = await followed(1, CALM)
  expect([delivered, dropped]).toEqual([sent, 0])
})
