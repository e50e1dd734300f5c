import { getPriority, setPriority } from 'node:os'

/**
 * Below the thread that serves HTTP and the process of the store, which every caller waits for: a third of their share where all
 * cores are busy. With 10, a tenth, PromQL took twice as long during ingest, and nothing else gained (docs/adr/0013).
 */
const NICENESS = 5
/** To Linux this is the calling thread; elsewhere it would be the whole process. */
const THIS_THREAD = 0

/**
 * Lowers the priority of a thread, by its id, and never raises it: the system may not allow the way back. Where the system
 * refuses (a service without `@resources` of systemd), the priority stays as it was.
 */
export function lowerThreadPriority(thread = THIS_THREAD): void {
  if (process.platform !== 'linux') return
  try {
    if (getPriority(thread) < NICENESS) setPriority(thread, NICENESS)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error
  }
}
