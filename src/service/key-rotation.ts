import { auditBy } from './audit.ts'
import { refuse } from '../core/base/refuse.ts'
import type { NewAudit } from '../core/event/event.ts'
import type { At, RotationView } from '../ports/berth.ts'
import type { Row } from '../ports/store.ts'
import { PLATFORM_SCOPE, secretAbout } from './credentials.ts'
import type { Principal, ServiceDeps } from './deps.ts'
import { everyRow, someOf } from './platform-rows.ts'
import { changeOnce, type Attempt, type Once } from './requests.ts'
import { atOf } from './secrets.ts'

// A rotation is a row from its beginning to its end: `KEY`, or `KEY CALL` while the control planes are asked whether they
// have the key. After a crash the next rotation finds the row and goes on with the same key. No key is ever taken out of
// the key file, so at every moment every value can be decrypted.

/** The setting with the rotation that is under way. */
const ROTATION = 'key-rotation'

/** Answers of control planes: `CALL has|lacks leads|follows NAME`. */
const ANSWERS = 'key-rotation-answer/'

/** How long control planes have to answer; each looks once a second. */
const ANSWER_MS = 5000
const LOOK_MS = 250

/** What was set with the old key during one pass is found by the next. */
const PASSES_MAX = 5

/** Encrypts every secret and credential under a new key. Repeated after a crash or a refusal, it goes on with the same key. */
export async function rotateSecrets(
  deps: ServiceDeps,
  actor: Principal,
  once: Once | undefined,
): Promise<RotationView> {
  const key = await begin(deps, actor, once && { ...once, project: PLATFORM_SCOPE })
  // A repeated request may come when the rotation has ended.
  if (keyIn(await deps.store.get('setting', ROTATION)) === key) {
    deps.vault.addKey(key)
    if (deps.info().store === 'postgres') await refuseUnshared(deps, key)
    deps.vault.useKey(key)
  }
  const view = { key, ...(await encryptAll(deps, actor)) }
  await end(deps, actor, view)
  return view
}

async function begin(deps: ServiceDeps, actor: Principal, once: Once | undefined): Promise<string> {
  const { vault, hashing } = deps
  return changeOnce(deps, once, async () => {
    const row = await deps.store.get('setting', ROTATION)
    const begun = keyIn(row)
    // One that began at a control plane with a key file of its own cannot be continued here.
    if (begun !== undefined && vault.hasKey(begun)) return { answer: begun, commit: { writes: [] } }
    const key = hashing.sha256(hashing.newToken()).slice(0, 12)
    const write = { kind: 'setting' as const, key: ROTATION, version: row?.version ?? 0, body: { value: key } }
    return { answer: key, commit: { writes: [write], audit: [auditOf(deps, actor, { action: 'key.create', key })] } }
  })
}

function keyIn(row: Row<'setting'> | undefined): string | undefined {
  return row?.body.value.split(' ')[0]
}

function auditOf(
  { clock }: ServiceDeps,
  actor: Principal,
  { action, key, facts = {} }: { readonly action: string; readonly key: string; readonly facts?: NewAudit['facts'] },
): NewAudit {
  return auditBy(actor, { atMs: clock.nowMs(), project: PLATFORM_SCOPE, action, subject: `key/${key}`, facts })
}

/** Before anything is encrypted with the key, every live control plane of the same database must have it. */
async function refuseUnshared(deps: ServiceDeps, key: string): Promise<void> {
  const call = deps.random.id()
  await callAll(deps, { key, call })
  let answers: readonly PlaneAnswer[] = []
  for (let waitedMs = 0; waitedMs < ANSWER_MS; waitedMs += LOOK_MS) {
    await deps.timers.sleep(LOOK_MS)
    answers = (await everyRow(deps.store, 'setting', ANSWERS)).flatMap((row) => answerIn(row, call))
    const lacking = answers.filter(({ has }) => !has)
    if (lacking.length > 0) throw notShared(key, `is missing in the key file of ${namesOf(lacking)}`)
  }
  // Another request has asked since, and its answers are not those to this call.
  if ((await deps.store.get('setting', ROTATION))?.body.value !== `${key} ${call}`) throw meanwhile()
  // There is a leader, and it would have answered if it were of this version and could reach the store.
  if (!answers.some(({ leads }) => leads))
    throw notShared(key, 'may be missing: the leading control plane did not say within 5 seconds whether it has it')
}

async function callAll(deps: ServiceDeps, { key, call }: { readonly key: string; readonly call: string }) {
  await changeOnce(deps, undefined, async () => {
    const row = await deps.store.get('setting', ROTATION)
    if (row === undefined || keyIn(row) !== key) throw meanwhile()
    const write = { kind: 'setting' as const, key: ROTATION, version: row.version, body: { value: `${key} ${call}` } }
    return { answer: undefined, commit: { writes: [write, ...(await answersGone(deps))] } }
  })
}

