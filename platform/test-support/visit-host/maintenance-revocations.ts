import { enterprises } from '@busbar/contract'
import { recordRightChange } from '../../src/kernel/rights/right-changes.ts'
import type { Maintained, OpenThings } from './open-things.ts'
import { ofMachine, outlast, type Revocation, restMs, type Told } from './revocations.ts'

function revocation(
  name: string,
  change: (things: OpenThings, maintained: Maintained) => Promise<unknown>,
  told: Told = { ended: 'rightLost' },
): Revocation {
  return {
    name,
    role: 'maintainer',
    cuts: ofMachine,
    told,
    silences: ['visitor'],
    change(things) {
      if (!things.maintained) throw new Error('nobody maintains the machine')
      return change(things, things.maintained)
    },
  }
}

const answer =
  (action: enterprises.MaintenanceAction) =>
  ({ site, owner }: OpenThings, { windowId: id }: Maintained) =>
    site.as(owner).call(enterprises.answerMaintenance, { id, action })

/** The revocations in which a maintainer of a machine loses the right to it. */
export const maintenanceRevocations: readonly Revocation[] = [
  revocation(
    'a maintenance window that runs out by itself',
    async ({ site, inside, station: { machine } }, { windowId }) => {
      // Calls cannot move an end; the request had this one from the beginning.
      const until = new Date(Date.now() + restMs)
      await site.db.transaction().execute(async (trx) => {
        await trx
          .updateTable('maintenance_windows')
          .set({ stop_at: until })
          .where('id', '=', windowId)
          .execute()
        await recordRightChange(trx, { machineId: machine.machineId, reason: 'test' })
      })
      await outlast(until, inside)
    },
    { ended: 'visitTimeOver' },
  ),
  revocation('a maintenance window that the Akey suspends', answer('suspend')),
  revocation('a maintenance window that the Akey ends', answer('end')),
  revocation('somebody who maintains and is taken out of the team', ({ site }, { eid, maker, teamId }) =>
    site.as(maker).call(enterprises.updateTeam, { eid, id: teamId, memberIds: [] }),
  ),
  revocation('a maintenance team that gives the machine up', ({ site }, { eid, maker, teamId }) =>
    site.as(maker).call(enterprises.updateTeam, { eid, id: teamId, machineIds: [] }),
  ),
  revocation('somebody who may maintain no more', ({ site, visitor }, { eid, maker }) =>
    site.as(maker).call(enterprises.updateMember, { eid, userId: visitor.userId, rights: ['view'] }),
  ),
]
