/** The row of the table of facts that a reply stands for (its provider, and how its match begins), the reply, and what it means. */
export type KnownReply = readonly [
  kind: string,
  provider: string,
  match: string,
  status: number,
  body: unknown,
  /** Class, scope, whether something was created, and in how many seconds to come back. */
  means: string,
]
