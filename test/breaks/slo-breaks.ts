import type { Break } from './break.js'

const CONTROL = 'test/stores/sqlite-control\\.test'
const UNITS = 'test/unit/alerting/slo/'
const WHOLE = 'test/api/slos\\.test'

/** Promises about service level objectives. */
export const SLOS: readonly Break[] = [
  {
    promise: 'an SLO whose recordings could not all be read is known in part',
    file: 'src/alerting/slo/slo-report.ts',
    find: "state: complete ? report.state : 'partial',",
    replace: 'state: report.state,',
    tests: 'test/unit/alerting/slo/slo-reports\\.test'
  },
  {
    promise: 'members of OpenSLO without a meaning here are named',
    file: 'src/alerting/slo-files/read-openslo.ts',
    find: 'if (!known.includes(name) && !ignored.includes(path))',
    replace: 'if (!known.includes(name) && ignored.includes(path))',
    tests: 'test/unit/alerting/slo/slo-files\\.test'
  },
  {
    promise: 'SLOs end with their namespace',
    file: 'src/stores/control/namespaces.ts',
    find: "  'slos',\n",
    replace: '',
    tests: CONTROL
  },
  {
    promise: 'a budget without events has no figures',
    file: 'src/alerting/slo/budget-report.ts',
    find: 'const attained = total > 0 ? 1 - bad / total : null',
    replace: 'const attained = total > 0 ? 1 - bad / total : 1',
    tests: UNITS
  },
  {
    promise: 'minutes that were not counted make a report partial',
    file: 'src/alerting/slo/budget-report.ts',
    find: 'return left > TOLERATED_MINUTES ? left : 0',
    replace: 'return left < 0 ? left : 0',
    tests: UNITS
  },
  {
    promise: 'names of services do not leave the string of a query',
    file: 'src/alerting/slo/event-expressions.ts',
    find: "const spans = [`service=${goQuoted(service)}`, 'kind",
    replace: 'const spans = [`service="${service}"`, \'kind',
    tests: UNITS
  },
  {
    promise: 'the rules of an SLO are changed by the SLO alone',
    file: 'src/alerting/slo/slo-ownership.ts',
    find: '  if (slo !== null) throw ownedBySlo(slo.name, field)\n',
    replace: '',
    tests: WHOLE
  },
  {
    promise: 'another indicator begins to count again',
    file: 'src/alerting/slo/slo-service.ts',
    find: 'const revision = isRecounted ?',
    replace: 'const revision = !isRecounted ?',
    tests: WHOLE
  }
]
