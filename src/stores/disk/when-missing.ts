const MISSING: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR'])

/** Makes `value` of the failure that a file or folder does not exist; throws every other one. */
export function whenMissing<T>(value: T): (error: unknown) => T {
  return error => {
    if (MISSING.has((error as NodeJS.ErrnoException | null)?.code)) return value
    throw error
  }
}
