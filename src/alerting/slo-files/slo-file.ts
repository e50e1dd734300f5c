import type { SloContent } from '../../domain/alerts/slo.js'
import type { RuleFaults } from '../evaluate/parse-rule/rule-input.js'
import type { FileError } from '../rule-files/yaml-node.js'

/** What a file of SLOs contains. A file with errors is not imported. */
export interface SloFile {
  readonly slos: readonly SloContent[]
  readonly errors: readonly FileError[]
  /** Paths of what has no meaning here and is left out. */
  readonly ignored: readonly string[]
}

/** An SLO as `parseSlo` reads it, and the paths of its members in the file. */
export interface TranslatedSlo {
  readonly input: Readonly<Record<string, unknown>>
  /** Path of the SLO in the file, empty for the whole document. */
  readonly path: string
  /** Paths within the SLO of members that have another name in the file. */
  readonly names: Readonly<Record<string, string>>
}

/** What translators of formats add to while they read. */
export interface Translation {
  readonly faults: RuleFaults
  readonly ignored: string[]
}

/** A number of a file, whose scalars are strings; another string is returned as it is. */
export function numberOf(text: string | null): number | string | null {
  if (text === null || text.trim() === '' || !Number.isFinite(Number(text))) return text
  return Number(text)
}
