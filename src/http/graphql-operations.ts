import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Operations that clients may name instead of sending: SHA-256 of the text, in hex, to the text. */
export type PersistedOperations = ReadonlyMap<string, string>

const FOLDER = join('schema', 'operations')

/** The committed folder, found upwards from here: this file runs from src/ and from dist/src/. */
function committedFolder(): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at)) {
    const folder = join(at, FOLDER)
    if (existsSync(folder)) return folder
    if (at === dirname(at)) throw new Error(`${FOLDER} is missing`)
  }
}

/** Reads the operations of the console. A file is one operation; its id is the SHA-256 of its exact text. */
export function loadOperations(folder: string = committedFolder()): PersistedOperations {
  const files = readdirSync(folder).filter(name => name.endsWith('.graphql'))
  const strings = files.map(name => readFileSync(join(folder, name), 'utf8'))
  return new Map(strings.map(text => [createHash('sha256').update(text).digest('hex'), text]))
}
