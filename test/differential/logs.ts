import { askMany } from './ask-many.js'
import { compareAnswers, fillLogs } from './compare-logs.js'

// `npm run differential:logs -- --server es8 --questions 10000 --seed 1`: questions about logs.
await askMany(fillLogs, ({ stores: [one, other], ns }, options) => compareAnswers([one.logs, other.logs], ns, options))
