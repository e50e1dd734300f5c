import { PatternMiner } from '../../src/ingest/patterns/pattern-miner.js'
import { seededRandom } from '../generate/random.js'

// Child of `measurePatterns`: mines so many distinct sentences and reports what they take. Arguments: patterns, seed.

const COUNT = Number(process.argv[2])
const random = seededRandom(Number(process.argv[3]))
const SYLLABLES = ['ka', 'lo', 'mi', 'ne', 'ru', 'so', 'ta', 've', 'xi', 'zu', 'ba', 'de', 'fo', 'gi', 'hu', 'je']

function word(): string {
  let text = ''
  for (let i = 1 + random.below(3); i >= 0; i--) text += random.pick(SYLLABLES)
  return text
}

function sentence(): string {
  const words = Array.from({ length: 5 + random.below(6) }, word)
  return `${words.join(' ')} took ${random.below(1000)} ms for ${random.hex(8)}`
}

function usedBytes(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed + process.memoryUsage().external
}

const before = usedBytes()
const miner = new PatternMiner({ limit: COUNT, seed: 1 })
while (miner.size < COUNT) miner.idOf(sentence())
miner.drain()
process.stdout.write(JSON.stringify({ patterns: miner.size, bytes: usedBytes() - before }))
process.stdout.write(miner.idOf('kept alive') === null ? ' ' : '\n')
