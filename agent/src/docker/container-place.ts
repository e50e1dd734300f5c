import { sha256 } from '../files/open-file.js'
import { LIMITS } from '../limits.js'
import type { ContainerLine } from './container-lines.js'

/** A place in the log of a container, behind a line. */
export interface ContainerPlace {
  /** Time of the line; empty: unknown. */
  readonly time: string
  /** SHA-256 of the line; empty: the place is a time, and what was written before it is of no concern. */
  readonly sum: string
  /** Of equal lines of one time, which one it is, from 1. */
  readonly nth: number
  /** Its offset in the stream. */
  readonly at: number
  /** No line up to the place is later; absent: than its own time. It differs where the clock was set back. */
  readonly notAfter?: string
}

/** Where the log of a container begins. */
export const BEGINNING: ContainerPlace = { time: '', sum: '', nth: 0, at: 0 }

/** Numbers the lines of a log: each line is a place, whose offset is that of the line before and its own bytes. */
export class PlaceCounter {
  #time = ''
  readonly #seen = new Map<string, number>()

  /** Of equal lines of one time, which one this is. */
  next({ time }: ContainerLine, sum: string): number {
    if (time !== this.#time) this.#seen.clear()
    this.#time = time
    // Of more, the last are taken for the first again: the memory of a log that has one time is bounded.
    if (this.#seen.size >= LIMITS.linesOfOneTime) this.#seen.clear()
    const nth = (this.#seen.get(sum) ?? 0) + 1
    this.#seen.set(sum, nth)
    return nth
  }
}

/** SHA-256 of the text of a line, by which a place is recognized. */
export function sumOfLine({ text }: ContainerLine): string {
  return sha256(text)
}

/** Bytes of a line in its stream. */
export function bytesOfLine({ text }: ContainerLine): number {
  return Buffer.byteLength(text) + 1
}

const TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})\.(\d{9})Z$/

/** A time as Docker takes it: seconds and nine decimals. @param plusNs added to it; at most a second. */
export function sinceOf(time: string, plusNs: bigint): string {
  const [, second, decimals] = TIME.exec(time) ?? []
  if (second === undefined) return '0'
  const ns = BigInt(Date.parse(`${second}Z`)) * 1_000_000n + BigInt(decimals!) + plusNs
  return `${ns / 1_000_000_000n}.${String(ns % 1_000_000_000n).padStart(9, '0')}`
}

/** A time as Docker writes it. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000000Z')
}

/** Whether a time is more than a second after another one. */
export function isLongAfter(time: string, before: string): boolean {
  return Number(sinceOf(time, 0n)) - Number(sinceOf(before, 0n)) > 1
}
