import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the first start of a service leaves in `first-run.txt` of its data folder. */
export interface FirstRun {
  readonly email: string
  readonly password: string
  readonly namespace: string
  readonly apiKey: string
}

const LABELS: Readonly<Record<keyof FirstRun, RegExp>> = {
  email: /^\W*operator\W+(\S+@\S+)/im,
  password: /^\W*password\W+(\S+)/im,
  namespace: /^\W*namespace\W+([a-z0-9-]+)/im,
  apiKey: /^\W*ingest key\W+(\S+)/im
}

/** Reads the credentials; throws a sentence that names what the file lacks. */
export function parseFirstRun(text: string): FirstRun {
  const read = (name: keyof FirstRun): string => {
    const value = LABELS[name].exec(text)?.[1]
    if (value === undefined) throw new Error(`first-run.txt names no ${name}`)
    return value
  }
  return { email: read('email'), password: read('password'), namespace: read('namespace'), apiKey: read('apiKey') }
}

/** The credentials of the service whose data folder this is. */
export function readFirstRun(dataDir: string): FirstRun {
  return parseFirstRun(readFileSync(join(dataDir, 'first-run.txt'), 'utf8'))
}
