import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Row } from '../report.js'
import { withTemporaryFolder } from '../service/temporary-folder.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const JEST = ['--max-old-space-size=4096', 'node_modules/jest/bin/jest.js', '--ci']
/** The browser reports no interaction that is faster. */
const LEAST_MS = 16
const GOAL_MS = 100
const SHARE = 0.98

interface Reported {
  /** Identifies an interaction; null counts one that has begun. */
  readonly id: string | null
  readonly durationMs: number
}

/** Time from each key press and click to the next paint, in milliseconds, shortest first. */
export function paintDelays(lines: readonly string[]): readonly number[] {
  const reported = lines.filter(Boolean).map(line => JSON.parse(line) as Reported)
  const begun = reported.filter(({ id }) => id === null).length
  const slow = new Map<string, number>()
  for (const { id, durationMs } of reported) if (id !== null) slow.set(id, Math.max(durationMs, slow.get(id) ?? 0))
  const fast = Array.from({ length: Math.max(0, begun - slow.size) }, () => LEAST_MS)
  return [...fast, ...slow.values()].toSorted((a, b) => a - b)
}

/** Runs the stranger's story with a mouse and with a keyboard, and measures every press and click in it. */
export async function storyRows(): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const input of ['mouse', 'keyboard']) {
    const delays = await delaysOf(input)
    const p98 = delays[Math.ceil(delays.length * SHARE) - 1] ?? Number.NaN
    rows.push({
      what: `story with the ${input}, ${delays.length} presses: p98 to the next paint, ms`,
      median: p98,
      goal: GOAL_MS
    })
    rows.push({ what: `story with the ${input}: slowest, ms`, median: delays.at(-1) ?? Number.NaN, goal: null })
  }
  return rows
}

function delaysOf(input: string): Promise<readonly number[]> {
  return withTemporaryFolder('alidade-story', async folder => {
    const file = join(folder, 'interactions.jsonl')
    const story = ['--selectProjects', 'browser', '--runTestsByPath', `test/console/stories/stranger-${input}.test.ts`]
    const env = { ...process.env, ALIDADE_TEST_INTERACTIONS: file, REQUIRE_PROGRAMS: '1' }
    await promisify(execFile)(process.execPath, [...JEST, ...story], { cwd: ROOT, env })
    return paintDelays((await readFile(file, 'utf8')).split('\n'))
  })
}
