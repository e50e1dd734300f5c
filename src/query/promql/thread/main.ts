import { lowerThreadPriority } from '../../../threads/lower-thread-priority.js'

// Entry of a thread that evaluates PromQL: it steps back before it reads what it runs.

lowerThreadPriority()
await import('./serve.js')
