import type { Label } from '../domain/metric-point.js'
import { MalformedProtobuf } from '../wire/protobuf/malformed-protobuf.js'
import type { WriteRequestBuilder } from './samples.js'

/** Far above the limit of labels of a point: such a series is rejected later, by the limit in force. */
const MAX_LABELS = 1_024
/** Labels of an exemplar that are looked at: one of more is refused later, by itself. */
const MAX_EXEMPLAR_LABELS = 128
/** Far longer than a string may be that is a name, a value or a help; what is beyond is cut, and refused later for its length. */
const MAX_TEXT_CHARS = 65_536
/** A series is read in one go. */
const MAX_SERIES_BYTES = 1024 * 1024
/** Records, and bytes, that are read between two yields to the event loop. */
const RECORDS_AT_ONCE = 2_000
const BYTES_AT_ONCE = 128 * 1024

/** A text of a request, cut where it is longer than any that is taken. */
export function boundedText(text: string): string {
  return text.length > MAX_TEXT_CHARS ? text.slice(0, MAX_TEXT_CHARS) : text
}

/** Adds a label. Throws `MalformedProtobuf` for more than any series has. */
export function addLabel(labels: Label[], label: Label): void {
  if (labels.push(label) > MAX_LABELS) throw new MalformedProtobuf(`a series has more than ${MAX_LABELS} labels`)
}

/** Adds a label of an exemplar, up to a bound above the limit of an exemplar. */
export function addExemplarLabel(labels: Label[], label: Label): void {
  if (labels.length < MAX_EXEMPLAR_LABELS) labels.push(label)
}

/** Throws `MalformedProtobuf` where the message of a series is too long. */
export function checkSeriesBytes(bytes: number): void {
  if (bytes > MAX_SERIES_BYTES) throw new MalformedProtobuf(`a series of a request exceeds ${MAX_SERIES_BYTES} bytes`)
}

/** Reports when enough of a request was read to yield to other work. */
export class RequestPace {
  readonly #request: Pick<WriteRequestBuilder, 'records'>
  #records = 0
  #at = 0

  constructor(request: Pick<WriteRequestBuilder, 'records'>) {
    this.#request = request
  }

  /** `at` is how far the body was read. */
  isDue(at: number): boolean {
    const { records } = this.#request
    if (records - this.#records < RECORDS_AT_ONCE && at - this.#at < BYTES_AT_ONCE) return false
    this.#records = records
    this.#at = at
    return true
  }
}
