import { caseVariants } from '../../../domain/case-folding.js'
import type { Params } from './params.js'

/** Pieces longer than this filter no better, and each letter doubles the spellings to look for. */
const MAX_PROBE_LENGTH = 8
const MAX_SPELLINGS = 4
/** Places of a needle where pieces are looked for: a selective one is near, and each place costs. */
const MAX_STARTS = 64

// Roughly how many bits of information a character of a log has; common letters have least.
const COMMON = 'etaoinsrhld'
const BITS_COMMON = 3
const BITS_LETTER = 6
const BITS_OTHER = 4

function bitsOf(char: string): number {
  if (COMMON.includes(char)) return BITS_COMMON
  return caseVariants(char).length > 1 ? BITS_LETTER : BITS_OTHER
}

// A piece that is this selective leaves few strings: beyond it each spelling costs more than it saves.
const ENOUGH_BITS = 12

interface Probe {
  readonly spellings: readonly string[]
  readonly bits: number
}

/** The probes that begin here, shortest first, while they have few enough spellings. */
function probesAt(chars: readonly string[], start: number): readonly Probe[] {
  const probes: Probe[] = []
  let probe: Probe = { spellings: [''], bits: 0 }
  for (const char of chars.slice(start, start + MAX_PROBE_LENGTH)) {
    const variants = caseVariants(char)
    if (probe.spellings.length * variants.length > MAX_SPELLINGS) break
    probe = {
      spellings: probe.spellings.flatMap(spelling => variants.map(variant => spelling + variant)),
      bits: probe.bits + bitsOf(char)
    }
    probes.push(probe)
  }
  return probes
}

function isBetter(a: Probe, b: Probe): boolean {
  const [aIsEnough, bIsEnough] = [a.bits >= ENOUGH_BITS, b.bits >= ENOUGH_BITS]
  if (aIsEnough !== bIsEnough) return aIsEnough
  if (aIsEnough && a.spellings.length !== b.spellings.length) return a.spellings.length < b.spellings.length
  return a.bits > b.bits
}

/**
 * All spellings of the piece of a folded needle that is searched first: one that is selective enough in few spellings, else the
 * most selective one. Empty when every piece has too many.
 */
export function probeSpellings(needle: string): readonly string[] {
  const chars = [...needle.slice(0, 2 * (MAX_STARTS + MAX_PROBE_LENGTH))]
  const starts = Math.min(chars.length, MAX_STARTS)
  let best: Probe = { spellings: [], bits: 0 }
  for (let start = 0; start < starts; start++)
    for (const probe of probesAt(chars, start)) if (best.bits === 0 || isBetter(probe, best)) best = probe
  return best.spellings
}

/** Whether the spellings are the whole needle, so that finding one of them is finding the needle. */
export function isWholeNeedle(needle: string, spellings: readonly string[]): boolean {
  return spellings[0] !== undefined && [...spellings[0]].length === [...needle].length
}

/** SQL: the text has one of the spellings. Bytes are compared, so it costs far less than folding the text. */
export function hasAnySql(text: string, spellings: readonly string[], params: Params): string {
  return `(${spellings.map(spelling => `contains(${text}, ${params.add(spelling)})`).join(' OR ')})`
}
