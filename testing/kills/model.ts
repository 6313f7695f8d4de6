/** What a client may ask of one workload. */
export type Wish =
  | { readonly kind: 'apply'; readonly text: string }
  | { readonly kind: 'scale'; readonly replicas: number }
  | { readonly kind: 'stop' }
  | { readonly kind: 'remove' }

/** How one workload may stand. `removed`: it is leaving, or has left; who knows. */
export type Stand =
  | { readonly kind: 'absent' }
  | { readonly kind: 'removed' }
  | { readonly kind: 'kept'; readonly text: string; readonly want: 'running' | 'stopped'; readonly replicas: number }

/** How a request ended for the client. */
export type Ending = 'done' | 'refused' | 'unknown'

/** Replicas that every manifest asks for; other numbers come by scaling. */
export const REPLICAS = 1

/**
 * Everything that a client knows of one workload: how it may stand after all that was acknowledged, refused or never
 * answered. Nothing is left when the control plane has lost or invented something.
 */
export class Register {
  #may: readonly Stand[] = [{ kind: 'absent' }]
  readonly #story: string[] = []

  get may(): readonly Stand[] {
    return this.#may
  }

  /** What happened last, to help find the cause. */
  get story(): readonly string[] {
    return this.#story.slice(-8)
  }

  /** False: this cannot be, whatever became of the requests without an answer. */
  ended(wish: Wish, ending: Ending): boolean {
    this.#tell(`${wish.kind}${wish.kind === 'scale' ? ` ${wish.replicas}` : ''}: ${ending}`)
    const done = this.#may.flatMap((stand) => afterDone(stand, wish))
    if (ending === 'unknown') this.#may = distinct([...this.#may, ...done])
    else this.#may = ending === 'done' ? distinct(done) : this.#may.filter((stand) => isRefused(stand, wish))
    return this.#may.length > 0
  }

  /** The state in which it was found, which is the expected one from now on. */
  seen(found: Stand): boolean {
    this.#tell(`seen ${found.kind === 'kept' ? `${found.want} × ${found.replicas}` : found.kind}`)
    const fitting = this.#may.filter((stand) => fits(stand, found))
    // What was found counts for what follows also when it is wrong: one loss is told once.
    this.#may = fitting.length > 0 ? fitting : [found]
    return fitting.length > 0
  }

  #tell(what: string): void {
    this.#story.push(what)
  }
}

/** How it may stand once the request was carried out; nothing: it cannot be carried out. */
function afterDone(stand: Stand, wish: Wish): readonly Stand[] {
  switch (wish.kind) {
    case 'apply':
      // What is applied holds, also over a count set by hand. A workload that was being removed may be gone by now, and its name is free.
      return [{ kind: 'kept', text: wish.text, want: 'running', replicas: REPLICAS }]
    case 'scale':
      return stand.kind === 'kept' ? [{ ...stand, replicas: wish.replicas }] : []
    case 'stop':
      return stand.kind === 'kept' ? [{ ...stand, want: 'stopped' }] : stand.kind === 'removed' ? [stand] : []
    case 'remove':
      return stand.kind === 'absent' ? [] : [{ kind: 'removed' }]
  }
}

function isRefused(stand: Stand, wish: Wish): boolean {
  return wish.kind === 'apply' ? stand.kind === 'removed' : stand.kind !== 'kept'
}

function fits(stand: Stand, found: Stand): boolean {
  if (stand.kind === 'removed') return found.kind !== 'kept'
  return JSON.stringify(stand) === JSON.stringify(found)
}

function distinct(stands: readonly Stand[]): readonly Stand[] {
  return [...new Map(stands.map((stand) => [JSON.stringify(stand), stand])).values()]
}
