import type { Break } from './break.js'

/** Promises to operators. */
export const OPERATIONS: readonly Break[] = [
  {
    promise: 'a background job that fails repeatedly is shown in health',
    file: 'src/telemetry/background-jobs.ts',
    find: 'failuresInARow >= REPEATED_FAILURES)',
    replace: 'failuresInARow > Number.MAX_VALUE)',
    tests: 'test/unit/background-jobs\\.test'
  },
  {
    promise: 'the request log holds no path beyond the pattern of its route',
    file: 'src/http/request-log.ts',
    find: "route: request.routeOptions.url ?? 'unmatched'",
    replace: 'route: request.url',
    tests: 'test/api/request-log\\.test'
  },
  {
    promise: 'no one registers through a proxy that the operator did not name',
    file: 'src/access/sign-in.ts',
    find: "(registration === 'local' && !isThroughProxy)",
    replace: "registration === 'local'",
    tests: 'test/api/local-access\\.test'
  },
  {
    promise: 'counts over whole steps are exact: each step of a counted metric begins with a zero',
    file: 'src/stores/virtual/counter-samples.ts',
    find: '    add(startNs + MS_NS, 0)\n',
    replace: '',
    tests: 'test/unit/stores/counted-steps\\.test'
  },
  {
    promise: 'a hint on a value is looked up in the own namespace and window',
    file: 'src/query/spelling-hints.ts',
    find: '{ range, filter: MATCH_ALL, facets }',
    replace: '{ range: { startNs: 0n, endNs: range.endNs }, filter: MATCH_ALL, rows: { limit: 1, order: "desc" }, facets }',
    tests: 'test/unit/query/spelling-hints\\.test'
  },
  {
    promise: 'a correlation looks at what is counted out of spans',
    file: 'src/query/correlation/linked-series.ts',
    find: 'if (service) found.push(',
    replace: "if (service?.value === '') found.push(",
    tests: 'test/api/correlate-spans\\.test'
  },
  {
    promise: 'metrics behind a token need the token',
    file: 'src/http/metrics-guard.ts',
    find: '!timingSafeEqual(digest(sent), expected)',
    replace: "sent === ''",
    tests: 'test/api/local-access\\.test'
  },
  {
    promise: 'a transaction that failed begins no other one',
    file: 'src/stores/control/sqlite-driver.ts',
    find: '      this.#refuseWhenOver()\n    }\n  }',
    replace: '    }\n  }',
    tests: 'test/stores/sqlite-thread\\.test'
  }
]
