import { lowerThreadPriority } from '../../../threads/lower-thread-priority.js'

// Entry of a thread that runs one job on rule files: it lowers its priority before it loads what it needs.

lowerThreadPriority()
await import('./serve.js')
