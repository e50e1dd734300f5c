/** A body as the levels of the budget see it. */
interface Holder {
  readonly bytes: number
  readonly level: BudgetLevel
}

/** Whoever holds no more than this share of a level may use all of it, so that large bodies of others never shut it out. */
const SMALL_SHARE = 1 / 32
/** What large bodies of a level may use together, apart from its senior. */
const JUNIOR_SHARE = 3 / 8
/** What large bodies and the senior may use of the whole together, and the senior of its own level. */
const LARGE_SHARE = 7 / 8

/**
 * A part of the budget: all of it, the pool of a kind of callers, a namespace, a caller. Of the large bodies of a level one,
 * its senior, may grow beyond what they have together: were all of them stopped halfway, none would ever end.
 */
export class BudgetLevel {
  readonly name: string
  readonly maxBytes: number
  readonly parent: BudgetLevel | null
  /** This level and those above it, the widest last. */
  readonly path: readonly BudgetLevel[]
  readonly #key: string
  /** Made with the first: most levels are of one caller and live as long as one request. */
  #children: Map<string, BudgetLevel> | null = null
  #bytes = 0
  /** Bodies of the caller, also those that have taken nothing yet. */
  #bodies = 0
  #senior: Holder | null = null

  constructor(name: string, maxBytes: number, parent: BudgetLevel | null, key = '') {
    this.name = name
    this.maxBytes = maxBytes
    this.parent = parent
    this.path = [this, ...(parent?.path ?? [])]
    this.#key = key
  }

  get bytes(): number {
    return this.#bytes
  }

  get parentBytes(): number {
    return this.parent?.bytes ?? 0
  }

  /** The level of that key below this one, made when it is not there. */
  child(key: string, name: string, maxBytes: number): BudgetLevel {
    this.#children ??= new Map()
    const known = this.#children.get(key)
    if (known) return known
    const child = new BudgetLevel(name, maxBytes, this, key)
    this.#children.set(key, child)
    return child
  }

  /** Counts bytes here and in every level above. */
  add(bytes: number): void {
    for (const level of this.path) level.#bytes += bytes
  }

  hasSenior(holder: Holder): boolean {
    return this.#senior === holder
  }

  /** Whether that much more fits for a holder whose part of this level is `ownBytes`, and for whom. */
  admits(holder: Holder, ownBytes: number, bytes: number): 'anyone' | 'senior' | 'none' {
    const after = this.#bytes + bytes
    // One request of any legal size passes an empty level.
    if (this.#bytes === holder.bytes) return 'anyone'
    if (ownBytes + bytes <= this.maxBytes * SMALL_SHARE) return after <= this.maxBytes ? 'anyone' : 'none'
    if (after <= this.maxBytes * JUNIOR_SHARE) return 'anyone'
    // Below the whole, the senior does not wait for the others of its level, who may wait for it: the whole has room for both.
    const ofSenior = this.parent === null ? after : holder.bytes + bytes
    return this.mayHaveSenior(holder) && ofSenior <= this.maxBytes * LARGE_SHARE ? 'senior' : 'none'
  }

  mayHaveSenior(holder: Holder): boolean {
    return this.#senior === null || this.#senior === holder
  }

  setSenior(holder: Holder): void {
    this.#senior = holder
  }

  /** The holder is gone from here and from every level above. */
  forgetSenior(holder: Holder): void {
    for (const level of this.path) {
      if (level.#senior === holder) level.#senior = null
    }
  }

  /** A body of the caller begins. */
  enter(): void {
    this.#bodies++
  }

  /** A body of the caller is done with; the levels of callers without one are removed. */
  leave(): void {
    this.#bodies--
    this.#dropIfEmpty()
  }

  #dropIfEmpty(): void {
    if (this.parent === null || this.#key === '' || this.#bodies > 0 || (this.#children?.size ?? 0) > 0) return
    this.parent.#children?.delete(this.#key)
    this.parent.#dropIfEmpty()
  }
}

/** The levels of which a holder must be senior for that much more, and the narrowest one that is full for it, if one is. */
export function seniorsFor(
  holder: Holder,
  bytes: number
): { readonly from: BudgetLevel | null; readonly full: BudgetLevel | null } {
  let from: BudgetLevel | null = null
  let full: BudgetLevel | null = null
  let ownBytes = holder.bytes
  for (const level of holder.level.path) {
    const admitted = level.admits(holder, ownBytes, bytes)
    if (admitted === 'none') full ??= level
    if (admitted === 'senior') from = level
    ownBytes = level.bytes
  }
  return { from, full }
}

/**
 * Makes the holder senior where it has to be for that much more; false when it does not fit. Who is senior of a level is
 * senior of all that are narrower: two never wait for each other.
 */
export function enterLevels(holder: Holder, bytes: number): boolean {
  const { from, full } = seniorsFor(holder, bytes)
  if (full !== null) return false
  if (from === null) return true
  const { path } = holder.level
  const narrowest = path.slice(0, path.indexOf(from) + 1)
  if (!narrowest.every(level => level.mayHaveSenior(holder))) return false
  for (const level of narrowest) level.setSenior(holder)
  return true
}
