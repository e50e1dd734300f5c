import { RE2JS, RE2JSException } from 're2js'
import { mergeSeries } from '../evaluate/merge-series.js'
import type { GridSeries } from '../evaluate/values.js'
import { isLabelName, type LabelSet } from '../labels.js'
import { regexRefusal } from '../regex-bound.js'
import { PromqlExecutionError } from '../promql-error.js'

const TEMPLATE = /\$(?:\$|\{(\w+)\}|(\w+))/g

function compile(pattern: string): RE2JS {
  const refusal = regexRefusal(pattern)
  if (refusal !== null) throw new PromqlExecutionError(refusal)
  try {
    return RE2JS.compile(pattern, RE2JS.DOTALL)
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    throw new PromqlExecutionError(`invalid regular expression in label_replace(): ${pattern}`)
  }
}

/** Go's regexp.Expand: `$1`, `${name}`, `$$`; a group that is not there is the empty text. */
function expand(template: string, group: (name: string) => string): string {
  return template.replace(TEMPLATE, (_, braced: string | undefined, plain: string | undefined) => {
    const name = braced ?? plain
    return name === undefined ? '$' : group(name)
  })
}

function relabel(series: readonly GridSeries[], change: (labels: LabelSet) => LabelSet): readonly GridSeries[] {
  return mergeSeries(series.map(one => ({ ...one, labels: change(one.labels) })))
}

function checkTarget(name: string, target: string): void {
  if (isLabelName(target)) return
  throw new PromqlExecutionError(`invalid destination label name in ${name}(): ${target === '' ? '""' : target}`)
}

/** `label_replace`. */
export function labelReplace(
  series: readonly GridSeries[],
  [target = '', replacement = '', source = '', pattern = '']: readonly string[]
): readonly GridSeries[] {
  checkTarget('label_replace', target)
  const regex = compile(pattern)
  return relabel(series, labels => {
    const matcher = regex.matcher(labels.get(source))
    if (!matcher.matches()) return labels
    const group = (name: string): string => {
      try {
        return (/^\d+$/.test(name) ? matcher.group(Number(name)) : matcher.group(name)) ?? ''
      } catch {
        // As Prometheus: a group that the expression does not have is empty.
        return ''
      }
    }
    return labels.with(target, expand(replacement, group))
  })
}

/** `label_join`. */
export function labelJoin(
  series: readonly GridSeries[],
  [target = '', separator = '', ...sources]: readonly string[]
): readonly GridSeries[] {
  checkTarget('label_join', target)
  return relabel(series, labels => labels.with(target, sources.map(name => labels.get(name)).join(separator)))
}
