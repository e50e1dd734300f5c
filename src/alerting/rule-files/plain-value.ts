import { isMap, isScalar, isSeq, type Node } from 'yaml'
import type { YamlFile } from './yaml-node.js'

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/
const MAX_DEPTH = 8

/** A node as JSON has it: plain scalars that read as numbers or booleans are these. */
export function plainValue(file: YamlFile, node: Node | null, depth = 0): unknown {
  if (node === null) return null
  if (depth > MAX_DEPTH) {
    file.add(node, `must not nest deeper than ${MAX_DEPTH} levels`)
    return null
  }
  if (isSeq(node)) return node.items.map(item => plainValue(file, file.resolved(item), depth + 1))
  if (isMap(node)) {
    const object = Object.create(null) as Record<string, unknown>
    for (const [name, member] of file.members(node, 'map') ?? []) object[name] = plainValue(file, member, depth + 1)
    return object
  }
  if (!isScalar(node)) return null
  const text = String(node.value)
  if (node.type !== 'PLAIN') return text
  if (text === 'true' || text === 'false') return text === 'true'
  return NUMBER.test(text) ? Number(text) : text
}
