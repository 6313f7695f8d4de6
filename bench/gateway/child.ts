import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A program of this folder, in a process of its own, that says its port. */
export async function started(
  name: string,
  args: readonly string[] = [],
): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(join(import.meta.dirname, `${name}.ts`), [...args])
  const [message] = await once(child, 'message')
  return { child, port: Number(message.port) }
}
