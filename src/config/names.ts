/** The three names of a setting ("Settings" in docs/conventions.md). */
export interface SettingNames {
  readonly flag: string
  readonly variable: string
  readonly key: string
}

/** Prefix of all environment variables that the service reads. */
export const ENV_PREFIX = 'ALIDADE_'

/** The names under which a key is set. */
export function namesOf(key: string): SettingNames {
  return { flag: `--${key.replaceAll('_', '-')}`, variable: ENV_PREFIX + key.toUpperCase(), key }
}
