export interface TemplateParameter {
  readonly name: string
  readonly type: 'text' | 'number' | 'boolean'
  readonly default?: string | number | boolean | undefined
  /** Undefined means any value of the type. */
  readonly allowed?: readonly (string | number | boolean)[] | undefined
  readonly description?: string | undefined
}
