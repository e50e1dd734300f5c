import { execFile } from 'node:child_process'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { withTemporaryFolder } from '../../bench/service/temporary-folder.js'
import type { Break } from './breaks.js'
import { BREAKS } from './breaks.js'

// npm run breaks [-- --only word]: breaks each promise in a copy of the last commit and tells whether the tests noticed.
// Ends with 1 when one did not, or when the tests fail without any break.
const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
const exec = promisify(execFile)

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

async function succeeds(folder: string, file: string, args: readonly string[]): Promise<boolean> {
  return exec(file, args, { cwd: folder, maxBuffer: MAX_OUTPUT_BYTES }).then(
    () => true,
    () => false
  )
}

/** Compiles without heeding types (a break may leave something unused) and runs the tests. */
async function passes(folder: string, tests: string): Promise<boolean> {
  await succeeds(folder, 'npx', ['tsc', '-p', 'tsconfig.build.json', '--noEmitOnError', 'false'])
  const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--selectProjects', 'embedded']
  return succeeds(folder, process.execPath, [...jest, '--testPathPatterns', tests])
}

async function isNoticed(folder: string, { file, find, replace, tests }: Break): Promise<boolean> {
  const target = path.join(folder, file)
  const sound = await readFile(target, 'utf8')
  if (sound.split(find).length !== 2) throw new Error(`${file}: the text to break does not stand there exactly once`)
  await writeFile(
    target,
    sound.replace(find, () => replace)
  )
  try {
    return !(await passes(folder, tests))
  } finally {
    await writeFile(target, sound)
  }
}

async function run(folder: string): Promise<boolean> {
  const chosen = BREAKS.filter(({ promise, file }) => `${promise} ${file}`.includes(values.only))
  for (const tests of new Set(chosen.map(each => each.tests))) {
    if (!(await passes(folder, tests))) throw new Error(`${tests}: fails without a break`)
  }
  let isGood = true
  for (const each of chosen) {
    const noticed = await isNoticed(folder, each)
    print(`${noticed ? 'noticed ' : 'UNNOTICED'}  ${each.promise} (${each.tests})`)
    isGood &&= noticed
  }
  return isGood
}

const isGood = await withTemporaryFolder('alidade-breaks', async folder => {
  const copy = path.join(folder, 'copy')
  await exec('git', ['worktree', 'add', '--detach', copy, 'HEAD'])
  try {
    await symlink(path.resolve('node_modules'), path.join(copy, 'node_modules'))
    return await run(copy)
  } finally {
    await exec('git', ['worktree', 'remove', '--force', copy])
  }
})
process.exitCode = isGood ? 0 : 1
