import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Whether a process of this id runs that was started as an agent. */
async function isAgent(pid: number): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return pid !== process.pid && command.includes('main.js')
}

/**
 * Takes the state folder for this process. Throws when another agent has it: two would send the same lines. Returns how to
 * give it back.
 */
export async function lockState(stateDir: string): Promise<() => Promise<void>> {
  await mkdir(stateDir, { recursive: true, mode: 0o700 })
  const path = join(stateDir, 'lock')
  for (let attempt = 0; attempt < 2; attempt++) {
    const isTaken = await writeFile(path, String(process.pid), { flag: 'wx' }).then(
      () => false,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return true
        throw error
      }
    )
    if (!isTaken) return () => rm(path, { force: true })
    const owner = Number(await readFile(path, 'utf8').catch(() => ''))
    if (owner > 0 && (await isAgent(owner)))
      throw new Error(`another agent (process ${owner}) uses ${stateDir}; stop it, or set agent.state_dir`)
    await rm(path, { force: true })
  }
  throw new Error(`${path} cannot be taken`)
}
