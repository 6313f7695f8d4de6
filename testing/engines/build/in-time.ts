import { spawn } from 'node:child_process'

const SAID_MOST = 2000

/**
 * Runs a program to its end. After the time limit it is killed together with everything that it started, which would otherwise hold on
 * to what it prints, and to us. Rejects with one line that says why it failed.
 */
export function runInTime(program: string, args: readonly string[], mostMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    let isLate = false
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-SAID_MOST)))
    const late = setTimeout(() => {
      isLate = true
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }, mostMs)
    child.once('error', (error) => {
      clearTimeout(late)
      reject(error)
    })
    child.once('close', (code, signal) => {
      clearTimeout(late)
      const last = said.trim().split('\n').at(-1) ?? ''
      if (isLate) reject(new Error(`${program} did not end within ${Math.round(mostMs / 1000)} s`))
      else if (code === 0) resolve()
      else reject(new Error(`${program} ended with ${code ?? signal}: ${last}`))
    })
  })
}
