import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import type { FakeMachine } from '../clouds/engine.ts'
import type { RealDocker } from '../clouds/vm-runner/podman.suite.ts'

const FILES = z.object({
  write_files: z.array(z.object({ path: z.string(), permissions: z.string(), content: z.string() })),
})

const ROOT = '/var/lib/berth'

/** A virtual machine that really runs what it was told: in a folder instead of its root, with a podman of its own. */
export class PodmanVm {
  readonly #docker: RealDocker
  readonly #runners: ChildProcess[] = []
  /** What its runner printed. */
  said = ''

  constructor(docker: RealDocker) {
    this.#docker = docker
  }

  boot({ body }: FakeMachine): void {
    const data = z.object({ user_data: z.string() }).parse(body).user_data
    const { write_files: files } = FILES.parse(JSON.parse(data.replace(/^#cloud-config\n/, '')))
    const { folder, socket } = this.#docker
    for (const { path, permissions, content } of files) {
      const text = Buffer.from(content, 'base64').toString('utf8')
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      const moved = path.endsWith('work.json') ? text.replaceAll(ROOT, `${folder}${ROOT}`) : text
      writeFileSync(join(folder, path), moved, { mode: Number.parseInt(permissions, 8) })
    }
    const env = { PATH: '/usr/bin:/bin', BERTH_WORK: join(folder, ROOT, 'work.json'), BERTH_DOCKER: socket }
    const runner = spawn('python3', [join(folder, ROOT, 'runner.py')], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [runner.stdout, runner.stderr]) stream.on('data', (part) => (this.said += String(part)))
    this.#runners.push(runner)
  }

  close(): void {
    for (const runner of this.#runners) runner.kill('SIGKILL')
  }
}
