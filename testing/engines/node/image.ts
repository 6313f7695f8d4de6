import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findS3Server } from '../../storage/server.ts'

/** A server of one page on port 8000, and what keeps a pod's network open. */
export const WEB_IMAGE = 'registry.test/web:1'
/** All that a busybox has, and an rclone, if the machine has one that is whole in itself. */
export const TOOLS_IMAGE = 'registry.test/tools:1'
export const PAUSE_IMAGE = 'registry.test/pause:1'
export const PAGE = 'hello from a real pod'

const BUSYBOX = '/bin/busybox'

/** Both images in one archive that containerd imports, made of the machine's own busybox: nothing has to be downloaded. */
export function writeImages(file: string): void {
  const scratch = mkdtempSync(join(tmpdir(), 'berth-image-'))
  try {
    const layer = layerIn(scratch)
    const images = [
      { name: WEB_IMAGE, argv: ['/bin/busybox', 'httpd', '-f', '-p', '8000', '-h', '/www'] },
      { name: TOOLS_IMAGE, argv: ['/bin/busybox', 'sh'] },
      { name: PAUSE_IMAGE, argv: ['/bin/busybox', 'sleep', 'infinity'] },
    ]
    const listed = images.map(({ name, argv }) => {
      const config = `${name.replace(/\W/g, '-')}.json`
      writeFileSync(join(scratch, config), JSON.stringify(configOf(argv, layer)))
      return { Config: config, RepoTags: [name], Layers: ['layer.tar'] }
    })
    writeFileSync(join(scratch, 'manifest.json'), JSON.stringify(listed))
    const parts = ['layer.tar', 'manifest.json', ...listed.map(({ Config }) => Config)]
    execFileSync('tar', ['-C', scratch, '-cf', file, ...parts])
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

/** Writes `layer.tar`; its digest. */
function layerIn(scratch: string): string {
  const root = join(scratch, 'root')
  for (const folder of ['bin', 'www', 'tmp', 'etc']) mkdirSync(join(root, folder), { recursive: true })
  copyFileSync(BUSYBOX, join(root, 'bin/busybox'))
  const applets = execFileSync(BUSYBOX, ['--list'], { encoding: 'utf8' }).split('\n').filter(Boolean)
  for (const name of applets) if (name !== 'busybox') symlinkSync('busybox', join(root, 'bin', name))
  const rclone = findS3Server()
  if (rclone !== undefined) copyFileSync(rclone, join(root, 'bin/rclone'))
  writeFileSync(join(root, 'www/index.html'), `${PAGE}\n`)
  const layer = join(scratch, 'layer.tar')
  execFileSync('tar', ['-C', root, '--owner=0', '--group=0', '-cf', layer, '.'])
  return createHash('sha256').update(readFileSync(layer)).digest('hex')
}

function configOf(argv: readonly string[], layer: string): object {
  return {
    architecture: 'amd64',
    os: 'linux',
    config: { Entrypoint: argv, Env: ['PATH=/bin'] },
    rootfs: { type: 'layers', diff_ids: [`sha256:${layer}`] },
  }
}
