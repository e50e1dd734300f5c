import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { ARCHIVE, type Recording, RESPONSES } from './recording.js'

const run = promisify(execFile)

/** Where a folder of each released format is kept, with its responses when it was written. */
export const FORMATS_FOLDER = fileURLToPath(new URL('../fixtures/formats', import.meta.url))

/** Keeps a data folder and its responses under a name. */
export async function packFolder(name: string, dataDir: string, recording: Recording): Promise<void> {
  const target = join(FORMATS_FOLDER, name)
  await mkdir(target, { recursive: true })
  await run('tar', ['--owner=0', '--group=0', '--numeric-owner', '-C', dataDir, '-czf', join(target, ARCHIVE), '.'])
  await writeFile(join(target, RESPONSES), gzipSync(JSON.stringify(recording)))
}

/** Unpacks the data folder of a recorded format into an empty folder. */
export async function unpackFolder(name: string, into: string): Promise<Recording> {
  await run('tar', ['-C', into, '-xzf', join(FORMATS_FOLDER, name, ARCHIVE)])
  const responses = gunzipSync(await readFile(join(FORMATS_FOLDER, name, RESPONSES)))
  return JSON.parse(responses.toString()) as Recording
}
