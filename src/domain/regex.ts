/** Sizes of one group: of its whole content, and of its last element, which a repetition multiplies. */
interface Group {
  total: number
  last: number
}

const REPETITION = /\{(\d+)(?:,(\d*))?\}/y

/**
 * About how many instructions a regex becomes: its characters, with repetitions written out. Cheap, whatever the text:
 * it decides whether the regex may be compiled at all. No check of the syntax.
 */
export function regexSize(pattern: string): number {
  const groups: Group[] = [{ total: 0, last: 0 }]
  const add = (size: number): void => {
    const group = groups.at(-1)!
    group.total += size
    group.last = size
  }
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i]!
    if (char === '\\' && pattern[i + 1] === 'Q') {
      const end = quotationEnd(pattern, i + 2)
      for (let j = i + 2; j < end; j++) add(1)
      i = end + 1
    } else if (char === '\\') add((i++, 1))
    else if (char === '[') add(((i = classEnd(pattern, i)), 1))
    else if (char === '(') groups.push({ total: 0, last: 0 })
    else if (char === ')' && groups.length > 1) add(groups.pop()!.total + 1)
    else if (char === '{') {
      REPETITION.lastIndex = i
      const found = REPETITION.exec(pattern)
      if (found === null) {
        add(1)
        continue
      }
      i += found[0].length - 1
      const times = Math.max(Number(found[1]), Number(found[2] ?? 0))
      const group = groups.at(-1)!
      group.total += group.last * Math.max(0, times - 1)
      group.last *= Math.max(1, times)
    } else add(1)
  }
  return groups.reduce((sum, { total }) => sum + total, 0)
}

/** Position of the `\E` that ends a quotation; the end of the pattern without one. */
function quotationEnd(pattern: string, start: number): number {
  const end = pattern.indexOf('\\E', start)
  return end < 0 ? pattern.length : end
}

/** Position of the bracket that closes a class of characters. */
function classEnd(pattern: string, start: number): number {
  let i = start + 1
  if (pattern[i] === '^') i++
  if (pattern[i] === ']') i++
  for (; i < pattern.length && pattern[i] !== ']'; i++) if (pattern[i] === '\\') i++
  return i
}

/** One value of a list: plain characters, or a sign after a backslash. */
const PLAIN_VALUE = /^(?:[^\\.+*?()|[\]{}^$]|\\[^a-zA-Z0-9])*$/

/** The values of a regex that is nothing but a list of them, as dashboards write `a|b\.c` or `(a|b)`; null for others. */
export function plainAlternatives(pattern: string): readonly string[] | null {
  const inner = pattern.startsWith('(') && pattern.endsWith(')') ? pattern.slice(1, -1) : pattern
  const parts = inner.split('|')
  if (!parts.every(part => PLAIN_VALUE.test(part))) return null
  return parts.map(part => part.replaceAll(/\\(.)/gs, '$1'))
}
