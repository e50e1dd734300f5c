import type { RuleFile } from '../../rule-files/rule-file.js'
import type { RuleTestReport } from '../rule-job.js'

/** The one message of a thread. */
export type FromRuleThread =
  | { readonly kind: 'done'; readonly result: RuleFile | RuleTestReport }
  /** A bound of the files. */
  | { readonly kind: 'refused'; readonly detail: string }
