import { lowerThreadPriority } from '../../../threads/lower-thread-priority.js'
import { v8Workers } from '../../../threads/v8-workers.js'
import type { Gap } from '../gaps.js'
import { GatewayError } from '../../../domain/errors.js'
import { LAYOUT } from '../table-layout.js'
import type { ProcessOptions } from '../wire/calls.js'
import { toWireError } from '../wire/errors.js'
import { StoreEngine } from './engine.js'
import { storeMethods } from './methods.js'
import { PipeServer } from './pipe-server.js'

// Entry of the store process: the one owner of the embedded engine's files.
const PIPE_FD = 3
const QUIET_MS = 10_000
/** Damaged segments that one line of the log names. */
const GAPS_NAMED = 10
const FATAL = /database has been invalidated/i

const { format, dataDir, limits, lockWaitMs, failPoint } = JSON.parse(process.argv[2]!) as ProcessOptions

// Ctrl-C reaches the whole process group; the parent decides when this process ends.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)

// Garbage of large reads is collected behind what others wait for. The environment is not inherited: all flags are in the call.
for (const thread of v8Workers(process.execArgv.join(' '))) lowerThreadPriority(thread)

let engine: StoreEngine | null = null
let closing: Promise<void> | null = null

function close(): Promise<void> {
  closing ??= engine ? engine.close() : Promise.resolve()
  return closing
}

const server = new PipeServer(PIPE_FD, () => {
  // The parent is gone: what is queued is committed, then the lock is free for a new one.
  close().then(
    () => process.exit(0),
    () => process.exit(1)
  )
})

const lastLogged = new Map<string, number>()

function onTrouble(message: string, error: unknown): void {
  const cause = error instanceof Error ? error.message : String(error)
  const nowMs = performance.now()
  // A full disk fails every commit: an occasional line is enough.
  if (nowMs - (lastLogged.get(message) ?? -QUIET_MS) >= QUIET_MS) {
    lastLogged.set(message, nowMs)
    void server.announce({ type: 'log', level: 'error', message, fields: { error: cause } })
  }
  endIfInvalidated(cause)
}

const failingJobs = new Set<string>()

/** Reports the outcome of a background job to the parent; of the successes only the first after a failure. */
function onJob(job: string, error: unknown): void {
  if (error === null) {
    if (failingJobs.delete(job)) void server.announce({ type: 'job', job, failure: null })
    return
  }
  failingJobs.add(job)
  const failure = toWireError(error).message
  void server.announce({ type: 'job', job, failure })
  endIfInvalidated(error instanceof Error ? error.message : failure)
}

/** DuckDB takes a database out of service after a failed write; a new start recovers from the log. */
function endIfInvalidated(cause: string): void {
  if (FATAL.test(cause)) process.exit(1)
}

let gapsNamed = ''

function onGaps(gaps: readonly Gap[]): void {
  void server.announce({ type: 'gaps', gaps })
  const open = gaps.filter(({ isOpen }) => isOpen).map(({ reason }) => reason)
  const named = open.slice(0, GAPS_NAMED).join('; ')
  if (named === gapsNamed) return
  gapsNamed = named
  const fields = { segments: open.length, detail: named }
  if (open.length > 0)
    void server.announce({ type: 'log', level: 'error', message: 'segments cannot be read: responses miss their rows', fields })
  else void server.announce({ type: 'log', level: 'info', message: 'all segments are readable again', fields })
}

/** New code may have been put in the place of the running service's: its store process would start with that. */
function requireSameVersion(parentFormat: number): void {
  if (parentFormat === LAYOUT.format) return
  const versions = `writes format ${LAYOUT.format} and the service ${parentFormat}`
  throw new GatewayError('conflict', `the store process ${versions}: the program was replaced, restart the service`)
}

try {
  requireSameVersion(format)
  engine = await StoreEngine.open({
    layout: LAYOUT,
    dataDir,
    limits,
    lockWaitMs,
    failPoint,
    nowMs: () => Date.now(),
    onTrouble,
    onJob,
    onGaps
  })
  server.serve(storeMethods(engine, LAYOUT, close))
  if (engine.detail !== '')
    await server.announce({ type: 'log', level: 'error', message: 'the data was repaired', fields: { detail: engine.detail } })
  await server.announce({ type: 'ready', detail: engine.detail })
} catch (error) {
  await server.announce({ type: 'failed', error: toWireError(error) })
  process.exit(1)
}
