import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const JEST = createRequire(import.meta.url).resolve('jest/bin/jest')
const CONFIG = {
  rootDir: ROOT,
  runtime: '<rootDir>/test/runner/runtime.cjs',
  testEnvironment: '<rootDir>/test/runner/environment.mjs',
  transform: {},
  testRegex: ['/test/fixtures/runner/.*\\.fixture\\.ts$']
}

interface Outcome {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/** Runs Jest and returns what it wrote to its standard output. */
async function runJest(config: object, options: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const jest = spawn(process.execPath, [JEST, '--config', JSON.stringify(config), '--ci', ...options], {
    ...{ cwd: ROOT, env },
    stdio: ['ignore', 'pipe', 'ignore']
  })
  const [output] = await Promise.all([text(jest.stdout), once(jest, 'exit')])
  return output
}

async function runFixtures(): Promise<Outcome> {
  return JSON.parse(await runJest(CONFIG, ['--runInBand', '--json'])) as Outcome
}

it('runs the files of a process on the same modules of the service, and each as if it were alone', async () => {
  const { testResults } = await runFixtures()
  expect(testResults).toHaveLength(2)
  const source = await readFile(`${ROOT}/test/fixtures/runner/one-of-two.ts`, 'utf8')
  const line = source.split('\n').findIndex(each => each.includes('throw new Error')) + 1
  for (const { assertionResults } of testResults) {
    expect(assertionResults.map(({ title, status }) => [title, status])).toEqual([
      ['shares the modules of the service and has modules of tests of its own', 'passed'],
      ['finds the process as it was and leaves it changed', 'passed'],
      ['has the errors of Node', 'passed'],
      ['fails where the source is wrong', 'failed'],
      ['passes because it fails', 'passed'],
      ['is skipped', 'pending']
    ])
    const [failure] = assertionResults.find(({ status }) => status === 'failed')!.failureMessages
    expect(failure).toContain(`test/fixtures/runner/one-of-two.ts:${line}:11`)
  }
})

it('ends a run that hangs and names the file that keeps its process busy', async () => {
  const reporters = ['<rootDir>/test/support/hang-reporter.mjs']
  const testRegex = ['/test/fixtures/endless/.*\\.fixture\\.ts$']
  const config = { ...CONFIG, testRegex, reporters, workerIdleMemoryLimit: '1500MB' }
  const output = await runJest(config, ['--maxWorkers=1'], { ...process.env, TEST_HANG_MS: '3000' })
  expect(output).toContain('No test file has begun or ended for 3 s. Running:')
  expect(output).toContain('/test/fixtures/endless/endless.fixture.ts')
})
