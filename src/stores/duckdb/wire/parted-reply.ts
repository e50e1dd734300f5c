/** Replies with a longer array are sent in parts of at most so many rows: serializing one part takes about a millisecond. */
export const PART_ROWS = 200

/** A reply without its longest array. */
export interface PartedReply {
  /** The member that held the array; null when the reply is the array itself. */
  readonly member: string | null
  /** The other members. */
  readonly rest: object | null
}

/** A reply whose array is sent in parts. */
export interface SplitReply extends PartedReply {
  readonly rows: readonly unknown[]
}

function longestMember(reply: object): readonly [name: string, rows: readonly unknown[]] | null {
  let longest: readonly [string, readonly unknown[]] | null = null
  for (const [name, value] of Object.entries(reply) as [string, unknown][])
    if (Array.isArray(value) && value.length > (longest?.[1].length ?? PART_ROWS)) longest = [name, value]
  return longest
}

/** Splits a reply that holds more than `PART_ROWS` rows; null for any other reply, which is sent as a whole. */
export function splitReply(reply: unknown): SplitReply | null {
  if (typeof reply !== 'object' || reply === null) return null
  if (Array.isArray(reply)) return reply.length > PART_ROWS ? { member: null, rest: null, rows: reply } : null
  const longest = longestMember(reply)
  if (longest === null) return null
  const [member, rows] = longest
  return { member, rest: Object.fromEntries(Object.entries(reply).filter(([name]) => name !== member)), rows }
}

/** The reply that was split. */
export function joinReply({ member, rest }: PartedReply, rows: readonly unknown[]): unknown {
  return member === null ? rows : { ...rest, [member]: rows }
}
