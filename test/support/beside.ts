import { existsSync, readdirSync } from 'node:fs'
import { describe } from '@jest/globals'
import { pathBeside } from './path-beside.js'

/** Names of what lies in such a folder; none where it is not there. */
export function namesBeside(folder: string): readonly string[] {
  const path = pathBeside(folder)
  return existsSync(path) ? readdirSync(path) : []
}

/** Cases that need such a folder. Without it they are registered all the same and skipped, so that the run's last line counts them. */
export function describeBeside(folder: string, title: string, cases: () => void): void {
  if (existsSync(pathBeside(folder))) describe(title, cases)
  else describe.skip(`${title} (${folder} is not beside the repository)`, cases)
}
