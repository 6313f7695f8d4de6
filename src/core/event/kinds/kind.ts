import type * as z from 'zod'

/** The kinds of objects that events are about; a subject is one of these, a slash and a name. */
export type EventAbout = 'workload' | 'provider' | 'policy' | 'project' | 'secret' | 'template'

/** One kind of event. Types, the wire, the words of the command line and docs/events.md follow from it. */
export interface EventDefinition<A extends EventAbout = EventAbout, F extends z.ZodObject = z.ZodObject> {
  readonly about: A
  /** What has happened when this is told, in a sentence or two. */
  readonly means: string
  /** Facts that are always there, and facts that may be left out. Each says what it is. */
  readonly facts: F
  /** What happened, in words that follow the kind. It starts with a small letter and has no full stop. */
  readonly text: (facts: z.output<F>, told: EventContext) => string
  /** For the documentation, and for tests. */
  readonly example: z.output<F>
}

/** What an event's words may need beside its facts. */
export interface EventContext {
  readonly atMs: number
  readonly project: string
  /** The name of the object. */
  readonly name: string
}

/** Lets the facts of a definition be inferred. */
export function kindOf<A extends EventAbout, F extends z.ZodObject>(
  definition: EventDefinition<A, F>,
): EventDefinition<A, F> {
  return definition
}
