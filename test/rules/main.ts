import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BREAKS } from '../breaks/breaks.js'
import { lineCount, MAX_LINES } from './long-files.js'
import { staleBreaks } from './stale-breaks.js'
import { privateWords } from './words.js'
import { swallowedFailures } from './swallowed-failures.js'

// Part of `npm run lint`: no failure is dropped without a stated reason, words mean what the field means by them, no file
// is too long, and the promises of `npm run breaks` can still be broken.
const FOLDERS = ['src', 'resolvers', 'schema', 'agent/src']
const ALL_FOLDERS = [...FOLDERS, 'test', 'bench', 'console/src']
/** The rules spell the words out. */
const RULES_FOLDER = 'test/rules/'
const GENERATED = /\bgenerated\b/
const DOCUMENTS = ['docs', '.']
/** Names of released interfaces, of an account of the operating system and of a captured record. */
const NAMES_FROM_ELSEWHERE = /bulks_under_way|begin-anew|['`]nobody['`]|'slow answer'/

function sources(folders: readonly string[]): readonly string[] {
  return folders
    .flatMap(folder => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)))
    .filter(path => /\.tsx?$/.test(path))
    .toSorted()
}

/** Pages of docs/ and of the root. The changelog is not checked: it quotes what releases were like. */
function documents(): readonly string[] {
  return DOCUMENTS.flatMap(folder =>
    readdirSync(folder, { recursive: folder !== '.', encoding: 'utf8' }).map(name => join(folder, name))
  )
    .filter(path => path.endsWith('.md') && path !== 'CHANGELOG.md')
    .toSorted()
}

function report(title: string, found: readonly string[]): void {
  if (found.length === 0) return
  process.stderr.write(`${title}:\n${found.join('\n')}\n`)
  process.exitCode = 1
}

const read = (path: string): { path: string; source: string } => ({ path, source: readFileSync(path, 'utf8') })
const files = sources(FOLDERS).map(read)
report(
  'failures are dropped here without a reason; handle, log or explain them in a comment',
  files.flatMap(({ path, source }) => swallowedFailures(source).map(({ line, text }) => `${path}:${line}: ${text}`))
)
report(
  'words that the field does not use',
  [...sources(ALL_FOLDERS).filter(path => !path.startsWith(RULES_FOLDER)), ...documents()].map(read).flatMap(({ path, source }) =>
    privateWords(source)
      .filter(({ text }) => !NAMES_FROM_ELSEWHERE.test(text))
      .map(({ line, text, instead }) => `${path}:${line}: ${text} (write: ${instead})`)
  )
)
report(
  `files of more than ${MAX_LINES} lines; give each concept a file`,
  sources(ALL_FOLDERS)
    .filter(path => !GENERATED.test(path))
    .map(read)
    .filter(({ source }) => lineCount(source) > MAX_LINES)
    .map(({ path, source }) => `${path}: ${lineCount(source)}`)
)
report(
  'promises that can no longer be broken; change the break with the code',
  staleBreaks(
    BREAKS,
    file => (existsSync(file) ? readFileSync(file, 'utf8') : null),
    sources(['test']).filter(path => path.endsWith('.test.ts'))
  ).map(({ promise, reason }) => `${promise}: ${reason}`)
)
