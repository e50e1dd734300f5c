import type { PromMatrix } from './use-promql.js'

/** An expression with its series. */
export interface Evaluated {
  readonly expression: string
  readonly matrix: PromMatrix
}

/** A series with a name for people and a key that no other series has. */
export type NamedLine = PromMatrix['series'][number] & { readonly key: string; readonly name: string }

/**
 * The series of all expressions. A series without name and labels, for example that of `sum(x)`, has the name of its
 * expression; one without a name has it in front when there are several expressions. All matrices share a grid, because they share window and step; one that does not is left out.
 */
export function namedLines(evaluated: readonly Evaluated[]): readonly NamedLine[] {
  const grid = evaluated[0]?.matrix.grid
  return evaluated
    .filter(({ matrix }) => matrix.grid.start === grid?.start && matrix.grid.length === grid.length)
    .flatMap(({ expression, matrix }, index) =>
      matrix.series.map(line => {
        const labels = line.legend === '{}' ? '' : line.legend
        const isNamed = labels !== '' && (line.metric != null || evaluated.length === 1)
        return { ...line, key: `${index} ${line.legend}`, name: isNamed ? labels : `${expression} ${labels}`.trimEnd() }
      })
    )
}
