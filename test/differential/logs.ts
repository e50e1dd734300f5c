import { requestMany } from './compare-many.js'
import { compareResults, fillLogs } from './compare-logs.js'

// `npm run differential:logs -- --server es8 --queries 10000 --seed 1`: queries about logs.
await requestMany(fillLogs, ({ stores: [one, other], ns }, options) => compareResults([one.logs, other.logs], ns, options))
