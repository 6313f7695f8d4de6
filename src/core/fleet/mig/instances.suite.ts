import { must } from '../../base/assert.ts'
import { PUBLISHED } from './published.suite.ts'
import { randomFrom } from './random.suite.ts'

/** Idle cards of one model, and requests for profiles in order of arrival. */
export interface SmallInstance {
  readonly model: string
  readonly cards: number
  /** Indices into the profiles of the model. */
  readonly requests: readonly number[]
}

/** 1 to 4 cards and 4 to 20 requests, all profiles equally likely, over all models that have several. */
export function smallInstances(count: number, seed: number): readonly SmallInstance[] {
  const random = randomFrom(seed)
  const models = [...PUBLISHED].filter(([, profiles]) => profiles.length > 1)
  return Array.from({ length: count }, () => {
    const [model, profiles] = must(models[random(models.length)], 'a model')
    const cards = 1 + random(4)
    const requests = Array.from({ length: 4 + random(17) }, () => random(profiles.length))
    return { model, cards, requests }
  })
}
