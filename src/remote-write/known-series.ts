import { boundedText } from './bounds.js'
import type { Label } from '../domain/metric-point.js'
import { InternedStrings } from '../wire/protobuf/interned-strings.js'
import { RememberedBytes } from '../wire/protobuf/remembered-bytes.js'
import type { WrittenSeries } from './samples.js'

/** For the series of each version: of nine labels of usual length between 30,000 and 60,000. */
const SERIES_BYTES = 128 * 1024 * 1024
const SYMBOL_BYTES = 16 * 1024 * 1024
/** What a series takes that was read and checked, next to its labels and their strings; measured. */
const SERIES_OBJECTS_BYTES = 300
const LABEL_OBJECTS_BYTES = 100
/** A code unit is stored in the labels and in the key of the series. */
const BYTES_PER_UNIT = 3
const SYMBOL_OBJECT_BYTES = 64

/** A text of a table of symbols, with a number that no other text had or gets. */
export interface KnownSymbol {
  readonly text: string
  readonly number: number
}

/**
 * The series of earlier requests: a sender names the same ones again with each sample, and reading and checking their
 * labels costs far more than the sample. Nothing in it is of a namespace: the same bytes are the same labels in each.
 */
export class KnownSeries {
  readonly strings = new InternedStrings()
  /** Remote write 1.0, by the fields of the labels. */
  readonly byLabels: RememberedBytes<WrittenSeries>
  /** Remote write 2.0, by the numbers of the labels' symbols. */
  readonly bySymbols: RememberedBytes<WrittenSeries>
  readonly #symbols: RememberedBytes<KnownSymbol>
  #lastNumber = 0

  constructor(seriesBytes = SERIES_BYTES, symbolBytes = SYMBOL_BYTES) {
    this.byLabels = new RememberedBytes(seriesBytes / 2)
    this.bySymbols = new RememberedBytes(seriesBytes / 2)
    this.#symbols = new RememberedBytes(symbolBytes)
  }

  /** Bytes that are in use. */
  get bytes(): number {
    return this.byLabels.bytes + this.bySymbols.bytes + this.#symbols.bytes
  }

  /** The symbol with the bytes in `[start, end)`. */
  symbol(bytes: Buffer, start: number, end: number): KnownSymbol {
    const known = this.#symbols.find(bytes, start, end)
    if (known !== undefined) return known
    const text = boundedText(this.strings.text(bytes, start, end))
    const symbol = { text, number: ++this.#lastNumber }
    this.#symbols.keep(bytes, start, end, symbol, SYMBOL_OBJECT_BYTES + 2 * text.length)
    return symbol
  }
}

/** Memory that a series of these labels takes. */
export function labelsBytes(labels: readonly Label[]): number {
  let bytes = SERIES_OBJECTS_BYTES
  for (const { name, value } of labels) bytes += LABEL_OBJECTS_BYTES + BYTES_PER_UNIT * (name.length + value.length)
  return bytes
}
