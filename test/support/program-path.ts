import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Path of a program: the value of its variable (`VICTORIA_LOGS` for `victoria-logs`), else where PATH finds it. */
export function programPath(name: string, environment = process.env): string | undefined {
  const named = environment[name.toUpperCase().replaceAll('-', '_')]
  if (named !== undefined) return named
  const folders = (environment['PATH'] ?? '').split(delimiter)
  return folders.map(folder => join(folder, name)).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
