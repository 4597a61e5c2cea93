import type { DuringFollower } from '../../kernel/facts/follower.ts'

/** Frees the controller of a machine that changes hands, and drops the requests for it. */
export const ownerFollower: DuringFollower<'machine.ownerChanged'> = {
  mode: 'during',
  name: 'visits.ownerChanged',
  kinds: ['machine.ownerChanged'],
  async follow(trx, facts) {
    for (const { machineId } of facts) {
      await trx.deleteFrom('control_requests').where('machine_id', '=', machineId).execute()
      await trx.deleteFrom('controllers').where('machine_id', '=', machineId).execute()
    }
  },
}
