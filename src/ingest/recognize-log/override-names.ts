/** What a request, or the defaults of a key, state on how logs are recognized, as strings. */
export const LOG_OVERRIDES = [
  ...['message_field', 'time_field', 'time_unit', 'level_field', 'service_field', 'host_field', 'trace_field'],
  ...['service', 'host', 'tags', 'tag_fields', 'ignore_fields', 'parse_message', 'timezone']
] as const
/** One of `LOG_OVERRIDES`. */
export type LogOverride = (typeof LOG_OVERRIDES)[number]

/** Overrides as strings, by name; empty ones are not given. */
export type LogOverrides = Partial<Readonly<Record<LogOverride, string>>>
