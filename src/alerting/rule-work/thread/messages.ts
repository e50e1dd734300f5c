import type { RuleFile } from '../../rule-files/rule-file.js'
import type { SloFile } from '../../slo-files/slo-file.js'
import type { RuleTestReport } from '../rule-job.js'

/** The one message of a thread. */
export type FromRuleThread =
  | { readonly kind: 'done'; readonly result: RuleFile | SloFile | RuleTestReport }
  /** A bound of the files. */
  | { readonly kind: 'refused'; readonly detail: string }
