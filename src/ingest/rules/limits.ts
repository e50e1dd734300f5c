/** Rules that drop logs, of a namespace. */
export const MAX_DROP_RULES = 20
/** Rules about members of senders, of a namespace. */
export const MAX_FIELD_RULES = 20
/** Members that a rule compares to recognize a sender. */
export const MAX_WHEN = 4
/** Names of members whose values are replaced. */
export const MAX_KEYS = 100
export const MAX_KEY_CHARS = 128
/** Own strings that are replaced. */
export const MAX_LITERALS = 50
/** A shorter one would match within words. */
export const MIN_LITERAL_CHARS = 4
export const MAX_LITERAL_CHARS = 256
/** Name of a rule. */
export const MAX_NAME_CHARS = 64
/** Value of a member of a sender. */
export const MAX_VALUE_CHARS = 256
/** Value of an override. */
export const MAX_OVERRIDE_CHARS = 2_048
/** Conditions of all queries of a namespace together: each log is compared with them. */
export const MAX_DROP_CONDITIONS = 32
