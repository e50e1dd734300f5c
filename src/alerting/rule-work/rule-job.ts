import type { FileError } from '../rule-files/yaml-node.js'
import type { SloFile } from '../slo-files/slo-file.js'
import type { RuleFile } from '../rule-files/rule-file.js'

/** A rule file or a file of SLOs to read, or unit tests of rules to run. */
export type RuleJob =
  | { readonly kind: 'read'; readonly text: string }
  /** A file of SLOs. */
  | { readonly kind: 'slos'; readonly text: string }
  | {
      readonly kind: 'test'
      /** A test file in the format of promtool. */
      readonly tests: string
      /** Rule files by the names that `rule_files` of the test file has. */
      readonly files: ReadonlyMap<string, string>
    }

/** An error of one of several files. */
export interface NamedFileError extends FileError {
  /** Name of the rule file; null for the test file. */
  readonly file: string | null
}

/** What came of the tests: no failures and no errors, or the first of them. */
export interface RuleTestReport {
  /** Files that cannot be read; no test ran then. */
  readonly errors: readonly NamedFileError[]
  /** In the words of promtool, at most `MAX_FAILURES`, each of at most `MAX_FAILURE_CHARS`. */
  readonly failures: readonly string[]
  readonly omittedFailures: number
  /** Tests in the file. */
  readonly tests: number
}

/** What comes of a job. */
export type RuleJobResult<Job extends RuleJob> = Job extends { readonly kind: 'read' }
  ? RuleFile
  : Job extends { readonly kind: 'slos' }
    ? SloFile
    : RuleTestReport

/** Failures of a report. */
export const MAX_FAILURES = 100
/** Characters of one failure; longer ones end in an ellipsis. */
export const MAX_FAILURE_CHARS = 2_000
