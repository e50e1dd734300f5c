import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import compiled from './compiled.cjs'

const ROOT = new URL('../../', import.meta.url).href
const TESTS = new URL('../', import.meta.url).href
const INSTALLED = new URL('../../node_modules/', import.meta.url).href
const GLOBALS = 'jest-globals:'
const GLOBAL_NAMES = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'jest', 'test']

/** Whether the module is a source of this repository. */
function isOurs(url) {
  return url?.startsWith(ROOT) === true && !url.startsWith(INSTALLED)
}

/** The source that `./name.js` in a TypeScript file means; null if it is a JavaScript file. */
function sourceOf(specifier, parent) {
  const url = new URL(specifier, parent)
  url.pathname = url.pathname.replace(/\.js$/, '.ts')
  return url.pathname.endsWith('.ts') && existsSync(url) ? url : null
}

/**
 * Modules of tests belong to one run of one test file, whose number is the query of their URL: each run evaluates them
 * again. Everything else is evaluated once for all test files of a process.
 */
export function resolve(specifier, context, next) {
  const parent = context.parentURL
  if (specifier === '@jest/globals' && isOurs(parent)) {
    return { url: `${GLOBALS}${new URL(parent).search}`, format: 'module', shortCircuit: true }
  }
  if (!isOurs(parent) || !/^\.{1,2}\//.test(specifier)) return next(specifier, context)
  const source = sourceOf(specifier, parent)
  if (source === null) return next(specifier, context)
  source.search = source.href.startsWith(TESTS) ? new URL(parent).search : ''
  return { url: source.href, format: 'module', shortCircuit: true }
}

export function load(url, context, next) {
  if (url.startsWith(GLOBALS)) {
    const run = new URL(url).searchParams.get('run')
    const source = `export const { ${GLOBAL_NAMES.join(', ')} } = globalThis[Symbol.for('test globals')].get('${run}')`
    return { format: 'module', source, shortCircuit: true }
  }
  if (!isOurs(url) || !new URL(url).pathname.endsWith('.ts')) return next(url, context)
  return { format: 'module', source: compiled.compile(fileURLToPath(url)), shortCircuit: true }
}
