import type { ValueType } from '../syntax/ast.js'

/** What a function takes and gives. */
export interface Signature {
  readonly args: readonly ValueType[]
  /** How many of the last arguments may be left out; -1: the last may be repeated, also not at all. */
  readonly optional: number
  readonly returns: ValueType
}

function signature(args: readonly ValueType[], returns: ValueType = 'vector', optional = 0): Signature {
  return { args, optional, returns }
}

const OF_VECTOR = signature(['vector'])
const OF_MATRIX = signature(['matrix'])
const OF_TIME = signature(['vector'], 'vector', 1)

/** The functions of Prometheus 3, by name. */
export const SIGNATURES: ReadonlyMap<string, Signature> = new Map<string, Signature>([
  ...[
    ...['histogram_avg', 'histogram_count', 'histogram_stddev', 'histogram_stdvar', 'histogram_sum'],
    ...['abs', 'absent', 'acos', 'acosh', 'asin', 'asinh', 'atan', 'atanh', 'ceil', 'cos', 'cosh', 'deg', 'exp', 'floor'],
    ...['ln', 'log10', 'log2', 'rad', 'sgn', 'sin', 'sinh', 'sort', 'sort_desc', 'sqrt', 'tan', 'tanh', 'timestamp']
  ].map(name => [name, OF_VECTOR] as const),
  ...[
    ...['absent_over_time', 'avg_over_time', 'changes', 'count_over_time', 'delta', 'deriv', 'first_over_time', 'idelta'],
    ...['increase', 'irate', 'last_over_time', 'mad_over_time', 'max_over_time', 'min_over_time', 'present_over_time', 'rate'],
    ...['resets', 'stddev_over_time', 'stdvar_over_time', 'sum_over_time'],
    ...['ts_of_first_over_time', 'ts_of_last_over_time', 'ts_of_max_over_time', 'ts_of_min_over_time']
  ].map(name => [name, OF_MATRIX] as const),
  ...['day_of_month', 'day_of_week', 'day_of_year', 'days_in_month', 'hour', 'minute', 'month', 'year'].map(
    name => [name, OF_TIME] as const
  ),
  ['clamp', signature(['vector', 'scalar', 'scalar'])],
  ['clamp_max', signature(['vector', 'scalar'])],
  ['clamp_min', signature(['vector', 'scalar'])],
  ['double_exponential_smoothing', signature(['matrix', 'scalar', 'scalar'])],
  ['histogram_fraction', signature(['scalar', 'scalar', 'vector'])],
  ['histogram_quantile', signature(['scalar', 'vector'])],
  ['histogram_quantiles', signature(['vector', 'string', 'scalar', 'scalar'], 'vector', -1)],
  ['max_of', signature(['scalar', 'scalar'], 'scalar')],
  ['min_of', signature(['scalar', 'scalar'], 'scalar')],
  ['info', signature(['vector', 'vector'], 'vector', 1)],
  ['label_join', signature(['vector', 'string', 'string', 'string'], 'vector', -1)],
  ['label_replace', signature(['vector', 'string', 'string', 'string', 'string'])],
  ...['end', 'pi', 'range', 'start', 'step', 'time'].map(name => [name, signature([], 'scalar')] as const),
  ['predict_linear', signature(['matrix', 'scalar'])],
  ['quantile_over_time', signature(['scalar', 'matrix'])],
  ['round', signature(['vector', 'scalar'], 'vector', 1)],
  ['scalar', signature(['vector'], 'scalar')],
  ['sort_by_label', signature(['vector', 'string'], 'vector', -1)],
  ['sort_by_label_desc', signature(['vector', 'string'], 'vector', -1)],
  ['start_timestamp', OF_VECTOR],
  ['vector', signature(['scalar'])]
])
