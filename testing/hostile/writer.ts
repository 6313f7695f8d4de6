import type { Berth } from '../../src/ports/berth.ts'
import { sleep } from '../plane/plane.ts'

interface WriterSetup {
  readonly stop: AbortSignal
  /** What each log is filled with. */
  readonly logBytes: number
}

/** Manifests of the largest kind, programs that print and fork and end without end. */
export class HostileWriter {
  readonly #berth: Berth
  readonly #setup: WriterSetup
  accepted = 0
  refused = 0

  constructor(berth: Berth, setup: WriterSetup) {
    this.#berth = berth
    this.#setup = setup
  }

  /** Those whose logs are worth reading. */
  get talkers(): readonly string[] {
    return ['lines', 'no-lines', 'flood']
  }

  async begin(): Promise<void> {
    const { logBytes } = this.#setup
    await this.#run('lines', `yes 0123456789012345678901234567890123456789 | head -c ${logBytes}; exec sleep 100000`)
    await this.#run('no-lines', `tr '\\0' x < /dev/zero | head -c ${logBytes}; exec sleep 100000`)
    await this.#run('flood', 'exec yes flood')
    await this.#run('forks', 'while :; do for i in 1 2 3 4 5 6 7 8; do sleep 0.2 & done; wait; done')
    await this.#run('execs', 'while :; do /bin/true; done')
  }

  async run(): Promise<void> {
    const texts = [WIDE, POISON, LONG, DEEP]
    for (let at = 0; !this.#setup.stop.aborted; at++) {
      const text = texts[at % texts.length]?.(`big-${at % 40}`) ?? ''
      await this.#apply(text)
      await sleep(50)
    }
  }

  async #run(name: string, script: string): Promise<void> {
    const command = ['/bin/sh', '-c', script]
    await this.#apply(
      JSON.stringify({ berth: 'v1', kind: 'service', name, image: 'none', command, resources: { cpu: 0.1 } }),
    )
  }

  async #apply(text: string): Promise<void> {
    const asking = this.#berth.apply({ project: 'hostile', text, file: 'big.yaml', idempotencyKey: `${Math.random()}` })
    await asking.then(
      () => this.accepted++,
      () => this.refused++,
    )
  }
}

const HEAD = (name: string): string => `berth: v1\nkind: service\nname: ${name}\nimage: a/b:1\n`
const NEED = 'resources: { cpu: 200, memory: 400Gi }\n'

/** As many slots as are allowed, none of which finds a place. */
const WIDE = (name: string): string => `${HEAD(name)}resources: { cpu: 500 }\nreplicas: 10000\n`

/** Far more than are allowed, in a few lines. */
const POISON = (name: string): string =>
  `${HEAD(name)}${NEED}roles:\n${Array.from({ length: 1000 }, (_, at) => `  r${at}: { replicas: 10000 }\n`).join('')}`

/** Almost as many bytes as are read. */
const LONG = (name: string): string =>
  `${HEAD(name)}${NEED}args:\n${Array.from({ length: 1000 }, () => `  - ${'x'.repeat(240)}\n`).join('')}`

/** As many mistakes as fit. */
const DEEP = (name: string): string =>
  `${HEAD(name)}${NEED}${Array.from({ length: 10_000 }, (_, at) => `wrong_${at}: 1\n`).join('')}`
