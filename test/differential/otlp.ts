import { seededRandom } from '../../bench/generate/random.js'
import { type Difference, OtlpFuzz } from './otlp-fuzz.js'
import { loadOtlpTypes } from './otlp-protos.js'

// npm run differential:otlp -- [messages] [seed]: our reader of OTLP against protobufjs, and mutated messages.

const MAX_SHOWN = 5
const [messages = '100000', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2)
const types = loadOtlpTypes()
if (types === null) throw new Error('the definitions of opentelemetry-proto are not next to the repository')

const fuzz = new OtlpFuzz(types, seededRandom(Number(seed)))
const found: Difference[] = []
for (const [what, once] of [
  ['made', () => fuzz.compare()],
  ['mutated', () => fuzz.mutate()]
] as const) {
  const before = found.length
  for (let i = 0; i < Number(messages); i++) {
    const difference = once()
    if (difference) found.push(difference)
  }
  process.stdout.write(`${messages} messages ${what} (seed ${seed}): ${found.length - before} differences\n`)
}
process.stdout.write(`${fuzz.records} records compared, ${fuzz.refused / 3} mutated messages refused\n`)
for (const { signal, what, bytes } of found.slice(0, MAX_SHOWN)) process.stdout.write(`${signal} ${what}\n  ${bytes}\n`)
process.exitCode = found.length === 0 ? 0 : 1
