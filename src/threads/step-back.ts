import { getPriority, setPriority } from 'node:os'

/**
 * Behind the thread that answers HTTP and the store's process, which everybody waits for: a third of their share where the
 * cores are taken. With 10, a tenth, PromQL took twice as long beside ingest, and others gained nothing (docs/adr/0013).
 */
const NICENESS = 5
/** To Linux this is the calling thread; elsewhere it would be the whole process. */
const THIS_THREAD = 0

/**
 * Lets other threads go before one, by its id, where the cores are taken. One that is behind them already stays there: it may
 * not come back. Where the system refuses it (a service without `@resources` of systemd), all goes on as before.
 */
export function stepBack(thread = THIS_THREAD): void {
  if (process.platform !== 'linux') return
  try {
    if (getPriority(thread) < NICENESS) setPriority(thread, NICENESS)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error
  }
}
