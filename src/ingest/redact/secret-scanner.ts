import type { DetectorName, RedactionRules } from '../../domain/log-rules.js'
import { cardDetector } from './card.js'
import type { Detector, Finding } from './detector.js'
import { emailDetector } from './email.js'
import { LiteralMatcher } from './literal-matcher.js'
import { markOf } from './mark.js'
import { KeyNames, namedValueDetector } from './named-value.js'
import { privateKeyDetector } from './private-key.js'
import { tokenDetector } from './token.js'
import { urlPasswordDetector } from './url-password.js'

const MAKERS: Readonly<Record<DetectorName, () => Detector>> = {
  private_key: privateKeyDetector,
  url_password: urlPasswordDetector,
  token: tokenDetector,
  email: emailDetector,
  card: cardDetector
}
const LITERAL = 'literal'
const ASCII = 128

/** Called for each replacement with the name of what was found. */
export type OnFound = (name: string) => void

/** Finds secrets in strings and replaces each by a mark (`markOf`). One pass over a string, and one more for literals. */
export class SecretScanner {
  readonly #literals: LiteralMatcher | null
  readonly #detectors: readonly Detector[]
  /** By ASCII character: bits of the detectors that it triggers. */
  readonly #triggers = new Uint8Array(ASCII)
  /** Members whose values are replaced as a whole. */
  readonly keys: KeyNames

  constructor({ detectors, keys, literals }: RedactionRules) {
    this.keys = new KeyNames(keys)
    this.#literals = literals.length === 0 ? null : new LiteralMatcher(literals)
    const byForm = Object.entries(MAKERS).filter(([name]) => detectors.includes(name as DetectorName))
    this.#detectors = [...(this.keys.isEmpty ? [] : [namedValueDetector(this.keys)]), ...byForm.map(([, make]) => make())]
    for (const [index, { triggers }] of this.#detectors.entries()) {
      for (let i = 0; i < triggers.length; i++) this.#triggers[triggers.charCodeAt(i)]! |= 1 << index
    }
  }

  /** The string without secrets; the same string when it has none. */
  redact(text: string, onFound: OnFound): string {
    return this.#byForm(this.#byLiteral(text, onFound), onFound)
  }

  #byLiteral(text: string, onFound: OnFound): string {
    const found = this.#literals?.find(text) ?? []
    if (found.length === 0) return text
    let out = ''
    let from = 0
    for (const { start, end } of found) {
      out += text.slice(from, start) + markOf(LITERAL)
      from = end
      onFound(LITERAL)
    }
    return out + text.slice(from)
  }

  #byForm(text: string, onFound: OnFound): string {
    if (this.#detectors.length === 0) return text
    const triggers = this.#triggers
    for (const detector of this.#detectors) detector.begin?.()
    let out = ''
    let from = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      const bits = code < ASCII ? triggers[code]! : 0
      if (bits === 0) continue
      const hit = firstHit(this.#detectors, bits, text, at, from)
      if (hit === null) continue
      out += text.slice(from, hit.start) + markOf(hit.name)
      from = hit.end
      at = hit.end - 1
      onFound(hit.name)
    }
    return from === 0 ? text : out + text.slice(from)
  }
}

function firstHit(
  detectors: readonly Detector[],
  bits: number,
  text: string,
  at: number,
  from: number
): (Finding & { readonly name: string }) | null {
  for (let index = 0; index < detectors.length; index++) {
    if ((bits & (1 << index)) === 0) continue
    const { name } = detectors[index]!
    const found = detectors[index]!.find(text, at, from)
    if (found !== null) return { ...found, name }
  }
  return null
}
