import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Config } from '../config/config.js'
import type { ConsoleSite } from '../http/console/console-site.js'
import { basePathOf, readConsole, UnusableConsole } from '../http/console/console-site.js'
import { findPackage } from './package-root.js'

const FOLDER = 'console/dist'

/**
 * Reads the built console, from `console/dist` of the package unless another folder is given. Null when it is off, not
 * installed or unusable: ingest must not fail to start because of a page.
 */
export async function openConsole(
  { console: isOn, publicUrl }: Pick<Config, 'console' | 'publicUrl'>,
  given: string | undefined,
  logger: Pick<Logger, 'warn'>
): Promise<ConsoleSite | null> {
  if (!isOn) return null
  const folder = given ?? fileURLToPath(new URL(FOLDER, findPackage().root))
  try {
    return await readConsole(folder, basePathOf(publicUrl))
  } catch (error) {
    if (!(error instanceof UnusableConsole)) throw error
    logger.warn({ folder, reason: error.message }, 'console is not served')
    return null
  }
}
