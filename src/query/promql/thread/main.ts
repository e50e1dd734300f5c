import { lowerThreadPriority } from '../../../threads/lower-thread-priority.js'

// Entry of a thread that evaluates PromQL: it lowers its priority before it loads the evaluator.

lowerThreadPriority()
await import('./serve.js')
