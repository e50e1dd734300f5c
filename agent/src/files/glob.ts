import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LIMITS } from '../limits.js'

const MAGIC = /[*?[]/

/** The regular expression of one part of a pattern between slashes. */
function partExpression(part: string): RegExp {
  let source = ''
  for (let i = 0; i < part.length; i++) {
    const char = part[i]!
    const close = char === '[' ? part.indexOf(']', i + 2) : -1
    if (char === '*') source += '[^/]*'
    else if (char === '?') source += '[^/]'
    else if (close > 0) {
      const body = part
        .slice(i + 1, close)
        .replace(/^!/, '^')
        .replaceAll('\\', '\\\\')
      source += `[${body}]`
      i = close
    } else source += char.replace(/[\\^$.|+(){}[\]]/g, '\\$&')
  }
  return new RegExp(`^${source}$`)
}

/** Names of a folder; none where it cannot be read. */
async function namesOf(folder: string): Promise<readonly { readonly name: string; readonly isFolder: boolean }[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.map(entry => ({ name: entry.name, isFolder: entry.isDirectory() }))
  } catch {
    return []
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false
  )
}

async function expand(folder: string, parts: readonly string[], found: Set<string>): Promise<void> {
  if (found.size >= LIMITS.globPaths) return
  const [part, ...rest] = parts
  if (part === undefined) return
  if (part === '**') {
    await expand(folder, rest, found)
    for (const { name, isFolder } of await namesOf(folder)) if (isFolder) await expand(join(folder, name), parts, found)
    return
  }
  if (!MAGIC.test(part)) {
    const path = join(folder, part)
    if (rest.length > 0) await expand(path, rest, found)
    else if (await exists(path)) found.add(path)
    return
  }
  const pattern = partExpression(part)
  for (const { name } of await namesOf(folder)) {
    const isHidden = name.startsWith('.') && !part.startsWith('.')
    if (isHidden || !pattern.test(name)) continue
    if (rest.length > 0) await expand(join(folder, name), rest, found)
    else found.add(join(folder, name))
  }
}

/** Whether a path matches a pattern without `**`. */
export function matchesGlob(path: string, pattern: string): boolean {
  const [parts, names] = [pattern.split('/'), path.split('/')]
  return parts.length === names.length && parts.every((part, i) => partExpression(part).test(names[i]!))
}

/** Paths that an absolute pattern matches now, sorted, at most `LIMITS.globPaths`. */
export async function findPaths(pattern: string): Promise<readonly string[]> {
  const found = new Set<string>()
  await expand('/', pattern.split('/').filter(Boolean), found)
  return [...found].toSorted()
}
