import type { LogGapType, LogStreamType, StreamProofType } from '../schema/log-stream.type.js'
import type { StreamGap } from '../src/domain/log-stream.js'
import type { ReportedStream, StreamProofResult } from '../src/query/streams/stream-report.js'
import { toStats } from './to-shared.js'

const NS_PER_MS = 1_000_000n

const toNs = (ms: number): bigint => BigInt(ms) * NS_PER_MS

/** @param streamId of its stream. */
export function toGap(streamId: string, { from, to, lines, reason, code, merged, atMs }: StreamGap): LogGapType {
  return { streamId, from, to, lines, reason, code, merged, at: toNs(atMs) }
}

/** A log stream; its host and its proof are loaded by `LogStreamResolver`. */
export class LogStreamSource implements LogStreamType {
  readonly #stream: ReportedStream

  constructor(stream: ReportedStream) {
    this.#stream = stream
  }

  /** Host of its records. */
  get hostName(): string | null {
    return this.#stream.host
  }
  get id(): string {
    return this.#stream.id
  }
  get path(): string | null {
    return this.#stream.path
  }
  get kind(): string | null {
    return this.#stream.kind
  }
  get service(): string | null {
    return this.#stream.service
  }
  get state(): ReportedStream['state'] {
    return this.#stream.state
  }
  get end(): ReportedStream['end'] {
    return this.#stream.end
  }
  get from(): number {
    return this.#stream.bytesFrom
  }
  get to(): number {
    return this.#stream.bytesTo
  }
  get firstLine(): number {
    return this.#stream.firstLine
  }
  get lastLine(): number {
    return this.#stream.lineTo
  }
  get lines(): number {
    return this.#stream.lines
  }
  get stored(): number {
    return this.#stream.stored
  }
  get rejected(): number {
    return this.#stream.rejected
  }
  get gapCount(): number {
    return this.#stream.gapCount
  }
  get gaps(): readonly LogGapType[] {
    return this.#stream.gaps.map(gap => toGap(this.#stream.id, gap))
  }
  get lagBytes(): number | null {
    return this.#stream.lagBytes
  }
  get firstAt(): bigint {
    return toNs(this.#stream.firstAtMs)
  }
  get lastAt(): bigint {
    return toNs(this.#stream.lastAtMs)
  }
  get complete(): boolean {
    return this.#stream.gapCount === 0
  }
}

/** Whether lines of a stream are missing. */
export function toStreamProof(proof: StreamProofResult): StreamProofType {
  const { complete, sentence, firstLine, lastLine, expected, lines: arrived, stored, recounted, bytes } = proof
  const lines = { firstLine, lastLine, expected, arrived, stored, recounted, bytes }
  return {
    complete,
    sentence,
    ...lines,
    gaps: proof.gapsInWindow.map(gap => toGap(proof.stream.id, gap)),
    stats: toStats(proof, 'logs')
  }
}
