import type { DuringFollower } from '../../kernel/facts/follower.ts'
import { onNextOwner } from '../../kernel/facts/next-owner.ts'
import { stopForNextOwner, stopLinks } from './links-store.ts'
import * as members from './members-store.ts'

/** A machine's next owner begins without projects and consents. */
export const ownerFollower = onNextOwner('projects.ownerChanged', (trx, { machineId, at }) =>
  stopForNextOwner(trx, machineId, new Date(at)),
)

/**
 * A person who leaves an enterprise leaves its projects. One that they own waits for an owner of the enterprise to take
 * it over.
 */
export const memberFollower: DuringFollower<'member.removed' | 'member.left'> = {
  mode: 'during',
  name: 'projects.memberLeft',
  kinds: ['member.removed', 'member.left'],
  async follow(trx, facts) {
    for (const { enterpriseId, userId, at } of facts) {
      for (const { id, level } of await members.listOfMember(trx, enterpriseId, userId)) {
        const links = await members.listLinksBy(trx, id, userId)
        const ends = links.map((linkId) => ({ linkId, stop: 'memberLeft' as const }))
        await stopLinks(trx, ends, new Date(at))
        if (level === 2) await members.removeMember(trx, id, userId)
      }
    }
  },
}
