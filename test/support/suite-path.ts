import { fileURLToPath } from 'node:url'

const SUITES = new URL('../../../shared/suites/', import.meta.url)

/** Where public data sets, captured requests and scripts are next to the repository, which must not contain them: `otlp/captures/`. */
export function suitePath(folder: string): string {
  return fileURLToPath(new URL(folder, SUITES))
}
