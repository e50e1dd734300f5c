import { existsSync, readdirSync } from 'node:fs'
import { describe } from '@jest/globals'
import { suitePath } from './suite-path.js'

/** Names of what is in such a folder; none where it is not there. */
export function suiteNames(folder: string): readonly string[] {
  const path = suitePath(folder)
  return existsSync(path) ? readdirSync(path) : []
}

/** Cases that need such a folder. Without it they are registered all the same and skipped, so that the run's last line counts them. */
export function describeWithSuite(folder: string, title: string, cases: () => void): void {
  if (existsSync(suitePath(folder))) describe(title, cases)
  else describe.skip(`${title} (${folder} is not next to the repository)`, cases)
}
