import { describe, expect, test } from 'vitest'
import { Story, type StoryCloud } from './story.suite.ts'

const HEAD = 'berth: v1\nname: demo\nimage: acme/app:1\nresources: { gpu: { count: 1 } }\n'
const SERVICE = `${HEAD}kind: service\n`
const JOB = `${HEAD}kind: job\nenv: { SIM_SECONDS: '20' }\n`

function begin() {
  const story = new Story()
  const north = story.cloud('north')
  const first = story.controller('one')
  return { story, north, first }
}

/** Events of these kinds, as `subject kind facts`. */
async function told(story: Story, ...kinds: readonly string[]): Promise<readonly string[]> {
  const events = (await story.events()).filter(({ kind }) => kinds.includes(kind))
  return events.map(({ project, subject, kind, facts }) => `${project} ${subject} ${kind} ${JSON.stringify(facts)}`)
}

/** Nobody there answers for a while. */
function silence({ next }: StoryCloud, times: number): void {
  for (const ask of ['list', 'offers'] as const)
    next.set(
      ask,
      Array.from({ length: times }, () => 'unreachable'),
    )
}

describe('it is told', () => {
  test('that a job is done, once, with how often it ran', async () => {
    const { story } = begin()
    await story.apply(`${JOB}completions: 2\n`)
    await story.pass(180)
    expect((await story.status())?.end?.state).toBe('done')
    expect(await told(story, 'done', 'failed')).toEqual([
      expect.stringMatching(
        /^default workload\/demo done \{"completions":2,"exit_code":0,"attempts":2,"ran_ms":\d+\}$/,
      ),
    ])
  })

  test('that a job was given up, and that one ran for too long', async () => {
    const { story } = begin()
    await story.apply(`${JOB.replace("'20'", "'5', SIM_EXIT: '3'")}restart: { max: 1 }\n`)
    await story.apply(`${JOB.replace('demo', 'long').replace("'20'", "'900'")}max_duration: 60s\n`, { name: 'long' })
    await story.pass(240)
    const facts = '"slot":"0","why":"exit code 3 after 1 restart","failures":2,"goes_on":false'
    expect(await told(story, 'done', 'failed', 'gave-up')).toEqual([
      `default workload/demo gave-up {${facts},"epoch":2,"provider":"north","exit_code":3}`,
      'default workload/long failed {"why":"ran longer than max_duration (60 s)"}',
    ])
  })

  test('that a replica leaves a provider that is drained', async () => {
    const { story } = begin()
    story.cloud('south', { factor: 2 })
    await story.apply(`${SERVICE}migration: { on: [drain] }\n`)
    await story.pass(30)
    story.state('north', 'draining')
    await story.pass(120)
    expect(await story.standing()).toEqual(['demo/0.b running south'])
    const facts = '{"slot":"0","epoch":1,"provider":"north","why":"drained","exit":""}'
    expect(await told(story, 'drained', 'stopping', 'stopped', 'provider-drained')).toEqual([
      `default workload/demo drained ${facts}`,
      `default workload/demo stopped ${facts}`,
      '* provider/north provider-drained {}',
    ])
  })

  test('that a provider is drained, once for each drain, whichever process leads', async () => {
    const { story, first } = begin()
    await story.pass(30)
    story.state('north', 'draining')
    await story.pass(60)
    first.process.kill()
    story.controller('two')
    await story.pass(120)
    expect(await told(story, 'provider-drained')).toEqual(['* provider/north provider-drained {}'])
    const event = { atMs: story.loop.nowMs, project: '*', subject: 'provider/north', kind: 'provider-state' } as const
    story.state('north', 'open')
    await story.pass(30)
    await story.store.commit({ writes: [], events: [{ ...event, facts: { state: 'draining', by: 'ada' } }] })
    story.state('north', 'draining')
    await story.pass(60)
    const [, again, ...more] = await told(story, 'provider-drained')
    expect([again, more]).toEqual([
      expect.stringMatching(/^\* provider\/north provider-drained \{"took_ms":\d+\}$/),
      [],
    ])
  })

  test('of no drained provider while something of ours may be there', async () => {
    const { story, north } = begin()
    await story.apply(SERVICE)
    await story.pass(30)
    // It does not leave because of a drain, so it stays.
    story.state('north', 'draining')
    await story.pass(120)
    expect(story.billed()).toHaveLength(1)
    north.next.set('list', ['unreachable'])
    await story.pass(60)
    expect(await told(story, 'provider-drained')).toEqual([])
  })

  test('that an instance of ours belongs to nothing, and that it has ended, once each, however often it is stopped', async () => {
    const { story, north } = begin()
    await story.apply(SERVICE)
    await story.pass(10)
    const [own] = story.billed()
    if (own === undefined) throw new Error('it runs')
    north.cloud.restore({ ...own, id: 'i-north-90', tag: { ...own.tag, attempt: 'stray', epoch: 9 } })
    north.next.set('stop', ['unreachable', 'unreachable'])
    await story.pass(180)
    expect(story.billed().map(({ id }) => id)).toEqual([own.id])
    const facts = '"provider":"north","instance":"i-north-90","slot":"0","epoch":9,"attempt":"stray","usd_per_hour":0.8'
    expect(await told(story, 'orphan', 'orphan-ended')).toEqual([
      `default workload/demo orphan {${facts}}`,
      expect.stringMatching(/^default workload\/demo orphan-ended \{.+,"usd_per_hour":0\.8,"took_ms":[1-9]\d*\}$/),
    ])
  })

  test('that a provider does not answer and that it answers again, once each, whichever process leads', async () => {
    const { story, north, first } = begin()
    await story.pass(30)
    silence(north, 30)
    await story.pass(60)
    expect(await told(story, 'provider-down', 'provider-up')).toEqual([
      expect.stringMatching(/^\* provider\/north provider-down \{"class":"TRANSIENT","message":".+"\}$/),
    ])
    // Another one takes the lead while it is down, and has to find that out for itself.
    first.process.kill()
    story.controller('two')
    await story.pass(60)
    expect(await told(story, 'provider-down', 'provider-up')).toHaveLength(1)
    await story.pass(1200)
    const [, up, ...more] = await told(story, 'provider-down', 'provider-up')
    expect(up).toMatch(/^\* provider\/north provider-up \{"down_ms":\d+\}$/)
    expect(more).toEqual([])
  })

  test('nothing of a provider that answers', async () => {
    const { story } = begin()
    await story.pass(300)
    expect(await told(story, 'provider-down', 'provider-up')).toEqual([])
  })
})
