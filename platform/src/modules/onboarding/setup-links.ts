import { onboarding as contract, type InputOf, mayInEnterprise } from '@busbar/contract'
import { tunnelPath } from '@busbar/link'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import type { Caller } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { changeMachine, type RightsChange, type RightsDeps } from '../access/index.ts'
import { createToken, hashToken, requireProof } from '../accounts/index.ts'
import { writeAudit } from '../audit/index.ts'
import type { BrandDirectory } from '../brands/index.ts'
import { updateMachine } from '../machine-register/index.ts'
import { findMembership } from '../spaces/index.ts'
import { findRegistered } from './onboarding-store.ts'
import * as store from './setup-links-store.ts'

const minuteMs = 60_000

export interface LinksDeps {
  readonly db: Database
  readonly secrets: SecretBox
  readonly brands: Pick<BrandDirectory, 'find'>
  /** Where people who came by this host reach the console. */
  originOf(host: string): string
}

/** The host by which a stranger came, with what the log may say of them. */
export interface LinkCaller {
  readonly token: string
  readonly host: string
  readonly address: string
  readonly now: number
}

/** A sealed secret cannot be opened for another link. */
const ownerOf = (tokenHash: Buffer) => `setup link ${tokenHash.toString('hex')}`

/** The address of a link, which a setup is begun with. */
export const urlOf = (origin: string, token: string): string =>
  origin + contract.getSetupScript.path.replace(':token', token)

/** Makes the machine's link in the transaction that gave it this secret (rules/machines.md: setup link). */
export async function putLink(
  { secrets, brands, originOf }: Omit<LinksDeps, 'db'>,
  trx: RightsChange['trx'],
  { machineId, secret, host }: { readonly machineId: number; readonly secret: string; readonly host: string },
  now: number,
): Promise<contract.SetupLink> {
  const token = createToken()
  const tokenHash = hashToken(token)
  const origin = originOf(host)
  const expireAt = now + contract.setupLinkMinutes * minuteMs
  await store.replaceLink(trx, {
    tokenHash,
    machineId,
    // Of the address that it names: people may have come by another one of ours.
    brandId: brands.find(new URL(origin).host).id,
    secret: secrets.seal(Buffer.from(secret), ownerOf(tokenHash)),
    at: new Date(now),
    expireAt: new Date(expireAt),
  })
  return { setupUrl: urlOf(origin, token), expireAt }
}

/**
 * Renews the secret of a machine and makes a link that hands it out. A machine that people registered and that never
 * connected has nothing to lose by it; of any other the Akey has to prove their password.
 * @throws Failure 403, PROOF_NEEDED
 */
export async function createLink(
  deps: RightsDeps & LinksDeps,
  caller: Caller & { readonly sessionId: number; readonly host: string },
  { machineId }: InputOf<typeof contract.createSetupLink>,
): Promise<contract.SetupLink> {
  const { now, host } = caller
  return changeMachine(deps, caller, machineId, async (scope) => {
    const { trx, record } = scope
    const registered = await findRegistered(trx, machineId)
    const isFresh = registered !== undefined && registered.connectedAt === null
    if (!isFresh) await requireProof(trx, caller.sessionId, now)
    if (!(scope.isAkey || (isFresh && (await isManager(scope, caller.userId))))) throw new Failure('403')
    const secret = createToken()
    await updateMachine(trx, machineId, { secret_hash: hashToken(secret) })
    await record({ kind: 'machine.secretReset' })
    return putLink(deps, trx, { machineId, secret, host }, now)
  })
}

async function isManager({ trx, machine }: RightsChange, userId: number): Promise<boolean> {
  const { owner_enterprise_id: eid } = machine
  const membership = eid === null ? undefined : await findMembership(trx, eid, userId)
  return membership !== undefined && mayInEnterprise(membership, 'manage')
}

/**
 * The link of a token, whatever has become of it.
 * @throws Failure SETUP_LINK_UNKNOWN, SETUP_LINK_ELSEWHERE
 */
async function findLink(
  { db, brands }: LinksDeps,
  { token, host }: Pick<LinkCaller, 'token' | 'host'>,
): Promise<store.LinkRow> {
  const link = await store.findLink(db, hashToken(token))
  if (!link) throw new Failure('SETUP_LINK_UNKNOWN')
  if (link.brand_id !== brands.find(host).id) throw new Failure('SETUP_LINK_ELSEWHERE')
  return link
}

/** A link that can be used now. @throws Failure as `findLink`, SETUP_LINK_USED, SETUP_LINK_OVER */
export async function requireLink(deps: LinksDeps, caller: Omit<LinkCaller, 'address'>) {
  const link = await findLink(deps, caller)
  const { secret } = link
  if (secret === null) throw new Failure('SETUP_LINK_USED')
  if (link.expire_at.getTime() <= caller.now) throw new Failure('SETUP_LINK_OVER')
  return { ...link, secret }
}

/**
 * The secret of a link's machine, and where its agent connects; the same again until it acknowledges, so that an agent
 * that was interrupted can begin anew. @throws Failure as `requireLink`
 */
export async function takeSecret(deps: LinksDeps, caller: LinkCaller) {
  const { db, secrets, originOf } = deps
  const { token, host, now } = caller
  const link = await requireLink(deps, caller)
  const tokenHash = hashToken(token)
  const secret = secrets.open(link.secret, ownerOf(tokenHash))
  // Sealed by an installation with another key, and restored into this one.
  if (!secret) throw new Failure('SETUP_LINK_UNKNOWN')
  if (!(await store.noteAsked(db, tokenHash, new Date(now)))) throw new Failure('SETUP_LINK_USED')
  const web = originOf(host)
  const sockets = web.replace(/^http/, 'ws')
  return {
    machineCode: link.code,
    secret: secret.toString(),
    urls: { web, mqtt: `${sockets}/mqtt`, tunnel: `${sockets}${tunnelPath}` },
    remote: 'drivers' as const,
    networks: [],
  }
}

/**
 * Ends a link whose secret its agent has stored; nothing happens to one that has ended. An agent that took longer than
 * the link lives may still acknowledge. @throws Failure as `findLink`, SETUP_LINK_OVER
 */
export async function acknowledge(deps: LinksDeps, caller: LinkCaller): Promise<void> {
  const link = await findLink(deps, caller)
  const at = new Date(caller.now)
  if (link.asked_at === null && link.expire_at <= at) throw new Failure('SETUP_LINK_OVER')
  await withTransaction(deps.db, async (trx) => {
    if (!(await store.acknowledgeLink(trx, hashToken(caller.token), at))) return
    await writeAudit(trx, {
      actorUserId: null,
      action: 'machine.setup',
      target: link.code,
      address: caller.address,
      result: 'ok',
      detail: { machineId: link.machine_id },
      at,
    })
  })
}
