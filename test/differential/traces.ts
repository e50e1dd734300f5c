import { requestMany } from './compare-many.js'
import { compareTraces, fillSpans } from './compare-traces.js'

// `npm run differential:traces -- --server es8 --queries 10000 --seed 1`: queries about spans and traces.
await requestMany(fillSpans, ({ stores: [one, other], ns }, options) => compareTraces([one.traces, other.traces], ns, options))
