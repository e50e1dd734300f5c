import { GatewayError } from '../../../domain/errors.js'

/** Powers of ten that a double holds exactly. */
const POWERS = Array.from({ length: 23 }, (_, i) => Number(`1e${i}`))
const MAX_EXACT_DIGITS = 15

const MINUS = 0x2d
const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COMMA = 0x2c
/** What is below ends the line, as does the end of the bytes. */
const SPACE = 0x20

/** Reads a decimal number out of bytes; `end` is where it stopped, at a comma or the end of the line. */
export class NumberBytes {
  end = 0

  /**
   * The double at `from`, correctly rounded: up to 15 digits are a whole number over a power of ten, both exact, so that
   * one division rounds once (Clinger); what is longer goes to the platform's own parser.
   */
  double(bytes: Uint8Array, from: number): number {
    const isNegative = bytes[from] === MINUS
    const first = isNegative ? from + 1 : from
    let at = first
    let mantissa = 0
    let digits = 0
    let dotAt = -1
    for (; ; at++) {
      const byte = bytes[at]!
      if (byte >= ZERO && byte <= NINE) {
        mantissa = mantissa * 10 + (byte - ZERO)
        if (mantissa > 0) digits++
      } else if (byte === DOT && dotAt < 0) dotAt = at
      else if (byte === COMMA || !(byte >= SPACE)) break
      else digits = Number.POSITIVE_INFINITY
    }
    this.end = at
    const decimals = dotAt < 0 ? 0 : at - dotAt - 1
    if (digits > MAX_EXACT_DIGITS || decimals >= POWERS.length || at === first) return this.#slow(bytes, from)
    const value = mantissa / POWERS[decimals]!
    return isNegative ? -value : value
  }

  /** The whole number at `from`. */
  integer(bytes: Uint8Array, from: number): bigint {
    let at = from
    while (bytes[at]! >= SPACE && bytes[at] !== COMMA) at++
    this.end = at
    return BigInt(latin(bytes, from, at))
  }

  #slow(bytes: Uint8Array, from: number): number {
    const text = latin(bytes, from, this.end)
    const value = Number(text)
    if (text === '' || Number.isNaN(value))
      throw new GatewayError('store_unavailable', 'InfluxDB sent an invalid number', {
        diagnosis: `InfluxDB sent ${JSON.stringify(text)} for a number`
      })
    return value
  }
}

function latin(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1')
}
