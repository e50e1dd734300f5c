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

/** One part of a pattern between slashes: a name, any number of folders (`**`), or an expression. */
type Part =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'folders' }
  | { readonly kind: 'match'; readonly expression: RegExp; readonly findsHidden: boolean }

function toPart(part: string): Part {
  if (part === '**') return { kind: 'folders' }
  if (!MAGIC.test(part)) return { kind: 'name', name: part }
  return { kind: 'match', expression: partExpression(part), findsHidden: part.startsWith('.') }
}

function matchesPart(part: Part, name: string): boolean {
  if (part.kind === 'name') return part.name === name
  if (part.kind === 'folders') return true
  return (part.findsHidden || !name.startsWith('.')) && part.expression.test(name)
}

/** Whether parts from one on match names from one on. */
function matchesFrom(parts: readonly Part[], names: readonly string[], part = 0, name = 0): boolean {
  const one = parts[part]
  if (one === undefined) return name === names.length
  if (one.kind === 'folders' && matchesFrom(parts, names, part + 1, name)) return true
  if (name >= names.length || !matchesPart(one, names[name]!)) return false
  return matchesFrom(parts, names, one.kind === 'folders' ? part : part + 1, name + 1)
}

interface FolderEntry {
  readonly name: string
  readonly isFolder: boolean
}

/** Entries of a folder; empty where it cannot be read. */
async function entriesOf(folder: string): Promise<readonly FolderEntry[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.map(entry => ({ name: entry.name, isFolder: entry.isDirectory() }))
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false
  )
}

/** An absolute path with `*`, `?`, `[..]` within names and `**` for folders. */
export class Glob {
  readonly pattern: string
  readonly #parts: readonly Part[]

  /** Throws a `SyntaxError` for a range of characters that is not one. */
  constructor(pattern: string) {
    this.pattern = pattern
    this.#parts = pattern.split('/').filter(Boolean).map(toPart)
  }

  /** Whether it is the path of one file. */
  get isPath(): boolean {
    return this.#parts.every(({ kind }) => kind === 'name')
  }

  /** Whether it would find an absolute path. */
  matches(path: string): boolean {
    return matchesFrom(this.#parts, path.split('/').filter(Boolean))
  }

  /** Paths that exist now, sorted, at most `LIMITS.globPaths`. */
  async find(): Promise<readonly string[]> {
    const found = new Set<string>()
    await this.#expand('/', 0, found)
    return [...found].toSorted()
  }

  async #expand(folder: string, at: number, found: Set<string>): Promise<void> {
    const part = this.#parts[at]
    if (part === undefined || found.size >= LIMITS.globPaths) return
    if (part.kind === 'name') return this.#add(join(folder, part.name), at, found)
    if (part.kind === 'folders') {
      await this.#expand(folder, at + 1, found)
      // Symbolic links to folders are not followed: they may lead back.
      for (const { name, isFolder } of await entriesOf(folder)) if (isFolder) await this.#expand(join(folder, name), at, found)
      return
    }
    for (const { name } of await entriesOf(folder)) if (matchesPart(part, name)) await this.#add(join(folder, name), at, found)
  }

  async #add(path: string, at: number, found: Set<string>): Promise<void> {
    if (at < this.#parts.length - 1) return this.#expand(path, at + 1, found)
    const isName = this.#parts[at]!.kind === 'name'
    if (!isName || (await exists(path))) found.add(path)
  }
}
