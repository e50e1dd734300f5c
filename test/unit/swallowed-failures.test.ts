import { describe, expect, it } from '@jest/globals'
import { swallowedFailures } from '../rules/swallowed-failures.js'

describe('the rule against swallowed failures', () => {
  it.each([
    ['await save().catch(() => undefined)'],
    ['await read().catch(() => [])'],
    ["socket.on('error', () => undefined)"],
    ['const there = await stat(file).then(() => true, () => false)'],
    ['await done.then(\n  stored => stored,\n  () => null\n)'],
    ['try {\n  save()\n} catch {\n}'],
    ['try {\n  save()\n} catch {\n  return null\n}']
  ])('finds %j', source => {
    expect(swallowedFailures(`\n${source}\n`)).toHaveLength(1)
  })

  it.each([
    ['// A lost connection cannot be closed.\nawait end().catch(() => undefined)'],
    ['await save().catch((error: unknown) => job.failed(error))'],
    ['await save().catch(report)'],
    ['try {\n  save()\n} catch {\n  // It was there already.\n}'],
    ["try {\n  parse()\n} catch {\n  throw new GatewayError('invalid_json', 'not JSON')\n}"],
    ['try {\n  save()\n} catch (error) {\n  job.failed(error)\n}'],
    ['await done.then(() => release())']
  ])('lets %j pass', source => {
    expect(swallowedFailures(`\n${source}\n`)).toEqual([])
  })
})
