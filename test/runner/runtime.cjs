'use strict'
const { register } = require('node:module')
const { fileURLToPath, pathToFileURL } = require('node:url')
const { default: Runtime } = require('jest-runtime')
const { sourceMapOf } = require('./compiled.cjs')

register('./hooks.mjs', pathToFileURL(__filename))

/** What `@jest/globals` exports, by the number of the run of a test file; hooks.mjs reads it. */
const globals = (globalThis[Symbol.for('test globals')] = new Map())
let runs = 0

/** Finds the source map of any file that the hooks compiled. */
class SourceMaps extends Map {
  get(url) {
    return url.startsWith('file:') && new URL(url).pathname.endsWith('.ts') ? sourceMapOf(fileURLToPath(url)) : undefined
  }
}

/**
 * Runs a test file with the modules of Node instead of Jest's own in a context of their own, so that a process evaluates
 * the service once and not once for every test file (docs/adr/0052).
 */
module.exports = class SharedRuntime extends Runtime {
  #run = String(++runs)

  /** The real process keeps its own. */
  installGetBuiltinModule() {}

  /** Jest's framework, which keeps the tests of one file in its own variables and among the event handlers. */
  requireInternalModule(path) {
    delete require.cache[path]
    delete globalThis[Symbol.for('EVENT_HANDLERS')]
    return require(path)
  }

  /** Test files are modules, whichever flags Node has. */
  unstable_shouldLoadAsEsm() {
    return true
  }

  async unstable_importModule(path) {
    globals.set(this.#run, this.jestGlobals.cjsGlobals(path))
    await import(`${pathToFileURL(path).href}?run=${this.#run}`)
  }

  getSourceMaps() {
    return new SourceMaps()
  }

  teardown() {
    globals.delete(this.#run)
    super.teardown()
  }
}
