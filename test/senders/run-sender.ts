import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Runs a sender to its end and returns what it wrote; throws with its complaints when it failed. */
export async function runSender(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {}
): Promise<string> {
  const child = spawn(command, args, { ...options, env: { ...process.env, ...options.env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', chunk => (stdout += String(chunk)))
  child.stderr.on('data', chunk => (stderr += String(chunk)))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (code !== 0 && signal !== 'SIGTERM') throw new Error(`${command} ended with ${code ?? signal}: ${stderr.slice(-2_000)}`)
  return stdout
}
