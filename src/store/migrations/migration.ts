/** The statements that lead from one version of a schema to the next. Once released, a migration is never changed. */
export type Migration = readonly string[]

/** How a schema is brought up to date: version n is what the first n migrations make. */
export interface MigrationOptions {
  readonly migrations?: readonly Migration[]
  /** Called before each statement, including the one that sets the version and the commit: tests interrupt it here. */
  readonly beforeStatement?: (statement: string) => void
}
