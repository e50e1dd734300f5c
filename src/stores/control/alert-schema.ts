// Tables of alert rules, their states and events. 64-bit integers are read as numbers; times are Unix milliseconds.

/** Groups of rules. */
export interface AlertGroupsTable {
  namespace_id: string
  id: string
  name: string
  interval_ms: number
  /** Instances of one rule. */
  instance_limit: number | null
  query_offset_ms: number | null
  /** `shardOf` of the namespace. */
  shard: number
}

/** Present versions of rules. */
export interface AlertRulesTable {
  namespace_id: string
  id: string
  group_id: string
  position: number
  version: number
  /** 0 or 1. */
  enabled: number
  /** JSON of `AlertRuleContent`. */
  content: string
  updated_by: string
  updated_at_ms: number
}

/** All kept versions of rules, the present one included. */
export interface AlertRuleVersionsTable {
  namespace_id: string
  rule_id: string
  version: number
  group_id: string
  position: number
  content: string
  updated_by: string
  updated_at_ms: number
}

/** What the last evaluation of a rule left. */
export interface AlertRuleStatesTable {
  namespace_id: string
  rule_id: string
  rule_version: number
  last_eval_ms: number
  error: string | null
  errors_in_row: number
}

/** Instances of rules. */
export interface AlertInstancesTable {
  namespace_id: string
  rule_id: string
  fingerprint: string
  /** JSON of labels. */
  labels: string
  annotations: string
  state: string
  active_at_ms: number
  fired_at_ms: number | null
  keep_since_ms: number | null
  resolved_at_ms: number | null
  /** Digits of a double, `NaN`, `Infinity`. */
  value: string | null
  seen: number
}

/** Transitions of instances, by their number in the namespace. */
export interface AlertEventsTable {
  namespace_id: string
  seq: number
  rule_id: string
  rule_version: number
  fingerprint: string
  labels: string
  annotations: string
  from_state: string
  to_state: string
  at_ms: number
  starts_at_ms: number
  value: string | null
  /** 0 or 1. */
  is_late: number
}

/** The number of the latest event of a namespace. */
export interface AlertSequencesTable {
  namespace_id: string
  last_seq: number
}

/** Who evaluates the rules of a shard. */
export interface AlertLeasesTable {
  shard: number
  holder: string
  token: number
  expires_at_ms: number
}
