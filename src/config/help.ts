import { namesOf, type Setting } from '../settings/setting.js'
import type { SettingKey } from './settings.js'
import { SETTINGS } from './settings.js'

const INTRO = `Alidade: multi-tenant service for logs, metrics, traces, page timings and errors.

Usage: npm start -- [--flag value ...]
       npm start -- --version

Each setting has three names: a flag, an environment variable and a key of the YAML file that --config (ALIDADE_CONFIG)
names. Flags win, then the environment, then the file.
`

function lines(key: SettingKey): string {
  const { type, default: fallback, help, isSecret }: Setting<boolean | number | string | readonly string[]> = SETTINGS[key]
  const { flag, variable } = namesOf(key)
  const names = isSecret ? `${flag}-file, ${variable}, ${variable}_FILE` : `${flag}, ${variable}`
  const standard = fallback === null ? '' : `; default ${type.format?.(fallback) ?? String(fallback)}`
  return `  ${names}\n      ${help} (${type.words}${standard})`
}

/** What `--help` prints: every setting of the table. */
export function helpText(): string {
  const keys = Object.keys(SETTINGS) as SettingKey[]
  return `${INTRO}\n${keys.map(lines).join('\n')}\n`
}
