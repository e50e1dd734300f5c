import { stepBack } from '../../../threads/step-back.js'

// Entry of a thread that evaluates PromQL: it steps back before it reads what it runs.

stepBack()
await import('./serve.js')
