import { isDeepStrictEqual } from 'node:util'
import type { Random } from '../../bench/generate/random.js'
import { decodeLogs } from '../../src/otlp/protobuf/logs.js'
import { decodeMetrics } from '../../src/otlp/protobuf/metrics.js'
import { decodeSpans } from '../../src/otlp/protobuf/spans.js'
import { type DecodeSteps, TooManyRecords } from '../../src/otlp/steps.js'
import { MalformedProtobuf } from '../../src/wire/protobuf/malformed-protobuf.js'
import { MessageMaker } from './otlp-messages.js'
import type { OtlpTypes } from './otlp-protos.js'
import { referenceLogs, referencePoints, referenceSpans } from './otlp-reference.js'

const MAX_RECORDS = 100_000
const PADDING = 64

const SIGNALS = {
  logs: { decode: decodeLogs as (body: Buffer, max: number) => DecodeSteps<unknown>, reference: referenceLogs },
  metrics: { decode: decodeMetrics as (body: Buffer, max: number) => DecodeSteps<unknown>, reference: referencePoints },
  traces: { decode: decodeSpans as (body: Buffer, max: number) => DecodeSteps<unknown>, reference: referenceSpans }
} as const
const NAMES = ['logs', 'metrics', 'traces'] as const

function run<T>(steps: DecodeSteps<T>): T[] {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** What went otherwise than it must, with the bytes that show it. */
export interface Difference {
  readonly signal: string
  readonly what: string
  readonly bytes: string
}

/** Compares our reader with protobufjs on messages of their own making and on mutated ones. */
export class OtlpFuzz {
  readonly #types: OtlpTypes
  readonly #random: Random
  readonly #maker: MessageMaker
  records = 0
  refused = 0

  constructor(types: OtlpTypes, random: Random) {
    this.#types = types
    this.#random = random
    this.#maker = new MessageMaker(random)
  }

  /** One message that both must read alike; null when they do. */
  compare(): Difference | null {
    const { signal, bytes } = this.#message()
    const read = run(SIGNALS[signal].decode(bytes, MAX_RECORDS))
    const expected = SIGNALS[signal].reference(this.#types[signal].decode(bytes) as never)
    this.records += read.length
    return isDeepStrictEqual(read, expected) ? null : { signal, what: 'read otherwise', bytes: bytes.toString('hex') }
  }

  /** A mutated message: read or refused, and the same whatever bytes are around it. */
  mutate(): Difference | null {
    const { signal, bytes: whole } = this.#message()
    const bytes = this.#mutated(whole)
    const seen = [0x00, 0xff, 0x0a].map(around => this.#readWithin(signal, bytes, around))
    const fault = seen.find(outcome => outcome instanceof Error)
    if (fault) return { signal, what: `failed: ${String(fault)}`, bytes: bytes.toString('hex') }
    const isSame = seen.every(outcome => isDeepStrictEqual(outcome, seen[0]))
    return isSame ? null : { signal, what: 'read beyond its bytes', bytes: bytes.toString('hex') }
  }

  #message(): { signal: (typeof NAMES)[number]; bytes: Buffer } {
    const signal = this.#random.pick(NAMES)
    const type = this.#types[signal]
    return { signal, bytes: Buffer.from(type.encode(this.#maker.make(type)).finish()) }
  }

  #mutated(whole: Buffer): Buffer {
    let bytes = Buffer.from(whole)
    for (let i = 1 + this.#random.below(4); i > 0; i--) {
      const at = this.#random.below(bytes.length + 1)
      const kind = this.#random.below(4)
      if (kind === 0 && at < bytes.length) bytes[at] = this.#random.below(256)
      else if (kind === 1) bytes = bytes.subarray(0, at)
      else if (kind === 2)
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from([this.#random.below(256)]), bytes.subarray(at)])
      else bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + this.#random.below(8))])
    }
    return bytes
  }

  /** What is read of the bytes when others are before and behind them in the same memory. */
  #readWithin(signal: (typeof NAMES)[number], bytes: Buffer, around: number): unknown {
    const memory = Buffer.alloc(bytes.length + 2 * PADDING, around)
    bytes.copy(memory, PADDING)
    try {
      return run(SIGNALS[signal].decode(memory.subarray(PADDING, PADDING + bytes.length), MAX_RECORDS))
    } catch (error) {
      if (!(error instanceof MalformedProtobuf || error instanceof TooManyRecords)) return error
      this.refused++
      return error.message
    }
  }
}
