import { projects as contract, type InputOf, mayInEnterprise } from '@busbar/contract'
import { withTransaction } from '../../kernel/database/database.ts'
import type { Caller } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { requireProof } from '../accounts/index.ts'
import { findMembership, spaceOfCall } from '../spaces/index.ts'
import { createMember } from './members-store.ts'
import { requireRoom } from './people-service.ts'
import { type ChangeDeps, changeProject, recordAct } from './project-change.ts'
import { renewKey } from './project-keys.ts'
import { parseOrigin } from './projects-rules.ts'
import * as store from './projects-store.ts'
import { hasServer, ownServerId } from './servers-store.ts'

export interface ProjectsDeps extends ChangeDeps {
  readonly secrets: SecretBox
}

/**
 * Creates a project with its first key; the caller owns it. In an enterprise it needs the right `project`. Throws 403,
 * PROJECTS_OFF, PROJECTS_FULL, REPORTING_SERVER_UNKNOWN.
 */
export async function createProject(
  { db, facts, secrets }: ProjectsDeps,
  caller: Caller,
  { name, description, server, eid, type }: InputOf<typeof contract.createProject>,
): Promise<number> {
  const { userId, now } = caller
  const at = new Date(now)
  return withTransaction(db, async (trx) => {
    if (eid !== undefined) await requireProjects(trx, userId, eid)
    const serverId = await serverOf(trx, server)
    await requireRoom(trx, userId)
    const ofEnterprise = type ?? contract.projectTypes.enterprise
    const settings = { name, description, type: eid === undefined ? null : ofEnterprise, serverId, at }
    const id = await store.createProject(trx, spaceOfCall(userId, eid), settings)
    await createMember(trx, { projectId: id, userId, level: 3, invitedBy: null, isAccepted: true, at })
    await renewKey(secrets, trx, id, { endNow: true, at })
    await recordAct(facts, trx, caller, { id, name, enterpriseId: eid ?? null }, { kind: 'project.created' })
    return id
  })
}

async function requireProjects(trx: Parameters<typeof store.hasProjects>[0], userId: number, eid: number) {
  if (!mayInEnterprise(await findMembership(trx, eid, userId), 'project')) throw new Failure('403')
  if (!(await store.hasProjects(trx, eid))) throw new Failure('PROJECTS_OFF')
}

/** The stored server of a request; null for the platform's own. Throws REPORTING_SERVER_UNKNOWN. */
async function serverOf(trx: Parameters<typeof hasServer>[0], server: number): Promise<number | null> {
  if (server === ownServerId) return null
  if (!(await hasServer(trx, server))) throw new Failure('REPORTING_SERVER_UNKNOWN')
  return server
}

/**
 * Changes settings. Those that let the project do more than report, and where it reports to, are its owner's. Throws
 * 403, ORIGIN_WRONG, REPORTING_SERVER_UNKNOWN.
 */
export async function updateProject(
  deps: ChangeDeps,
  caller: Caller,
  input: InputOf<typeof contract.updateProject>,
): Promise<void> {
  const { id, server, enable_get_visit_url, origins, report_state } = input
  const mayWrite = input.allow_write ?? input.remote_report
  const isOfOwner = [server, enable_get_visit_url, origins, mayWrite].some((value) => value !== undefined)
  await changeProject(deps, caller, id, isOfOwner ? 'owner' : 'member', async ({ trx, record }) => {
    const settings: store.ProjectSettings = {
      name: input.name,
      description: input.description,
      is_reporting: report_state === undefined ? undefined : report_state === 1,
      is_picture_shown: input.picture,
      may_write: mayWrite,
      may_embed: enable_get_visit_url,
      every_s: input.everyS,
      origins: origins?.map(readOrigin),
      variables: input.variables,
      server_id: server === undefined ? undefined : await serverOf(trx, server),
    }
    const fields = Object.entries(settings).flatMap(([field, value]) => (value === undefined ? [] : [field]))
    if (fields.length === 0) return
    await store.updateProject(trx, id, settings)
    await record({ kind: 'project.changed', fields })
  })
}

function readOrigin(text: string): string {
  const origin = parseOrigin(text)
  if (origin === undefined) throw new Failure('ORIGIN_WRONG', { data: { origin: text } })
  return origin
}

/** Deletes a project with everything that it has. */
export async function deleteProject(deps: ChangeDeps, caller: Caller, id: number): Promise<void> {
  await changeProject(deps, caller, id, 'owner', async ({ trx, record }) => {
    await record({ kind: 'project.deleted' })
    await store.deleteProject(trx, id)
  })
}

/** Gives a project another key, which is answered. Throws PROOF_NEEDED. */
export async function resetKey(
  deps: ProjectsDeps,
  caller: Caller & { readonly sessionId: number },
  { id, endNow }: InputOf<typeof contract.resetProjectKey>,
): Promise<string> {
  await requireProof(deps.db, caller.sessionId, caller.now)
  return changeProject(deps, caller, id, 'owner', async ({ trx, at, record }) => {
    const key = await renewKey(deps.secrets, trx, id, { endNow, at })
    await record({ kind: 'project.keyChanged', endNow })
    return key
  })
}
