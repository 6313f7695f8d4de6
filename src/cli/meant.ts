/** Commands of other tools and their counterparts here; the best match comes first. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  delete: ['rm'],
  del: ['rm'],
  remove: ['rm'],
  destroy: ['rm'],
  down: ['rm', 'stop'],
  kill: ['stop', 'rm'],
  cancel: ['stop', 'rm'],
  pause: ['stop'],
  status: ['ps', 'get'],
  list: ['ps'],
  ls: ['ps'],
  queue: ['ps'],
  top: ['ps'],
  jobs: ['ps'],
  describe: ['get', 'explain'],
  show: ['get', 'explain'],
  inspect: ['get', 'explain'],
  why: ['explain'],
  ssh: ['exec', 'logs'],
  attach: ['logs', 'exec'],
  shell: ['exec'],
  tail: ['logs'],
  log: ['logs'],
  history: ['events'],
  run: ['launch', 'apply'],
  deploy: ['apply'],
  create: ['apply'],
  submit: ['apply'],
  start: ['apply', 'up'],
  serve: ['up', 'apply'],
  server: ['up'],
  retry: ['rerun'],
  reboot: ['restart'],
  rollback: ['apply'],
  check: ['validate'],
  lint: ['validate'],
  config: ['context', 'policy'],
  contexts: ['context'],
  whoami: ['context'],
  logout: ['context'],
  cluster: ['provider', 'fleet'],
  nodes: ['fleet', 'provider'],
  catalog: ['offers'],
  price: ['offers'],
}

/** Flags of other tools, and the advice for each. */
const FLAGS: Readonly<Record<string, string>> = {
  '-f': 'The file is an argument: berth apply FILE',
  '--file': 'The file is an argument: berth apply FILE',
  '--filename': 'The file is an argument: berth apply FILE',
  '-n': 'Did you mean --project?',
  '--namespace': 'Did you mean --project?',
  '--all-namespaces': 'Did you mean --all-projects?',
  '-w': 'To follow events, use berth events -f',
  '--watch': 'To follow events, use berth events -f',
  '--force': 'Did you mean --yes?',
  '--kubeconfig': 'Did you mean --context, or --config?',
  '--json': 'Did you mean -o json?',
}

/** Commander's message about a wrong command line, with what users of other tools mean by it. */
export function withMeaning(message: string, commands: readonly string[]): string {
  const command = /unknown command '([^']*)'/.exec(message)?.[1]
  const known = command === undefined ? [] : (ownOf(COMMANDS, command) ?? []).filter((name) => commands.includes(name))
  if (known.length > 0) return said(message, `Did you mean ${known.map((name) => `berth ${name}`).join(' or ')}?`)
  const flag = /unknown option '([^'=]*)/.exec(message)?.[1]
  const meant = flag === undefined ? undefined : ownOf(FLAGS, flag)
  if (meant !== undefined) return said(message, meant)
  if (/too many arguments for 'up'/.test(message))
    return said(message, 'berth up starts a control plane; to run a manifest, use berth apply FILE')
  return message
}

/** Our suggestion in place of commander's nearest word. */
function said(message: string, what: string): string {
  const [first = ''] = message.split('\n')
  return `${first}\n(${what})${message.endsWith('\n') ? '\n' : ''}`
}

function ownOf<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
