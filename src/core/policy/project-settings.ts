/** What a project may use of the platform. A list that is left out allows everything; `processes` left out allows nothing. */
export interface ProjectRules {
  /** Policies that the project's manifests may name. */
  readonly policies?: readonly string[] | undefined
  /** Providers that the project's work may run on. */
  readonly providers?: readonly string[] | undefined
  /** Whether the project's programs may run as Berth's own user, which can read everything that Berth stores. */
  readonly processes?: boolean | undefined
}
