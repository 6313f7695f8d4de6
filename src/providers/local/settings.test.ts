import { describe, expect, test } from 'vitest'
import { problemText, readSettings as read } from '../settings.ts'
import { localKind } from './kind.ts'

/** Settings, or what is wrong with them, in words. */
function readSettings(written: Readonly<Record<string, unknown>>) {
  const answer = read(localKind, written)
  return answer.ok ? answer : { ok: false, problems: answer.problems.map(problemText) }
}

test('without any, processes of this host run on what there is', () => {
  expect(readSettings({})).toMatchObject({
    ok: true,
    settings: { runtime: 'process', cpu: undefined, gpus: undefined, ports: { from: 20_000, to: 29_999 }, logMib: 16 },
  })
})

test('everything can be said', () => {
  const read = readSettings({
    runtime: 'podman',
    cpu: '1500m',
    memory: '8Gi',
    gpus: { model: 'h100-sxm', count: 2 },
    ports: '31000-31010',
    log: '4Mi',
    inbound: false,
    engine_flags: ['--runtime', 'runc'],
  })
  expect(read).toMatchObject({
    ok: true,
    settings: {
      runtime: 'podman',
      cpu: 1.5,
      memoryGib: 8,
      gpus: { kind: 'cards', models: ['h100-sxm', 'h100-sxm'] },
      ports: { from: 31_000, to: 31_010 },
      logMib: 4,
      inbound: false,
      engineFlags: ['--runtime', 'runc'],
    },
  })
})

describe('a wrong value is named with what would be right', () => {
  test.each([
    [{ runtime: 'containerd' }, 'runtime: must be process, podman, docker or auto'],
    [{ memory: '8' }, 'memory: is not an amount. Add a unit: 8Gi, or 8Mi.'],
    [{ ports: '100-20' }, 'ports: must be a range of port numbers such as 20000-29999'],
    [{ directory: 'work' }, 'directory: must be a path that begins with /'],
    [{ inbound: 'yes' }, 'inbound: must be true or false'],
    [{ runtim: 'auto' }, 'runtim: there is no such setting; did you mean runtime?'],
    [{ engine_flags: '--x' }, 'engine_flags: must be a list of arguments such as ["--cgroup-manager", "cgroupfs"]'],
  ])('%j', (written, problem) => {
    expect(readSettings(written)).toEqual({ ok: false, problems: [problem] })
  })

  test.each([[{ gpus: 3 }], [{ gpus: { model: 'h100-sxm', count: 32 } }], [{ gpus: [7] }], [{ gpus: '' }]])(
    '%j',
    (written) => {
      expect(readSettings(written)).toMatchObject({ ok: false, problems: [expect.stringMatching(/^gpus: must be/)] })
    },
  )

  test('all at once', () => {
    expect(readSettings({ cpu: 'many', memory: true, ports: 1 })).toMatchObject({ ok: false, problems: { length: 3 } })
  })
})
