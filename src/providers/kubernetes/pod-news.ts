import { LATE, within } from '../../ports/deadline.ts'
import type { Timers } from '../../ports/timers.ts'
import { MAIN } from './names.ts'
import { textAt } from './nodes/object/json.ts'
import { readPod, type SeenPod } from './read/pod.ts'

/** What a watch tells of single pods, for launches that wait for a word about theirs: nobody has to ask for it again and again. */
export class PodNews {
  readonly #stories = new Map<string, Set<PodStory>>()
  #told = 0

  /** Follows a pod by its name, before it is created. */
  follow(name: string): PodStory {
    const same = this.#stories.get(name) ?? new Set<PodStory>()
    const before = this.#told
    const end = (): void => {
      same.delete(story)
      if (same.size === 0 && this.#stories.get(name) === same) this.#stories.delete(name)
    }
    const story = new PodStory({ end, isAlive: () => this.#told > before })
    same.add(story)
    this.#stories.set(name, same)
    return story
  }

  /** A pod has changed, as the watch shows it. */
  tell(object: unknown): void {
    this.#told++
    const stories = this.#stories.get(textAt(object, 'metadata', 'name') ?? '')
    const pod = stories && readPod(object, MAIN)
    if (pod !== undefined) for (const story of stories ?? []) story.tell(pod)
  }
}

/** What was told of one pod. */
export class PodStory {
  readonly end: () => void
  /** Whether the watch has told anything since, of this pod or of another: then it is not broken, however late it is. */
  readonly isAlive: () => boolean
  #latest: SeenPod | undefined
  #told = Promise.withResolvers<'told'>()

  constructor({ end, isAlive }: Pick<PodStory, 'end' | 'isAlive'>) {
    this.end = end
    this.isAlive = isAlive
  }

  tell(pod: SeenPod): void {
    this.#latest = pod
    this.#told.resolve('told')
    this.#told = Promise.withResolvers()
  }

  /** The pod as it was last told; undefined: nothing was yet. */
  get latest(): SeenPod | undefined {
    return this.#latest
  }

  /** Waits for news, and no longer than that; whether there are any. */
  async news(timers: Timers, ms: number, signal: AbortSignal): Promise<boolean> {
    return (await within({ timers, ms, signal }, this.#told.promise)) !== LATE
  }
}
