import type { ControlChange, ControlChanges } from '../ports/control-changes.js'
import type { BackgroundJobs } from '../ports/background-jobs.js'
import type { Directory } from './directory.js'
import type { KeyVerifier } from './key-verifier.js'
import type { Roles } from './roles.js'
import type { SessionSigner } from './session-signer.js'
import type { Sessions } from './sessions.js'

/** How often all is reread while news are missing. */
const CATCH_UP_EVERY_MS = 500
/** Name among the background jobs. */
const JOB = 'control_following'

/** Dependencies of `followChanges`. */
export interface FollowingDeps {
  readonly directory: Directory
  readonly roles: Roles
  readonly keys: KeyVerifier
  readonly sessions: Sessions
  readonly signer: SessionSigner
  readonly jobs: BackgroundJobs
  /** Called after each change, once all caches have followed it. */
  readonly onChange?: (change: ControlChange) => void
}

/** A running subscription to changes of other gateways. */
export interface Following {
  /** Resolves when nothing is being read any more. */
  stop(): Promise<void>
}

/** Forgets at once what the change makes untrue. */
function forget(change: ControlChange, { roles, keys, sessions }: FollowingDeps): void {
  if (change.kind === 'member') roles.changed(change.namespaceId, change.userId)
  if (change.kind === 'user') roles.userChanged(change.userId)
  if (change.kind === 'key') keys.forget(change.hashes)
  if (change.kind === 'session') sessions.forget(change.familyId)
  if (change.kind !== 'anything') return
  roles.forgetAll()
  keys.forgetAll()
  sessions.forgetAll()
}

/** Reads what is always held in memory. */
async function read(change: ControlChange, { directory, signer }: FollowingDeps): Promise<void> {
  if (change.kind === 'namespace') await directory.refresh(change.namespaceId)
  if (change.kind === 'signing_keys') await signer.reload()
  if (change.kind === 'anything') await Promise.all([directory.load(), signer.reload()])
}

/**
 * Keeps what this instance remembers true to what the others write. What could not be read when it changed is reread
 * every half second, and so is everything while no news arrive.
 */
export function followChanges(changes: ControlChanges | null, deps: FollowingDeps): Following {
  if (changes === null) return { stop: () => Promise.resolve() }
  let isBehind = false
  let isStopped = false
  let reading: Promise<void> = Promise.resolve()
  const fellBehind = (error: unknown): void => {
    if (!isStopped) deps.jobs.monitor(JOB).failed(error)
    isBehind = true
  }
  const follow = async (change: ControlChange): Promise<void> => {
    await read(change, deps)
    deps.onChange?.(change)
  }
  changes.subscribe(change => {
    if (isStopped) return
    forget(change, deps)
    reading = reading.then(() => follow(change)).catch(fellBehind)
  })
  const catchUp = async (): Promise<void> => {
    if (!isBehind && changes.isCurrent()) return
    // Until it is read.
    isBehind = true
    await read({ kind: 'anything' }, deps)
    isBehind = false
  }
  const rounds = deps.jobs.repeat(JOB, CATCH_UP_EVERY_MS, catchUp)
  return {
    stop: async () => {
      isStopped = true
      await rounds.stop()
      await reading
    }
  }
}
