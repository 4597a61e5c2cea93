import type { operator as contract, InputOf } from '@busbar/contract'
import { Failure } from '../../kernel/http/failure.ts'
import { type Actor, auditAct } from '../audit/index.ts'
import { updateSpaceProjects, updateSpaceState } from '../enterprises/index.ts'
import * as store from './operator-store.ts'

/**
 * Switches projects of an enterprise, locks or unlocks it. The members of a locked one lose all rights at once, even on
 * open connections. Throws 404 (rules/enterprises.md: locked enterprises).
 */
export async function updateEnterprise(
  db: store.Db,
  actor: Actor,
  { eid, enableProject, state }: InputOf<typeof contract.updateEnterprise>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const space = await store.lockEnterprise(trx, eid)
    if (!space) throw new Failure('404')
    const note = (action: string, detail: Record<string, unknown>) =>
      auditAct(trx, actor, { action, target: space.name, detail: { eid, ...detail } })
    if (enableProject !== undefined && enableProject !== space.enable_project) {
      await updateSpaceProjects(trx, eid, enableProject)
      await note('enterprise.projects', { enableProject })
    }
    // An enterprise that waits for its deletion is leaving again after it is unlocked.
    const next = state === 'active' && space.leaves_at ? 'leaving' : state
    if (next !== undefined && next !== space.state) {
      await updateSpaceState(trx, eid, next)
      await note(state === 'locked' ? 'enterprise.lock' : 'enterprise.unlock', {})
    }
  })
}