async function answersGone({ store }: ServiceDeps) {
  const rows = await everyRow(store, 'setting', ANSWERS)
  return rows.map(({ key }) => ({ kind: 'setting' as const, key, body: undefined }))
}

interface PlaneAnswer {
  readonly has: boolean
  readonly leads: boolean
  readonly name: string
}

function answerIn({ body }: Row<'setting'>, call: string): readonly PlaneAnswer[] {
  const [to, has, leads, ...name] = body.value.split(' ')
  return to === call ? [{ has: has === 'has', leads: leads === 'leads', name: name.join(' ') }] : []
}

function namesOf(planes: readonly PlaneAnswer[]): string {
  const names = someOf(planes.map(({ name }) => name))
  return `${planes.length === 1 ? 'the control plane' : 'the control planes'} ${names}`
}

function notShared(key: string, why: string) {
  const hint = `Copy the key file with ${key} to every control plane, or give all the same file with --vault-key; then rotate again.`
  return refuse('KEY_NOT_SHARED', `The new key ${key} ${why}. No secret was encrypted with it.`, hint)
}

function meanwhile() {
  return refuse('CHANGED_MEANWHILE', 'Another rotation began at the same time; this one ended.', 'Rotate again.')
}

/** How a control plane is known to others: by an id of its own, and by a name for its operators. */
export interface PlaneName {
  readonly id: string
  readonly name: string
}

/** Says to a rotation that is under way whether this control plane has its key. Call it every second. */
export async function answerRotation(
  { store, vault, info }: Pick<ServiceDeps, 'store' | 'vault' | 'info'>,
  { id, name }: PlaneName,
): Promise<void> {
  const [key, call] = (await store.get('setting', ROTATION))?.body.value.split(' ') ?? []
  if (key === undefined || call === undefined) return
  const at = `${ANSWERS}${id}`
  if ((await store.get('setting', at))?.body.value.startsWith(`${call} `) === true) return
  const value = [call, vault.hasKey(key) ? 'has' : 'lacks', info().leader ? 'leads' : 'follows', name].join(' ')
  await store.commit({ writes: [{ kind: 'setting', key: at, body: { value } }] })
}

type Encrypted = Omit<RotationView, 'key'>

async function encryptAll(deps: ServiceDeps, actor: Principal): Promise<Encrypted> {
  for (let pass = 1; ; pass++) {
    const { view, changed } = await encryptOnce(deps, actor)
    if (changed === 0 || pass >= PASSES_MAX) return view
  }
}

async function encryptOnce(deps: ServiceDeps, actor: Principal) {
  const unopened: At[] = []
  const counts = { secrets: 0, credentials: 0 }
  let changed = 0
  for (const row of await everyRow(deps.store, 'secret', '')) {
    const at = atOf(row)
    const outcome = await encryptOne(deps, actor, row.key)
    if (outcome === 'unopened') unopened.push(at)
    if (outcome === 'changed') changed += 1
    if (outcome === 'changed' || outcome === 'same') counts[at.project === PLATFORM_SCOPE ? 'credentials' : 'secrets']++
  }
  return { view: { ...counts, unopened }, changed }
}

type Outcome = 'changed' | 'same' | 'unopened' | 'gone'

async function encryptOne(deps: ServiceDeps, actor: Principal, key: string): Promise<Outcome> {
  return changeOnce(deps, undefined, async (): Promise<Attempt<Outcome>> => {
    const row = await deps.store.get('secret', key)
    if (row === undefined) return { answer: 'gone', commit: { writes: [] } }
    const at = atOf(row)
    const sealed = deps.vault.rotate(row.body.sealed, secretAbout(at, row.body.version))
    if (sealed === undefined) return { answer: 'unopened', commit: { writes: [] } }
    if (sealed === row.body.sealed) return { answer: 'same', commit: { writes: [] } }
    const write = { kind: 'secret' as const, key, version: row.version, body: { ...row.body, sealed } }
    // The value and its version stay, so users have nothing to learn from it: an audit entry, and no event.
    const done = { atMs: deps.clock.nowMs(), actor: actor.name, project: at.project, action: 'secret.rotate' }
    const audit = [{ ...done, subject: `secret/${at.name}`, facts: { version: row.body.version } }]
    return { answer: 'changed', commit: { writes: [write], audit } }
  })
}

async function end(deps: ServiceDeps, actor: Principal, { key, ...view }: RotationView): Promise<void> {
  await changeOnce(deps, undefined, async () => {
    const row = await deps.store.get('setting', ROTATION)
    if (row === undefined || keyIn(row) !== key) return { answer: undefined, commit: { writes: [] } }
    const gone = { kind: 'setting' as const, key: ROTATION, version: row.version, body: undefined }
    const facts = { secrets: view.secrets, credentials: view.credentials, unopened: view.unopened.length }
    const audit = [auditOf(deps, actor, { action: 'key.rotate', key, facts })]
    return { answer: undefined, commit: { writes: [gone, ...(await answersGone(deps))], audit } }
  })
}
