import { execFileSync } from 'node:child_process'

/** Ids for child processes of servers that refuse to run as root. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** The account `nobody` when this process is root, else undefined: the process's own account will do. */
export function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
