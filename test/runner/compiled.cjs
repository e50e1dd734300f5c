'use strict'
const { createHash } = require('node:crypto')
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const path = require('node:path')

/** As tsconfig.json compiles: classes with decorators as TypeScript writes them, everything else as it is. */
const OPTIONS = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    target: 'es2022',
    transform: { legacyDecorator: true, decoratorMetadata: false, useDefineForClassFields: false }
  },
  module: { type: 'es6' },
  sourceMaps: true,
  inlineSourcesContent: false
}

/** Goes with the packages: `npm ci` empties it. */
const FOLDER = path.join(__dirname, '../../node_modules/.cache/test-modules')

/** The path of a compiled file in the cache, without its ending: the content of the source and what compiles it name it. */
function cached(file, source) {
  const { version } = require('@swc/core/package.json')
  const hash = createHash('sha1')
    .update(`${version}\0${JSON.stringify(OPTIONS)}\0${file}\0`)
    .update(source)
  return path.join(FOLDER, hash.digest('hex'))
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}

/** Two processes that compile the same file at once must not read half of it. */
function writeWhole(file, content) {
  const part = `${file}.${process.pid}`
  writeFileSync(part, content)
  renameSync(part, file)
}

/** Compiles a TypeScript file to an ES module, or takes it from the cache. */
function compile(file) {
  const source = readFileSync(file, 'utf8')
  const place = cached(file, source)
  const known = read(`${place}.js`)
  if (known !== null) return known
  const { code, map } = require('@swc/core').transformSync(source, { ...OPTIONS, filename: file })
  mkdirSync(FOLDER, { recursive: true })
  writeWhole(`${place}.map`, map)
  writeWhole(`${place}.js`, code)
  return code
}

/** The path of the source map of a file that `compile` compiled. */
function sourceMapOf(file) {
  return `${cached(file, readFileSync(file, 'utf8'))}.map`
}

module.exports = { compile, sourceMapOf }
