import type { Break } from './break.js'

const CONTROL = 'test/stores/sqlite-control\\.test'
const SCHEDULER = 'test/unit/alerting/alert-scheduler(-faults)?\\.test'
const STEPS = 'test/unit/alerting/step-times\\.test'
const WHOLE = 'test/api/alert(s|-rules)\\.test'

/** Promises about alert rules, their evaluation and their history. */
export const ALERTS: readonly Break[] = [
  {
    promise: 'a lease whose token is old writes nothing',
    file: 'src/stores/control/alert-leases.ts',
    find: "      .where('token', '=', token)\n      .executeTakeFirstOrThrow()",
    replace: '      .executeTakeFirstOrThrow()',
    tests: CONTROL
  },
  {
    promise: 'what was evaluated by another version of a rule is not stored',
    file: 'src/stores/control/alert-states.ts',
    find: 'versions.get(ruleId) === ruleVersion',
    replace: 'versions.has(ruleId)',
    tests: CONTROL
  },
  {
    promise: 'events end with their namespace',
    file: 'src/stores/control/namespaces.ts',
    find: "  'alert_events',\n",
    replace: '',
    tests: CONTROL
  },
  {
    promise: 'a commit of which nothing was heard is not repeated blindly',
    file: 'src/alerting/schedule/state-writer.ts',
    find: '      rule.isUnsure = true\n',
    replace: '',
    tests: SCHEDULER
  },
  {
    promise: 'one namespace does not take all slots of evaluations',
    file: 'src/alerting/schedule/bounds.ts',
    find: 'export const EVALUATIONS_OF_ONE = 2',
    replace: 'export const EVALUATIONS_OF_ONE = 8',
    tests: SCHEDULER
  },
  {
    promise: 'steps beyond the hour are skipped',
    file: 'src/alerting/schedule/step-times.ts',
    find: 'Math.max(first, nextStep(nowMs - CATCH_UP_MS - 1, grid))',
    replace: 'first',
    tests: STEPS
  },
  {
    promise: 'alerts of a rule that is disabled are resolved',
    file: 'src/alerting/rules/alert-rule-service.ts',
    find: '    if (stored.enabled && (!rule.enabled || rule.kind !== stored.kind)) await this.#end(ports, rule.namespaceId, [rule.id])\n',
    replace: '',
    tests: WHOLE
  },
  {
    promise: 'a change that read an old version of a rule is refused',
    file: 'src/alerting/rules/alert-rule-service.ts',
    find: 'if (stored.version !== version) throw stale(version, stored.version)',
    replace: '',
    tests: WHOLE
  }
]
