import { expect, it } from '@jest/globals'
import { lineCount } from '../rules/long-files.js'

it.each([
  ['', 1],
  ['a', 1],
  ['a\n', 1],
  ['a\nb\n', 2],
  ['a\nb\n\n', 3]
])('%j has %i lines', (source, lines) => {
  expect(lineCount(source)).toBe(lines)
})
