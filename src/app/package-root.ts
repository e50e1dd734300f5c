import { existsSync, readFileSync } from 'node:fs'

const NAME = 'alidade'

/** The package of the running program: its folder and its version. */
export interface ProgramPackage {
  /** Ends with a slash. */
  readonly root: URL
  readonly version: string
}

/** Finds the package of the program. The compiled file is one folder deeper than its source. */
export function findPackage(): ProgramPackage {
  for (const place of ['../../', '../../../']) {
    const root = new URL(place, import.meta.url)
    const file = new URL('package.json', root)
    if (!existsSync(file)) continue
    const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly name: string; readonly version: string }
    if (name === NAME) return { root, version }
  }
  throw new Error('package.json not found')
}

/** Version of the product, from its package. */
export const VERSION = findPackage().version
