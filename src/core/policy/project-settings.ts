/** What a project may use of the platform; left out: everything, but no programs that run as Berth's own user. */
export interface ProjectRules {
  /** Policies that its manifests may name. */
  readonly policies?: readonly string[] | undefined
  /** Providers that its work may be placed on. */
  readonly providers?: readonly string[] | undefined
  /** Whether its programs may run as Berth's own user, who can read everything that Berth keeps. */
  readonly processes?: boolean | undefined
}
