import { opendirSync } from 'node:fs'

/** Lists the threads of the process in the order of their making, which ids tell only until they begin anew. */
const TASKS = '/proc/self/task'
/** Node makes the threads of its platform before any other: one for delayed tasks, then these (`--v8-pool-size`). */
const FIRST = 2
const DEFAULT_COUNT = 4
const COUNT_FLAG = '--v8-pool-size='

function threadIds(): readonly number[] {
  const folder = opendirSync(TASKS)
  const ids: number[] = []
  for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) ids.push(Number(entry.name))
  folder.closeSync()
  return ids
}

/**
 * The ids of the threads on which V8 collects the garbage of all threads of this process and compiles; none where threads
 * have no ids in `/proc`. Only for as long as no thread has ended: at the start of the process.
 */
export function v8Workers(): readonly number[] {
  if (process.platform !== 'linux') return []
  const flag = process.execArgv.findLast(arg => arg.startsWith(COUNT_FLAG))
  const count = flag === undefined ? DEFAULT_COUNT : Number(flag.slice(COUNT_FLAG.length))
  return threadIds().slice(FIRST, FIRST + count)
}
