import { isRawObject, type RawObject } from '../raw-object.js'

/** One way to begin a dotted path: an own key of an object, and how the path goes on in its value (null: it ends there). */
export interface PathStep {
  readonly key: string
  readonly rest: readonly PathStep[] | null
}

/** A member that was found, and the keys that lead to it. */
export interface FoundMember {
  readonly value: unknown
  readonly keys: readonly string[]
}

/** Every way to write a dotted path: `a.b.c` as `{"a.b.c"}`, `{"a.b":{c}}`, `{a:{"b.c"}}` and `{a:{b:{c}}}`. */
export function compilePath(path: string): readonly PathStep[] {
  const parts = path.split('.')
  const from: (readonly PathStep[])[] = []
  for (let start = parts.length - 1; start >= 0; start--) {
    const steps: PathStep[] = []
    for (let end = parts.length; end > start; end--) {
      steps.push({ key: parts.slice(start, end).join('.'), rest: from[end] ?? null })
    }
    from[start] = steps
  }
  return from[0]!
}

/** The member at a compiled path; null if it is missing or null. Looks no deeper than the path is long. */
export function findMember(object: RawObject, steps: readonly PathStep[]): FoundMember | null {
  for (const { key, rest } of steps) {
    // A name like `constructor` must not reach the prototype.
    if (!Object.hasOwn(object, key)) continue
    const value = object[key]
    if (rest === null) {
      if (value !== null && value !== undefined) return { value, keys: [key] }
      continue
    }
    const found = isRawObject(value) ? findMember(value, rest) : null
    if (found !== null) return { value: found.value, keys: [key, ...found.keys] }
  }
  return null
}
