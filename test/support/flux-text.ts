interface Node {
  readonly type: string
  readonly [field: string]: unknown
}

/** The Flux program that a tree of `POST /api/v2/query` represents; throws at a node that the adapter does not make. */
export function fluxText(value: unknown): string {
  const node = value as Node
  const list = (field: string, separator: string): string => (node[field] as unknown[]).map(fluxText).join(separator)
  const part = (field: string): string => fluxText(node[field])
  switch (node.type) {
    case 'Package':
      return list('files', '\n')
    case 'File':
      return list('body', '\n')
    case 'ExpressionStatement':
      return part('expression')
    case 'PipeExpression':
      return `${part('argument')}\n  |> ${part('call')}`
    case 'CallExpression':
      return `${part('callee')}(${list('arguments', ', ')})`
    case 'ObjectExpression':
      return list('properties', ', ')
    case 'ArrayExpression':
      return `[${list('elements', ', ')}]`
    case 'Property':
      return node['value'] === null ? part('key') : `${part('key')}: ${part('value')}`
    case 'FunctionExpression':
      return `(${list('params', ', ')}) => ${part('body')}`
    case 'LogicalExpression':
      return `(${part('left')} ${String(node['operator'])} ${part('right')})`
    case 'BinaryExpression':
      return `${part('left')} ${String(node['operator'])} ${part('right')}`
    case 'MemberExpression':
      return `${part('object')}[${part('property')}]`
    case 'StringLiteral':
      return JSON.stringify(node['value'])
    case 'Identifier':
      return String(node['name'])
    case 'DurationLiteral':
      return (node['values'] as { magnitude: number; unit: string }[])
        .map(({ magnitude, unit }) => `${magnitude}${unit}`)
        .join('')
    case 'BooleanLiteral':
    case 'DateTimeLiteral':
      return String(node['value'])
    default:
      throw new Error(`no text for ${node.type}`)
  }
}
