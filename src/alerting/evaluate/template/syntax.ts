/** An operand of a command. */
export type Operand =
  | { readonly kind: 'dot' }
  | { readonly kind: 'constant'; readonly value: string | number | bigint | boolean | null }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'function'; readonly name: string }
  | { readonly kind: 'pipeline'; readonly pipeline: Pipeline }
  | { readonly kind: 'member'; readonly of: Operand; readonly name: string }

/** A function with its arguments, or a single value. */
export interface Command {
  readonly operands: readonly Operand[]
}

/** Commands, each with the value of the one before as its last argument. */
export interface Pipeline {
  readonly commands: readonly Command[]
  /** Variables that the pipeline sets: one, or with `range` index and element. */
  readonly variables: readonly string[]
  readonly isDeclaration: boolean
}

/** A node of a template. */
export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly pipeline: Pipeline }
  | {
      readonly kind: 'if' | 'with' | 'range'
      readonly pipeline: Pipeline
      readonly body: readonly TemplateNode[]
      readonly otherwise: readonly TemplateNode[]
    }
  | { readonly kind: 'break' | 'continue' }
