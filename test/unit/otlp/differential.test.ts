import { expect, it } from '@jest/globals'
import { seededRandom } from '../../../bench/generate/random.js'
import { OtlpFuzz } from '../../differential/otlp-fuzz.js'
import { loadOtlpTypes } from '../../differential/otlp-protos.js'

// npm run differential:otlp does the same with 100,000 messages.
const MESSAGES = 1_000
const types = loadOtlpTypes()
if (types === null) process.stderr.write('opentelemetry-proto is not next to the repository: the reader is not compared\n')
const itWithTypes = types === null ? it.skip : it

itWithTypes('reads what protobufjs wrote as protobufjs does', () => {
  const fuzz = new OtlpFuzz(types!, seededRandom(1))
  for (let i = 0; i < MESSAGES; i++) expect(fuzz.compare()).toBeNull()
  expect(fuzz.records).toBeGreaterThan(MESSAGES)
})

itWithTypes('reads or refuses mutated messages, and never a byte outside them', () => {
  const fuzz = new OtlpFuzz(types!, seededRandom(2))
  for (let i = 0; i < MESSAGES; i++) expect(fuzz.mutate()).toBeNull()
  expect(fuzz.refused).toBeGreaterThan(MESSAGES)
})
