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

/** Called with a path of which is unknown what is there, and the code of the failure, such as `EACCES`. */
export type OnUnreadable = (path: string, code: string) => void

const ABSENT = new Set(['ENOENT', 'ENOTDIR'])

/** The result, or `otherwise` where a path is not there or cannot be looked at. */
async function lookAt<T>(path: string, looking: Promise<T>, otherwise: T, onUnreadable: OnUnreadable): Promise<T> {
  try {
    return await looking
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    if (!ABSENT.has(code)) onUnreadable(path, code)
    return otherwise
  }
}

async function entriesOf(folder: string, onUnreadable: OnUnreadable): Promise<readonly FolderEntry[]> {
  const entries = await lookAt(folder, readdir(folder, { withFileTypes: true }), [], onUnreadable)
  return entries.map(entry => ({ name: entry.name, isFolder: entry.isDirectory() }))
}

async function exists(path: string, onUnreadable: OnUnreadable): Promise<boolean> {
  return (await lookAt(path, stat(path), null, onUnreadable)) !== null
}

/** What a search has found so far. */
interface Search {
  readonly found: Set<string>
  readonly onUnreadable: OnUnreadable
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
  async find(onUnreadable: OnUnreadable = () => undefined): Promise<readonly string[]> {
    const found = new Set<string>()
    await this.#expand('/', 0, { found, onUnreadable })
    return [...found].toSorted()
  }

  async #expand(folder: string, at: number, search: Search): Promise<void> {
    const part = this.#parts[at]
    if (part === undefined || search.found.size >= LIMITS.globPaths) return
    if (part.kind === 'name') return this.#add(join(folder, part.name), at, search)
    if (part.kind === 'folders') await this.#expand(folder, at + 1, search)
    for (const { name, isFolder } of await entriesOf(folder, search.onUnreadable)) {
      const path = join(folder, name)
      if (part.kind !== 'folders') {
        if (matchesPart(part, name)) await this.#add(path, at, search)
        // Symbolic links to folders are not followed: they may lead back.
      } else if (isFolder) await this.#expand(path, at, search)
    }
  }

  async #add(path: string, at: number, search: Search): Promise<void> {
    if (at < this.#parts.length - 1) return this.#expand(path, at + 1, search)
    const isName = this.#parts[at]!.kind === 'name'
    if (!isName || (await exists(path, search.onUnreadable))) search.found.add(path)
  }
}
