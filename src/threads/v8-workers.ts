import { existsSync, opendirSync } from 'node:fs'

/** Lists the threads of the process in the order of creation, which their ids give only until they wrap around. */
const TASKS = '/proc/self/task'
/** Node makes the threads of its platform before any other: one for delayed tasks, then these (`--v8-pool-size`). */
const FIRST = 2
const DEFAULT_COUNT = 4
const COUNT = /--v8[-_]pool[-_]size[= ](\d+)/g

function threadIds(tasks: string): readonly number[] {
  // A sandbox may be without `/proc`.
  if (!existsSync(tasks)) return []
  const folder = opendirSync(tasks)
  const ids: number[] = []
  for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) ids.push(Number(entry.name))
  folder.closeSync()
  return ids
}

/** The last flag counts. */
function count(nodeFlags: string): number {
  return Number([...nodeFlags.matchAll(COUNT)].at(-1)?.[1] ?? DEFAULT_COUNT)
}

/**
 * The ids of the threads on which V8 collects the garbage of all threads of this process and compiles; none where threads
 * have no ids in `/proc`. `nodeFlags` are those of this process. Only for as long as no thread has ended: at its start.
 */
export function v8Workers(nodeFlags: string, tasks = TASKS): readonly number[] {
  return process.platform === 'linux' ? threadIds(tasks).slice(FIRST, FIRST + count(nodeFlags)) : []
}
