/** Channels of a namespace. */
export const MAX_CHANNELS = 100
/** Mute times of a namespace. */
export const MAX_MUTE_TIMES = 100
/** Bytes of JSON of the intervals of a mute time. */
export const MAX_INTERVALS_BYTES = 16 * 1024
/** Silences of a namespace that are neither over nor expired. */
export const MAX_SILENCES = 200
/** Silences that a list has, those that are over included. */
export const MAX_LISTED_SILENCES = 1_000
/** The longest silence. */
export const MAX_SILENCE_MS = 366 * 86_400_000
/** Characters of the comment of a silence. */
export const MAX_COMMENT_CHARS = 1_000
/** Alerts in a preview of a silence; more are counted. */
export const MAX_PREVIEWED = 1_000
/** How long the previous secret of a channel signs as well. */
export const ROTATION_MS = 24 * 3_600_000
/** Tests of a channel within a minute. */
export const MAX_TESTS_A_MINUTE = 5
/** Deliveries of a page. */
export const MAX_PAGE_DELIVERIES = 200
