import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { describe } from '@jest/globals'
import { programPath } from './program-path.js'

const run = promisify(execFile)

/**
 * Cases that need something of the machine. Without it they are registered and skipped; with REQUIRE_PROGRAMS=1 it throws.
 * @param name what has to be there.
 */
export function describeWhere(isThere: boolean, name: string, title: string, cases: () => void): void {
  if (isThere) {
    describe(title, cases)
    return
  }
  if (process.env['REQUIRE_PROGRAMS'] === '1') throw new Error(`${name} is required and is not there`)
  describe.skip(`${title} (${name} is not there)`, cases)
}

/** Cases that need a program of another project, e.g. of a package of Debian: as `describeWhere`. */
export function describeWithProgram(name: string, title: string, cases: (path: string) => void): void {
  const path = programPath(name)
  describeWhere(path !== undefined, name, title, () => cases(path ?? 'absent'))
}

/** What a program writes to its standard output. Rejects when it fails. */
export async function outputOf(path: string, args: readonly string[]): Promise<string> {
  return (await run(path, [...args], { encoding: 'utf8' })).stdout
}

/** A program that runs until it is stopped. */
export interface RunningProgram {
  /** Rejects with the end of what it wrote when it ends by itself. */
  readonly failed: Promise<never>
  /** The first match in what it has written and writes from now on. Rejects when it ends by itself. */
  wrote(pattern: RegExp): Promise<RegExpExecArray>
  stop(): Promise<void>
}

const KEPT_CHARS = 4_000

/** Starts a program that is to run on. */
export function startProgram(path: string, args: readonly string[]): RunningProgram {
  const child: ChildProcess = spawn(path, [...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let written = ''
  let isStopping = false
  const looks = new Set<() => void>()
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      written = (written + text).slice(-KEPT_CHARS)
      for (const look of looks) look()
    })
  }
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('close', () => {
      if (!isStopping) reject(new Error(`${path} ended by itself: ${written}`))
    })
  })
  failed.catch(() => undefined)
  const found = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise(resolve => {
      const look = (): void => {
        const match = pattern.exec(written)
        if (match === null) return
        looks.delete(look)
        resolve(match)
      }
      looks.add(look)
      look()
    })
  return {
    failed,
    wrote: pattern => Promise.race([found(pattern), failed]),
    stop: () => {
      isStopping = true
      child.kill('SIGKILL')
      return ended
    }
  }
}
