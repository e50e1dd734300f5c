import { describe, expect, it } from '@jest/globals'
import { staleBreaks } from '../rules/stale-breaks.js'

const SOUND = { promise: 'p', file: 'src/a.ts', find: 'limit', replace: 'no limit', tests: 'test/a\\.test' }
const SOURCES: Readonly<Record<string, string>> = { 'src/a.ts': 'one limit', 'src/twice.ts': 'limit, limit' }
const TESTS = ['test/a.test.ts']

describe('breaks that no longer fit the tree', () => {
  it.each([
    ['a sound one is not among them', {}, []],
    ['without their file', { file: 'src/gone.ts' }, ['src/gone.ts has the text to break 0 times instead of once']],
    ['without their text', { find: 'bound' }, ['src/a.ts has the text to break 0 times instead of once']],
    ['with their text twice', { file: 'src/twice.ts' }, ['src/twice.ts has the text to break 2 times instead of once']],
    ['that change nothing', { replace: 'limit' }, ['it changes nothing']],
    ['without a test', { tests: 'test/b\\.test' }, ['no test file matches test/b\\.test']]
  ])('%s', (_name, change, reasons) => {
    const stale = staleBreaks([{ ...SOUND, ...change }], file => SOURCES[file] ?? null, TESTS)
    expect(stale.map(({ reason }) => reason)).toEqual(reasons)
  })
})
