import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect } from '@jest/globals'

/** JSON with sorted keys, so that only what changed differs. */
function canonical(value: unknown): string {
  const sorted = (_key: string, each: unknown): unknown =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each
  return `${JSON.stringify(value, sorted, 2)}\n`
}

/** Compares with a file that was looked at when it was made; UPDATE_GOLDEN=1 writes it again. */
export function expectGolden(file: URL, value: unknown): void {
  const text = canonical(value)
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(file.pathname), { recursive: true })
    writeFileSync(file, text)
  }
  // The formatter may have been there: what counts is the value.
  expect(JSON.parse(text)).toEqual(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null)
}
