import type { Node } from 'yaml'
import { parsePromqlDurationMs } from '../../query/promql/syntax/duration.js'
import type { YamlFile } from './yaml-node.js'

/** A whole number above 0; null for none. */
export function readLimit(file: YamlFile, node: Node | null): number | null {
  const text = file.string(node, 'int')
  if (text === null || text === '') return null
  const value = Number(text.replaceAll('_', ''))
  if (Number.isSafeInteger(value)) return value > 0 ? value : null
  file.add(node, `cannot unmarshal \`${text}\` into int`)
  return null
}

/** Milliseconds of a duration of a file; 0 without one. */
export function readDuration(file: YamlFile, node: Node | null): number {
  if (node === null) return 0
  const text = file.string(node, 'model.Duration')
  if (text === null) return 0
  const ms = text === '0' ? 0 : parsePromqlDurationMs(text)
  if (ms !== null) return ms
  file.add(node, text === '' ? 'empty duration string' : `not a valid duration string: ${JSON.stringify(text)}`)
  return 0
}

/** Names and values of a map of strings. */
export function readLabelMap(file: YamlFile, node: Node | null): ReadonlyMap<string, string> {
  const members = file.members(node, 'map[string]string') ?? new Map<string, Node | null>()
  return new Map([...members].map(([name, value]) => [name, file.string(value) ?? ''] as const))
}
