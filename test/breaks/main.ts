import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { withTemporaryFolder } from '../../bench/service/temporary-folder.js'
import type { Break } from './break.js'
import { BREAKS } from './breaks.js'

// npm run breaks [-- --only word --part 1/3]: breaks each promise in a copy of the last commit and reports whether the tests
// noticed; parts can run at the same time.
// Ends with 1 when one did not, or when the tests fail without any break. Promises of managed stores are noticed where
// ALIDADE_TEST_SERVERS="es8 postgres influx" starts their servers.
const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, part: { type: 'string', default: '1/1' } } })
/** All of jest.config.mjs but `unit`, which needs no compiled service, and the second round of the whole-app suites. */
const COMPILED_PROJECTS = ['embedded', 'browser', 'crash', 'slow', 'servers']
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
/** A break may make a test endless. */
const MAX_RUN_MS = 15 * 60_000
/** How Jest names a file that does not compile or import: the break itself is wrong. */
const NOT_RUN = 'Test suite failed to run'
const JEST = 'node_modules/jest/bin/jest.js'
const exec = promisify(execFile)

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** What a command printed; null when it succeeded. */
async function failureOf(folder: string, file: string, args: readonly string[]): Promise<string | null> {
  return exec(file, args, { cwd: folder, maxBuffer: MAX_OUTPUT_BYTES, timeout: MAX_RUN_MS, killSignal: 'SIGKILL' }).then(
    () => null,
    (error: unknown) => (error as { stderr?: string }).stderr ?? String(error)
  )
}

/** Types are not checked (a break may leave something unused); files that did not change are not compiled again. */
const COMPILE = ['-p', 'tsconfig.build.json', '--noCheck', '--incremental', '--tsBuildInfoFile', 'dist/.breaks']

/** Runs the tests of some projects up to the first file of them that fails; names of the tests that fail. */
async function failedIn(folder: string, projects: readonly string[], tests: string): Promise<readonly string[]> {
  // In band: workers of Jest cannot report a failed comparison of bigints, so its test would have no name.
  const options = ['--runInBand', '--bail', '--passWithNoTests', '--selectProjects', ...projects]
  const failure = await failureOf(folder, process.execPath, [JEST, ...options, '--testPathPatterns', tests])
  if (failure === null) return []
  const names = [...failure.matchAll(/^ {2}● (.+)$/gm)].map(match => match[1]!)
  return names.length > 0 ? [...new Set(names)] : ['the run itself']
}

async function needsService(folder: string, tests: string): Promise<boolean> {
  const options = ['--listTests', '--selectProjects', ...COMPILED_PROJECTS, '--testPathPatterns', tests]
  const { stdout } = await exec(process.execPath, [JEST, ...options], { cwd: folder })
  return stdout.includes('.test.ts')
}

/** Names of the tests that fail, of the first file with any. The service is compiled where unit tests notice nothing. */
async function failedTests(folder: string, tests: string): Promise<readonly string[]> {
  const failed = await failedIn(folder, ['unit'], tests)
  if (failed.length > 0 || !(await needsService(folder, tests))) return failed
  await failureOf(folder, 'npx', ['tsc', ...COMPILE])
  await failureOf(folder, process.execPath, ['build/bundle.mjs'])
  return failedIn(folder, COMPILED_PROJECTS, tests)
}

async function noticedBy(folder: string, { file, find, replace, tests }: Break): Promise<readonly string[]> {
  const target = path.join(folder, file)
  const sound = await readFile(target, 'utf8')
  if (sound.split(find).length !== 2) throw new Error(`${file}: the text to break does not occur there exactly once`)
  await writeFile(
    target,
    sound.replace(find, () => replace)
  )
  try {
    return await failedTests(folder, tests)
  } finally {
    await writeFile(target, sound)
  }
}

/** Breaks the promises of `tests` one by one; false when one was not noticed, or when the tests fail without a break. */
async function breakEach(folder: string, tests: string, breaks: readonly Break[]): Promise<boolean> {
  const failing = await failedTests(folder, tests)
  if (failing.length > 0) {
    for (const { promise } of breaks) print(`${promise}: NOT TRIED: without a break fails "${failing.join('", "')}"`)
    return false
  }
  let isGood = true
  for (const each of breaks) {
    const [first, ...more] = await noticedBy(folder, each)
    const isNoticed = first !== undefined && first !== NOT_RUN
    print(
      `${each.promise}: ${isNoticed ? `noticed by "${first}" and ${more.length} more` : `NOT NOTICED${first ? `: ${first}` : ''}`}`
    )
    isGood &&= isNoticed
  }
  return isGood
}

function partOf(text: string): readonly [number, number] {
  const [, part, parts] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? []
  if (part === undefined || parts === undefined || part < 1 || part > parts) throw new Error(`--part ${text}: must be like 1/3`)
  return [part, parts]
}

async function run(folder: string): Promise<boolean> {
  const chosen = BREAKS.filter(({ promise, file }) => `${promise} ${file}`.includes(values.only))
  if (chosen.length === 0) throw new Error(`--only ${values.only}: no promise or file has it`)
  let isGood = true
  for (const [at, tests] of [...new Set(chosen.map(each => each.tests))].entries()) {
    if (at % parts !== part - 1) continue
    const ofTests = chosen.filter(each => each.tests === tests)
    isGood = (await breakEach(folder, tests, ofTests)) && isGood
  }
  return isGood
}

const [part, parts] = partOf(values.part)
const isGood = await withTemporaryFolder('alidade-breaks', async folder => {
  const copy = path.join(folder, 'copy')
  await exec('git', ['worktree', 'add', '--detach', copy, 'HEAD'])
  try {
    await symlink(path.resolve('node_modules'), path.join(copy, 'node_modules'))
    // Public test suites are in a folder next to the repository, if present (test/support/suite-path.ts).
    const suites = path.resolve('../shared')
    if (existsSync(suites)) await symlink(suites, path.join(folder, 'shared'))
    return await run(copy)
  } finally {
    await exec('git', ['worktree', 'remove', '--force', copy])
  }
})
process.exitCode = isGood ? 0 : 1
