import { GatewayError } from '../../../domain/errors.js'

const ZERO = 0x30
const NINE = 0x39
const DOT = 0x2e
const NANOS_DIGITS = 9

/** Digits at fixed places of `2026-11-20T12:00:00`. */
function two(bytes: Uint8Array, at: number): number {
  return (bytes[at]! - ZERO) * 10 + (bytes[at + 1]! - ZERO)
}

/** Reads RFC 3339 times in UTC, as InfluxDB writes them, out of bytes. */
export class TimeBytes {
  seconds = 0
  nanos = 0
  /** Behind the `Z`. */
  end = 0
  #date = 0
  #dayStart = 0

  read(bytes: Uint8Array, from: number): void {
    const date = (two(bytes, from) * 100 + two(bytes, from + 2)) * 10_000 + two(bytes, from + 5) * 100 + two(bytes, from + 8)
    if (date !== this.#date) this.#turnTo(date)
    this.seconds = this.#dayStart + two(bytes, from + 11) * 3_600 + two(bytes, from + 14) * 60 + two(bytes, from + 17)
    let at = from + 19
    let nanos = 0
    let digits = 0
    if (bytes[at] === DOT) {
      for (at++; bytes[at]! >= ZERO && bytes[at]! <= NINE; at++) {
        nanos = nanos * 10 + (bytes[at]! - ZERO)
        digits++
      }
      for (; digits < NANOS_DIGITS; digits++) nanos *= 10
    }
    this.nanos = nanos
    this.end = at + 1
  }

  /** Samples come in order: the day of the last one mostly holds. */
  #turnTo(date: number): void {
    this.#date = date
    const ms = Date.UTC(Math.floor(date / 10_000), (Math.floor(date / 100) % 100) - 1, date % 100)
    if (Number.isNaN(ms)) throw new GatewayError('store_unavailable', 'InfluxDB sent an invalid time')
    this.#dayStart = ms / 1000
  }
}
