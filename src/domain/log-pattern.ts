/** Replaces a variable part in the tokens of a template. Blank in messages, so that no message contains it. */
export const VARIABLE = '\u0001'
/** Replaces a run of digits within a word of a template. */
export const DIGITS = '\u0002'
/** Id of the logs of a namespace whose templates are beyond the limit. */
export const OVERFLOW_ID = '0'.repeat(20)

const OVERFLOW_TEXT = '<overflow>'
/** Names of the kinds of variable parts, by bit; `*` for words and values of no kind of their own. */
const KIND_NAMES = ['num', 'ip', 'uuid', 'hex', 'path', 'duration', 'quoted', 'timestamp', '*', 'host', 'url', 'email', 'id', '*']

/** The kinds that a variable part was seen with, as bits. */
export type Kinds = number

/** A template: what the messages of one pattern have in common (docs/adr/0056). */
export interface LogPattern {
  /** Hash of the tokens; never names another template. */
  readonly id: string
  /** Words, punctuation and `VARIABLE`. */
  readonly tokens: readonly string[]
  /** One for each variable part. */
  readonly kinds: readonly Kinds[]
}

/** A template that became a case of a more general one. Both ids name the same logs from then on. */
export interface PatternMerge {
  readonly id: string
  readonly into: string
}

/** The name of the kind that a variable part has; `*` for several kinds, and for words. */
export function kindName(kinds: Kinds): string {
  if (kinds === 0 || (kinds & (kinds - 1)) !== 0) return '*'
  return KIND_NAMES[31 - Math.clz32(kinds)] ?? '*'
}

/** A template as people read it: `user <*> logged in from <ip>`. */
export function templateText({ id, tokens, kinds }: LogPattern): string {
  if (id === OVERFLOW_ID) return OVERFLOW_TEXT
  let text = ''
  let variable = 0
  for (const token of tokens) {
    text += token === VARIABLE ? `<${kindName(kinds[variable++] ?? 0)}>` : token.replaceAll(DIGITS, '<num>')
  }
  return text
}

function variables({ kinds }: LogPattern): number {
  return kinds.length
}

/** Which ids name one pattern, by the merges of all gateways. */
export class PatternFamilies<Pattern extends LogPattern = LogPattern> {
  readonly #current = new Map<string, Pattern>()
  readonly #members = new Map<string, readonly Pattern[]>()
  /** The patterns into which others were merged, and those that were never merged. */
  readonly current: readonly Pattern[]

  constructor(patterns: readonly Pattern[], merges: readonly PatternMerge[]) {
    const parents = new Map<string, string>()
    const rootOf = (id: string): string => {
      let root = id
      for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next
      for (let at = id; at !== root;) {
        const next = parents.get(at)!
        parents.set(at, root)
        at = next
      }
      return root
    }
    const known = new Map(patterns.map(pattern => [pattern.id, pattern]))
    for (const { id, into } of merges) {
      const from = rootOf(id)
      const to = rootOf(into)
      if (from !== to && known.has(id) && known.has(into)) parents.set(from, to)
    }
    const groups = new Map<string, Pattern[]>()
    for (const pattern of patterns) {
      const root = rootOf(pattern.id)
      const group = groups.get(root)
      if (group === undefined) groups.set(root, [pattern])
      else group.push(pattern)
    }
    this.current = [...groups.values()].map(group => {
      const general = group.reduce((best, next) => (isMoreGeneral(next, best) ? next : best))
      for (const { id } of group) this.#current.set(id, general)
      this.#members.set(general.id, group)
      return general
    })
  }

  /** The current pattern of an id; undefined for an id that the catalogue does not have. */
  currentOf(id: string): Pattern | undefined {
    return this.#current.get(id)
  }

  /** All ids with which logs of the pattern of an id are stored; the id alone when it is unknown. */
  idsOf(id: string): readonly string[] {
    const current = this.#current.get(id)
    return current === undefined ? [id] : this.#members.get(current.id)!.map(member => member.id)
  }

  /** The patterns that became the one of an id, it included; empty for an id that the catalogue does not have. */
  membersOf(id: string): readonly Pattern[] {
    const current = this.#current.get(id)
    return current === undefined ? [] : this.#members.get(current.id)!
  }
}

/** More variable parts; of equally many the smaller id, so that every gateway chooses the same. */
function isMoreGeneral(pattern: LogPattern, than: LogPattern): boolean {
  const difference = variables(pattern) - variables(than)
  return difference > 0 || (difference === 0 && pattern.id < than.id)
}
