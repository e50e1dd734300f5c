/** Names its fault, and the document that has it. None is valid against the schema: stock validation would report it. */
export interface HostileQuery {
  readonly name: string
  readonly query: string
  /** Part of the refusal's sentence. */
  readonly refusal: RegExp
}

const SIZE = 20_000

function repeat(count: number, part: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => part(i)).join(' ')
}

/** As many parts as fit into 20 KB. */
function fill(part: string): string {
  return part.repeat(Math.floor(SIZE / part.length))
}

function nested(depth: number): string {
  return `${'{ namespace '.repeat(depth)}{ nope }${' }'.repeat(depth)}`
}

/** Each fragment spreads the next one twice: 2^40 fields once spread out. */
function fragmentBomb(): string {
  const fragments = repeat(40, i => `fragment F${i} on Namespace { ...F${i + 1} nope ...F${i + 1} }`)
  return `{ namespace { ...F0 } } ${fragments} fragment F40 on Namespace { id id id nope }`
}

export const HOSTILE_QUERIES: readonly HostileQuery[] = [
  { name: '500 aliases', query: `{ ${repeat(500, i => `a${i}: namespace { id nope }`)} }`, refusal: /tokens/ },
  { name: '200 short aliases', query: `{ namespace { ${repeat(200, i => `a${i}: nope`)} } }`, refusal: /aliases/ },
  { name: 'a fragment bomb', query: fragmentBomb(), refusal: /fields/ },
  {
    name: 'fragments in a ring',
    query: '{ ...A } fragment A on Query { ...B nope } fragment B on Query { ...A }',
    refusal: /itself/
  },
  { name: 'a fragment that nothing spreads', query: `{ nope } fragment A on Query ${nested(40)}`, refusal: /levels/ },
  { name: 'nesting', query: nested(50), refusal: /levels/ },
  { name: 'nesting to the last byte', query: fill('{a'), refusal: /brackets/ },
  { name: 'nested lists in an argument', query: `{ nope(a: ${'['.repeat(9_000)}`, refusal: /brackets/ },
  { name: 'directives', query: `{ nope ${repeat(400, () => '@include(if: true)')} }`, refusal: /directives|tokens/ },
  { name: 'directives on the operation', query: `query Q ${repeat(300, () => '@nope')} { nope }`, refusal: /directives/ },
  { name: 'arguments', query: `{ namespace { nope(${repeat(2_000, i => `a${i}: ${i}`)}) } }`, refusal: /tokens/ },
  { name: 'one field again and again', query: `{ namespace { ${repeat(1_500, () => 'nope')} } }`, refusal: /fields/ },
  { name: 'the same objects again and again', query: `{ ${repeat(300, () => 'namespace { id nope }')} }`, refusal: /fields/ },
  { name: 'root fields', query: `{ ${repeat(40, () => 'nope')} }`, refusal: /root fields/ },
  { name: 'operations', query: repeat(60, i => `query Q${i} { nope }`), refusal: /operations/ },
  {
    name: 'rows times rows',
    query: '{ logs(range: { from: "now-1h" }, first: 5000) { nodes { nope surrounding(before: 100, after: 100) { message } } } }',
    refusal: /cost/
  },
  // 16 MiB each.
  { name: 'all saved views again and again', query: `{ ${repeat(2, i => `a${i}: savedViews { state }`)} }`, refusal: /cost/ },
  { name: 'a string that is not a query', query: fill('\u0000"'), refusal: /Syntax Error/ }
]
