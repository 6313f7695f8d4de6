import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Dice } from '../../../src/core/base/dice.ts'
import { IS_WHOLE } from '../../../src/core/base/laws.suite.ts'
import { lackFor } from '../../../src/providers/local/bench.suite.ts'
import { FakeDocker, GOOD } from './fake-docker.suite.ts'
import { hostileOrder } from './hostile.suite.ts'
import { RealDocker } from './podman.suite.ts'
import { runScript } from './script.suite.ts'

const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0

/** Texts in all, and in each container. `BERTH_HOSTILE=100000` runs as many. */
const TEXTS = Number(process.env['BERTH_HOSTILE'] ?? 2000)
const EACH = 1000

test.skipIf(!HAS_PYTHON)('the script hands everything over to docker, byte for byte (needs python3)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-hostile-'))
  const docker = new FakeDocker()
  docker.replies = GOOD
  docker.server.listen(join(folder, 'docker.sock'))
  await once(docker.server, 'listening')
  try {
    const order = hostileOrder(new Dice(1), 300)
    expect(await runScript(order, folder, join(folder, 'docker.sock'))).toEqual({ state: 'ended', code: 7 })
    expect(docker.created).toMatchObject({
      Env: Object.entries(order.env).map(([name, value]) => `${name}=${value}`),
      Entrypoint: order.command,
      Cmd: order.args,
    })
  } finally {
    docker.server.closeAllConnections()
    docker.server.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

const isAsked = IS_WHOLE || process.env['BERTH_HOSTILE'] !== undefined
const lack = isAsked ? lackFor(['podman', 'runc', 'conmon', 'python3']) : 'containers are tried by npm run test:all'
if (lack !== undefined) test.skip(lack, () => undefined)

describe.skipIf(lack !== undefined)('in a real container', () => {
  let docker: RealDocker
  beforeAll(() => {
    docker = new RealDocker()
    return docker.start()
  }, 120_000)
  afterAll(() => docker.close(), 120_000)

  test(`${TEXTS} hostile texts arrive byte for byte, and nothing else runs`, { timeout: 3_600_000 }, async () => {
    for (let done = 0; done < TEXTS; done += EACH) {
      const order = hostileOrder(new Dice(done + 17), Math.min(EACH, TEXTS - done))
      expect(await runScript(order, docker.folder, docker.socket)).toEqual({ state: 'ended', code: 0 })
      const words = wordsIn(await docker.file('/cmdline'))
      expect(words).toEqual([...order.command, ...order.args])
      const given = new Map(wordsIn(await docker.file('/environ')).map((each) => pairIn(each)))
      for (const [name, value] of Object.entries(order.env)) expect([name, given.get(name)]).toEqual([name, value])
      expect(await docker.changed()).not.toContain('/owned')
      expect(existsSync('/owned') || existsSync(join(docker.folder, 'owned'))).toBe(false)
      await docker.remove()
    }
  })
})

/** Texts that end with a NUL each, as the kernel lists them. They must be valid UTF-8. */
function wordsIn(bytes: Buffer): readonly string[] {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).split('\0').slice(0, -1)
}

function pairIn(pair: string): readonly [string, string] {
  const at = pair.indexOf('=')
  return [pair.slice(0, at), pair.slice(at + 1)]
}
