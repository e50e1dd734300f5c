import { type SettingType, text } from './value-types.js'

/** One setting: its type, its default, its text in `--help`. */
export interface Setting<T, D extends T | null = T | null> {
  readonly type: SettingType<T>
  readonly default: D
  readonly help: string
  /** May also be given as a file (`..._file`), never as a flag, and is never shown. */
  readonly isSecret: boolean
  /** The value is the path of a PEM file; the setting is the certificates in it. */
  readonly isCertificate?: true
}

/** Settings by their key in the file. */
export type SettingsTable = Readonly<Record<string, Setting<unknown>>>

/** A key in camel case: `data_dir` is `dataDir`. */
export type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : S

type Value<S> = S extends Setting<infer T, infer D> ? (D extends null ? T | null : T) : never

/** The values of a table, by their keys in camel case. */
export type SettingValues<Table extends SettingsTable> = {
  readonly [K in keyof Table & string as CamelCase<K>]: Value<Table[K]>
}

/** A setting with its default, null without one. */
export function setting<T, const D extends T | null>(type: SettingType<T>, fallback: D, help: string): Setting<T, D> {
  return { type, default: fallback, help, isSecret: false }
}

/** A setting without a default that is never shown. */
export function secret(help: string, type: SettingType<string> = text): Setting<string, null> {
  return { type, default: null, help, isSecret: true }
}

/** The PEM file of an authority that signed the certificates of a server. */
export function certificateFile(help: string): Setting<string, null> {
  return { type: text, default: null, help, isSecret: false, isCertificate: true }
}

/** The three names of a setting ("Settings" in docs/conventions.md). */
interface SettingNames {
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
