import type { Hint } from '../../ports/provider.ts'
import type { WatchEvent } from './hints.ts'
import { textAt } from './nodes/object/json.ts'

/** What a pod of ours hints at. What we have placed is counted since we chose its place; what has ended leaves room. */
export function hintsOfOwn({ type, object }: WatchEvent): readonly Hint['what'][] {
  const phase = textAt(object, 'status', 'phase')
  const isOver = type === 'DELETED' || phase === 'Succeeded' || phase === 'Failed'
  return isOver ? ['instances', 'offers'] : ['instances']
}

/** What a pod of others hints at that holds something: what it holds does not change, so only its coming and going counts. */
export function hintsOfOthers({ type }: WatchEvent): readonly Hint['what'][] {
  return type === 'MODIFIED' ? [] : ['offers']
}
