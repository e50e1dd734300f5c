import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { privateWords } from './words.js'
import { swallowedFailures } from './swallowed-failures.js'

// Part of `npm run lint`: no failure is dropped without a stated reason, and words mean what the field means by them.
const FOLDERS = ['src', 'resolvers', 'schema']
/** The settings and the command line name them, and so do released interfaces. */
const RELEASED_NAMES = /bulks_under_way|begin-anew/

function sources(): readonly string[] {
  return FOLDERS.flatMap(folder => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)))
    .filter(path => path.endsWith('.ts'))
    .toSorted()
}

function report(title: string, found: readonly string[]): void {
  if (found.length === 0) return
  process.stderr.write(`${title}:\n${found.join('\n')}\n`)
  process.exitCode = 1
}

const files = sources().map(path => ({ path, source: readFileSync(path, 'utf8') }))
report(
  'failures are dropped here without a reason; handle, log or explain them in a comment',
  files.flatMap(({ path, source }) => swallowedFailures(source).map(({ line, text }) => `${path}:${line}: ${text}`))
)
report(
  'words that the field does not use',
  files.flatMap(({ path, source }) =>
    privateWords(source)
      .filter(({ text }) => !RELEASED_NAMES.test(text))
      .map(({ line, text, instead }) => `${path}:${line}: ${text} (write: ${instead})`)
  )
)
