import type { Break } from './break.js'

const FOLD = 'test/unit/alerting/evaluate(-without-data)?\\.test'
const MODEL = 'test/unit/alerting/prometheus-model\\.test'
const CONDITIONS = 'test/stores/duckdb-alert-conditions\\.test'
const MEASURES = 'test/stores/duckdb-alert-measures\\.test'
const TEMPLATES = 'test/unit/alerting/templates\\.test'
const RULE_FILES = 'test/unit/alerting/rule-files\\.test'

/** Promises about what a rule becomes of its data. */
export const EVALUATION: readonly Break[] = [
  {
    promise: 'the time of keep_firing_for begins at the first evaluation without the element',
    file: 'src/alerting/evaluate/advance.ts',
    find: 'const keepSinceMs = instance.keepSinceMs ?? atMs',
    replace: 'const keepSinceMs = instance.keepSinceMs ?? instance.activeAtMs',
    tests: MODEL
  },
  {
    promise: 'a changed `for` sends a firing alert back to pending',
    file: 'src/alerting/evaluate/advance.ts',
    find: "if (instance.state === 'firing' && !due)",
    replace: "if (instance.state === 'firing' && !due && atMs < 0)",
    tests: MODEL
  },
  {
    promise: 'missing data resolves nothing',
    file: 'src/alerting/evaluate/evaluate.ts',
    find: "    case 'nodata':\n      return succeeded(state, missing(rule, state.instances, atMs), atMs)",
    replace: "    case 'nodata':\n      return withAlerts(rule, state, [], atMs)",
    tests: FOLD
  },
  {
    promise: 'an evaluation that fails keeps all instances',
    file: 'src/alerting/evaluate/evaluate.ts',
    find: "if (onError === 'keep' || (onError === 'error' && errorsInRow < ERRORS_BEFORE_ALERT)) return before",
    replace: "if (onError === 'keep' || (onError === 'error' && errorsInRow < ERRORS_BEFORE_ALERT)) return new Map()",
    tests: FOLD
  },
  {
    promise: 'the alert of a silent source ends when the source is back, not when it is forgotten',
    file: 'src/alerting/evaluate/evaluate.ts',
    find: 'if (there === undefined) return []',
    replace: 'if (there !== null) return []',
    tests: FOLD
  },
  {
    promise: 'an incomplete read is an error, not a vector',
    file: 'src/alerting/evaluate/read/snapshot.ts',
    find: 'if (!complete) throw',
    replace: 'if (!complete && warnings.length > 99) throw',
    tests: CONDITIONS
  },
  {
    promise: 'a condition reads the logs of its own namespace',
    file: 'src/alerting/evaluate/read/log-source.ts',
    find: 'await logs.search(ns.id, {',
    replace: "await logs.search('testnamespace02' as typeof ns.id, {",
    tests: CONDITIONS
  },
  {
    promise: 'one read of many times has the results of reads of each',
    file: 'src/alerting/evaluate/read/window-grid.ts',
    find: 'const from = index * perStep',
    replace: 'const from = index',
    tests: CONDITIONS
  },
  {
    promise: 'measures of windows that overlap are computed of each window, not of parts of it',
    file: 'src/alerting/evaluate/read/window-tiles.ts',
    find: 'const classes = windowMs / shared',
    replace: 'const classes = 1',
    tests: CONDITIONS
  },
  {
    promise: 'a measure without a number has no data, and is not zero',
    file: 'src/alerting/evaluate/read/measure-source.ts',
    find: 'if (value == null) return counts ?',
    replace: 'if (value == null) return !counts || counts ?',
    tests: MEASURES
  },
  {
    promise: 'a condition with more groups than a rule has alerts is an error, not a part of them',
    file: 'src/alerting/evaluate/read/measure-source.ts',
    find: 'if (found.groups.value > MAX_MEASURED_GROUPS)',
    replace: 'if (found.groups.value > Infinity)',
    tests: MEASURES
  },
  {
    promise: 'the regexes of templates are bounded in what they cost',
    file: 'src/alerting/evaluate/template/expansion-budget.ts',
    find: 'if (this.#regexCost > maxRegexCost)',
    replace: 'if (this.#regexCost > Infinity)',
    tests: TEMPLATES
  },
  {
    promise: 'a template that fails does not keep an alert from firing',
    file: 'src/alerting/evaluate/prepared-rule.ts',
    find: 'if (error instanceof TemplateError) return `<error',
    replace: 'if (error instanceof TypeError) return `<error',
    tests: FOLD
  },
  {
    promise: 'an unknown member of a rule file is an error',
    file: 'src/alerting/rule-files/read-rule.ts',
    find: 'else if (!OF_PROMETHEUS.has(name))',
    replace: 'else if (name === OWN.toString())',
    tests: RULE_FILES
  }
]
