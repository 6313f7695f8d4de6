import { must } from '../../core/base/assert.ts'
import { Controller } from '../controller.ts'
import { Story } from '../story.suite.ts'
import { headLine } from './recording.ts'

const SERVICE = 'berth: v1\nname: demo\nimage: acme/app:1\nkind: service\nresources: { gpu: { count: 1 } }\n'

/** The recording of a leader that starts one service, whose provider has no limit on calls. */
export async function recordedService(): Promise<readonly string[]> {
  const lines = [headLine('1.2.3')]
  const story = new Story()
  story.cloud('north', { can: { burst: Infinity } })
  const { deps } = story.depsAnd('one')
  const stop = new AbortController()
  void new Controller({ ...deps, record: (line) => lines.push(line) }).run(stop.signal)
  await story.apply(SERVICE)
  await story.pass(20)
  must((await story.placement())?.phase === 'running' ? true : undefined, 'a service that runs')
  stop.abort()
  return lines
}
