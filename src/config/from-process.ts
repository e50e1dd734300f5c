import { readFileSync } from 'node:fs'
import type { Config } from './config.js'
import { ConfigError, loadConfig } from './config.js'

const EXIT_USAGE = 2

/** The settings of this process; it ends with all problems on stderr when they are not valid. */
export function configFromProcess(argv: readonly string[]): Config {
  try {
    return loadConfig(argv, process.env, path => readFileSync(path, 'utf8'))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    return process.exit(EXIT_USAGE)
  }
}
