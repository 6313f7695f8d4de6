import type { VmPlan } from './plan.ts'

/**
 * A plan as cloud-config. It is written as JSON, which is YAML too, and file contents are in base64: whatever is in a value,
 * it stays a value.
 */
export function cloudInit({ files, commands }: VmPlan): string {
  const config = {
    write_files: files.map(({ path, mode, content }) => ({
      path,
      permissions: mode,
      owner: 'root:root',
      encoding: 'b64',
      content: base64(content),
    })),
    runcmd: commands,
  }
  return `#cloud-config\n${JSON.stringify(config, undefined, 1)}\n`
}

/**
 * The same as a script, for clouds that take nothing else: its lines hold fixed words and base64, of which no shell makes anything
 * else.
 */
export function startScript({ files, commands }: VmPlan): string {
  const writes = files.map(({ path, mode, content }) => {
    return [
      `install -D -m ${mode} /dev/null ${path}`,
      `base64 -d > ${path} <<'END'`,
      ...lines(base64(content)),
      'END',
    ].join('\n')
  })
  return ['#!/bin/bash', 'set -eu', ...writes, ...commands.map((words) => words.join(' ')), ''].join('\n')
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

function lines(text: string): readonly string[] {
  return text.match(/.{1,76}/g) ?? []
}
