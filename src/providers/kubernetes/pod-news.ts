import { LATE, within } from '../../ports/deadline.ts'
import type { Timers } from '../../ports/timers.ts'
import { MAIN } from './names.ts'
import { textAt } from './nodes/object/json.ts'
import { readPod, type SeenPod } from './read/pod.ts'

/** What a watch tells of single pods, for launches that wait for a word about theirs: nobody has to ask for it again and again. */
export class PodNews {
  readonly #stories = new Map<string, Set<PodStory>>()

  /** Follows a pod by its name, before it is created. */
  follow(name: string): PodStory {
    const same = this.#stories.get(name) ?? new Set<PodStory>()
    const story = new PodStory(() => {
      same.delete(story)
      if (same.size === 0 && this.#stories.get(name) === same) this.#stories.delete(name)
    })
    same.add(story)
    this.#stories.set(name, same)
    return story
  }

  /** A pod has changed, as the watch shows it. */
  tell(object: unknown): void {
    const stories = this.#stories.get(textAt(object, 'metadata', 'name') ?? '')
    const pod = stories && readPod(object, MAIN)
    if (pod !== undefined) for (const story of stories ?? []) story.tell(pod)
  }
}

/** What was told of one pod. */
export class PodStory {
  readonly end: () => void
  #latest: SeenPod | undefined
  #told = Promise.withResolvers<'told'>()

  constructor(end: () => void) {
    this.end = end
  }

  tell(pod: SeenPod): void {
    this.#latest = pod
    this.#told.resolve('told')
    this.#told = Promise.withResolvers()
  }

  /** The pod as it was last told; undefined: nothing was, and the watch may be broken. */
  get latest(): SeenPod | undefined {
    return this.#latest
  }

  /** Waits for news, and no longer than that; whether there are any. */
  async news(timers: Timers, ms: number, signal: AbortSignal): Promise<boolean> {
    return (await within({ timers, ms, signal }, this.#told.promise)) !== LATE
  }
}
