import type { AlertRuleContent } from '../../domain/alerts/alert-rule.js'
import type { FileError } from './yaml-node.js'

/** A group of a rule file. */
export interface FileGroup {
  readonly name: string
  /** Null for the default of the reader. */
  readonly intervalMs: number | null
  /** Null for none. */
  readonly limit: number | null
  readonly queryOffsetMs: number | null
  readonly rules: readonly AlertRuleContent[]
}

/** What a rule file contains. Groups are those that can be read; a file with errors is not imported. */
export interface RuleFile {
  readonly groups: readonly FileGroup[]
  readonly errors: readonly FileError[]
}

/** Errors that are reported of a file. */
export const MAX_FILE_ERRORS = 100
