import { expect, it } from '@jest/globals'
import { processRightsFault } from '../../agent/src/host/process-rights.js'

const statusWith = (effective: string) => () =>
  `Name:\tnode\nCapInh:\t0000000000000000\nCapEff:\t${effective}\nCapBnd:\t000001ffffffffff\n`

it.each([
  ['000001ffffffffff', null],
  ['0000000000080004', null],
  ['0000000000080000', 'CAP_DAC_READ_SEARCH'],
  ['0000000000000004', 'CAP_SYS_PTRACE'],
  ['0000000000000000', 'CAP_DAC_READ_SEARCH and CAP_SYS_PTRACE']
])('an agent with the capabilities %s lacks %j', (effective, missing) => {
  const fault =
    missing === null ? null : `listeners and open files of other users have no process: run the agent as root, or with ${missing}`
  expect(processRightsFault(statusWith(effective))).toBe(fault)
})

it('is not known where the kernel does not state capabilities', () => {
  expect(processRightsFault(() => '')).toBeNull()
})
