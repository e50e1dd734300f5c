import { spawn } from 'node:child_process'
import type { Account } from './account.js'

const TAIL_CHARS = 4_000

export interface CommandOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly account?: Account | undefined
  readonly input?: string
}

/** Runs a command to its end and gives its standard output; a failure carries the last lines that it wrote. */
export function runCommand(file: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      ...options.account,
      env: { ...process.env, ...options.env },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd })
    })
    let stdout = ''
    let tail = ''
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (tail = (tail + chunk.toString()).slice(-TAIL_CHARS)))
    }
    child.on('error', reject)
    child.on('close', code => {
      if (code === 0) resolve(stdout)
      else reject(new Error(`${file} ${args.join(' ')} ended with ${code}:\n${tail}`))
    })
    child.stdin.end(options.input)
  })
}
