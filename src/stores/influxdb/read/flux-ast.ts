/**
 * Flux as the tree that InfluxDB parses a program into (`ast` of `POST /api/v2/query`). It contains no program source, so that
 * no name or value of a caller can ever be read as one. Only what a select needs.
 */
export type FluxExpression = Readonly<Record<string, unknown>>

type Arguments = Readonly<Record<string, FluxExpression>>

/** A name that the program does not define itself: of a function, for one. */
export function identifier(name: string): FluxExpression {
  return { type: 'Identifier', name }
}

export function text(value: string): FluxExpression {
  return { type: 'StringLiteral', value }
}

/** RFC 3339. */
export function time(value: string): FluxExpression {
  return { type: 'DateTimeLiteral', value }
}

export function milliseconds(magnitude: number): FluxExpression {
  return { type: 'DurationLiteral', values: [{ magnitude, unit: 'ms' }] }
}

export function boolean(value: boolean): FluxExpression {
  return { type: 'BooleanLiteral', value }
}

export function array(elements: readonly FluxExpression[]): FluxExpression {
  return { type: 'ArrayExpression', elements }
}

export function call(name: string, args: Arguments): FluxExpression {
  const properties = Object.entries(args).map(([key, value]) => ({ type: 'Property', key: identifier(key), value }))
  return { type: 'CallExpression', callee: identifier(name), arguments: [{ type: 'ObjectExpression', properties }] }
}

/** `first |> calls[0] |> calls[1] ...` */
export function pipe(first: FluxExpression, calls: readonly FluxExpression[]): FluxExpression {
  return calls.reduce<FluxExpression>((argument, each) => ({ type: 'PipeExpression', argument, call: each }), first)
}

/** `r["column"] == "a" or r["column"] == "b" ...` */
export function columnIsOneOf(column: string, values: readonly string[]): FluxExpression {
  const left = { type: 'MemberExpression', object: identifier('r'), property: text(column) }
  return join(
    'or',
    values.map(value => ({ type: 'BinaryExpression', operator: '==', left, right: text(value) }))
  )
}

/** Conditions as a balanced tree: a long list must not become a deep one. */
export function join(operator: 'and' | 'or', conditions: readonly FluxExpression[]): FluxExpression {
  if (conditions.length === 1) return conditions[0]!
  const half = Math.ceil(conditions.length / 2)
  const [left, right] = [conditions.slice(0, half), conditions.slice(half)].map(part => join(operator, part))
  return { type: 'LogicalExpression', operator, left, right }
}

/** `(r) => condition` */
export function rowFunction(body: FluxExpression): FluxExpression {
  return { type: 'FunctionExpression', params: [{ type: 'Property', key: identifier('r'), value: null }], body }
}

/** The body of a query request whose program is one expression. */
export function fluxRequest(expression: FluxExpression, annotations: readonly string[]): object {
  const file = { type: 'File', package: null, imports: null, body: [{ type: 'ExpressionStatement', expression }] }
  return {
    type: 'flux',
    ast: { type: 'Package', package: 'main', files: [file] },
    dialect: { annotations, header: true, delimiter: ',' }
  }
}
