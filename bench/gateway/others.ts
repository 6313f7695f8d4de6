import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A proxy as Debian has it, before the same backend: one thread, connections to the backend kept open, no log. */
interface OtherProxy {
  readonly name: string
  readonly argv: (config: string, folder: string) => readonly string[]
  readonly config: (ports: Ports, folder: string) => string
}

interface Ports {
  readonly own: number
  readonly backend: number
}

export const OTHERS: readonly OtherProxy[] = [
  {
    name: 'nginx',
    argv: (config, folder) => ['nginx', '-p', folder, '-c', config, '-g', 'daemon off;'],
    config: ({ own, backend }, folder) => `
worker_processes 1;
pid ${folder}/nginx.pid;
error_log /dev/null;
events { worker_connections 8192; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  keepalive_requests 100000000;
  upstream backend { server 127.0.0.1:${backend}; keepalive 1024; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${own} backlog=4096;
    location / {
      proxy_pass http://backend;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Request-Id $request_id;
      proxy_buffering off;
    }
  }
}`,
  },
  {
    name: 'haproxy',
    argv: (config) => ['haproxy', '-db', '-f', config],
    config: ({ own, backend }) => `
global
  nbthread 1
  maxconn 8192
defaults
  mode http
  option forwardfor
  option http-keep-alive
  http-reuse always
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend f
  bind 127.0.0.1:${own} backlog 4096
  unique-id-format %{+X}o%Ts%pid%rt
  unique-id-header X-Request-Id
  default_backend b
backend b
  balance leastconn
  server s 127.0.0.1:${backend}`,
  },
  {
    name: 'caddy',
    argv: (config) => ['caddy', 'run', '--config', config, '--adapter', 'caddyfile'],
    config: ({ own, backend }) => `
{
  admin off
  auto_https off
  log {
    output discard
  }
}
http://127.0.0.1:${own} {
  reverse_proxy 127.0.0.1:${backend} {
    flush_interval -1
    transport http {
      keepalive_idle_conns_per_host 1024
    }
  }
}`,
  },
]

/** A proxy that runs. */
export interface RunningProxy {
  readonly port: number
  /** Processor time of it and of all that it started. */
  readonly cpuUs: () => number
  readonly stop: () => void
}

/** Starts it before the backend; undefined: this machine does not have it. */
export async function startOther({ name, argv, config }: OtherProxy, ports: Ports): Promise<RunningProxy | undefined> {
  if (spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'berth-bench-'))
  const file = join(folder, `${name}.conf`)
  writeFileSync(file, `${config(ports, folder)}\n`)
  const [program = '', ...flags] = argv(file, folder)
  const env = { ...process.env, GOMAXPROCS: '1', XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = spawn(program, flags, { stdio: 'ignore', env })
  while (!(await answers(ports.own))) {
    if (child.exitCode !== null) throw new Error(`${name} does not start: ${argv(file, folder).join(' ')}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const stop = (): void => {
    child.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    child.kill('SIGTERM')
  }
  return { port: ports.own, cpuUs: () => cpuUsOf(child), stop }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => socket.destroy())
    socket.on('error', () => resolve(false))
    socket.on('close', (hadError) => resolve(!hadError))
  })
}

/** In clock ticks of a hundredth of a second, by process. */
function cpuUsOf({ pid = 0 }: ChildProcess): number {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return all.reduce((sum, name) => sum + ticksOf(name, pid) * 10_000, 0)
}

function ticksOf(name: string, family: number): number {
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const isOf = Number(name) === family || Number(fields[1]) === family
    return isOf ? Number(fields[11]) + Number(fields[12]) : 0
  } catch {
    // It has ended meanwhile.
    return 0
  }
}
