import { existsSync, readFileSync } from 'node:fs'

const NAME = 'alidade'

/** The nearest package.json above this file is ours: the compiled file is one folder deeper than its source. */
function readVersion(): string {
  for (const place of ['../../package.json', '../../../package.json']) {
    const file = new URL(place, import.meta.url)
    if (!existsSync(file)) continue
    const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly name: string; readonly version: string }
    if (name === NAME) return version
  }
  throw new Error('package.json is missing next to the program')
}

/** Version of the product, as its package says. */
export const VERSION = readVersion()
