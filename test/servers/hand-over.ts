import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Account } from './account.js'
import { runCommand } from './run-command.js'

/** Gives a folder and what it holds to the account. */
export async function handOver(folder: string, account: Account | undefined): Promise<void> {
  if (account) await runCommand('chown', ['-R', `${account.uid}:${account.gid}`, folder])
}

/**
 * A path where the account can read `folder`: the folder itself, or, when it is in a closed one such as root's home,
 * hard links (copies on another disk) inside `stage`.
 */
export async function readablePath(folder: string, probe: string, stage: string, account: Account | undefined): Promise<string> {
  if (!account || spawnSync('test', ['-r', join(folder, probe)], account).status === 0) return folder
  try {
    await runCommand('cp', ['-al', folder, stage])
  } catch {
    await runCommand('rm', ['-rf', stage])
    await runCommand('cp', ['-a', folder, stage])
  }
  return stage
}
