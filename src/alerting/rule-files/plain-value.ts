import { isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml'
import type { YamlFile } from './yaml-node.js'

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/
const MAX_DEPTH = 8

/** How nodes become values. */
interface Reading {
  readonly maxDepth: number
  readonly scalar: (node: Scalar) => unknown
}

/** A node as JSON has it: plain scalars that read as numbers or booleans are these. */
export function plainValue(file: YamlFile, node: Node | null): unknown {
  return valueOf(file, node, { maxDepth: MAX_DEPTH, scalar: typedScalar }, 0)
}

/** A node as JSON has it, all scalars as the strings that are written. */
export function stringValue(file: YamlFile, node: Node | null, maxDepth: number): unknown {
  return valueOf(file, node, { maxDepth, scalar: ({ value }) => (typeof value === 'symbol' ? '<<' : String(value)) }, 0)
}

function valueOf(file: YamlFile, node: Node | null, reading: Reading, depth: number): unknown {
  if (node === null) return null
  if (depth > reading.maxDepth) {
    file.add(node, `must not nest deeper than ${reading.maxDepth} levels`)
    return null
  }
  if (isSeq(node)) return node.items.map(item => valueOf(file, file.resolved(item), reading, depth + 1))
  if (isMap(node)) {
    const object = Object.create(null) as Record<string, unknown>
    for (const [name, member] of file.members(node, 'map') ?? []) object[name] = valueOf(file, member, reading, depth + 1)
    return object
  }
  return isScalar(node) ? reading.scalar(node) : null
}

function typedScalar(node: Scalar): unknown {
  const text = String(node.value)
  if (node.type !== 'PLAIN') return text
  if (text === 'true' || text === 'false') return text === 'true'
  return NUMBER.test(text) ? Number(text) : text
}
