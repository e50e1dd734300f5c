import type { Line } from '../files/line-splitter.js'
import { sumOf } from '../files/pinned-lines.js'
import type { Fingerprint, Gap, Pin } from '../files/stream-record.js'
import type { ContainerPlace } from './container-place.js'
import type { ContainerRecord } from './container-records.js'
import { NO_BYTES } from '../files/line-reader.js'
import type { ReadLine } from './container-reading.js'

/** Lines of a container that are sent together. */
export class ContainerBatch {
  readonly #record: ContainerRecord
  readonly #gap: Gap | null
  readonly #read: ReadLine[] = []
  /** Of the clock that does not jump. */
  readonly beganMs: number

  /** @param gap lines before the first one that are lost. */
  constructor(record: ContainerRecord, gap: Gap | null, beganMs: number) {
    this.#record = record
    this.#gap = gap
    this.beganMs = beganMs
  }

  add(read: ReadLine): void {
    this.#read.push(read)
  }

  get count(): number {
    return this.#read.length
  }

  get #from(): number {
    return this.#gap?.to ?? this.#record.offset
  }

  get bytes(): number {
    return this.to - this.#from
  }

  get to(): number {
    return this.last?.at ?? this.#from
  }

  /** Behind its last line. */
  get last(): ContainerPlace | null {
    return this.#read.at(-1)?.place ?? null
  }

  get lines(): readonly Line[] {
    let before = this.#from
    return this.#read.map(({ line: { text, isTruncated }, place }) => {
      const bytes = place.at - before
      before = place.at
      return { text, bytes, isTruncated, isPartial: false }
    })
  }

  pin(end: Pin['end'] = null): Omit<Pin, 'sealedAtMs'> {
    const { lines, to } = this
    const [{ nextSeq: seq, nextLine: firstLine }, from, gap] = [this.#record, this.#from, this.#gap]
    return { seq, from, to, firstLine, lines: lines.length, sum: sumOf(lines), gap, end }
  }

  /** The place of one of its lines, or of its end; null for another offset. */
  placeAt(offset: number): ContainerPlace | null {
    return this.#read.find(({ place }) => place.at === offset)?.place ?? null
  }

  /** By which the service knows the place at an offset. */
  fingerprintAt(offset: number): Fingerprint {
    const place = this.placeAt(offset)
    return place === null ? NO_BYTES : { bytes: 1, sum: place.sum }
  }
}
