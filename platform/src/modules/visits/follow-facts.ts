import { afterCommit } from '../../kernel/database/after-commit.ts'
import type { Fact } from '../../kernel/facts/fact-kinds.ts'
import type { DuringFollower, Follower, LiveFollower } from '../../kernel/facts/follower.ts'
import type { LiveVisits } from './live-visits.ts'
import type { VisitEvents } from './visit-events.ts'

const pushed = [
  'visit.opened',
  'visit.prolonged',
  'visit.ended',
  'control.taken',
  'control.freed',
  'control.kept',
  'control.asked',
  'control.unasked',
] as const
const decided = ['visit.ended', 'control.taken', 'control.freed'] as const

/** The process that records notifies pages after its commit; every process decides anew about its own visits. */
export function followVisits({ events, live }: { events: VisitEvents; live: LiveVisits }): Follower[] {
  const pages: DuringFollower<(typeof pushed)[number]> = {
    mode: 'during',
    name: 'visits.pages',
    kinds: pushed,
    async follow(trx, facts) {
      afterCommit(trx, () => {
        for (const fact of facts) tell(events, fact)
      })
    },
  }
  const visits: LiveFollower<(typeof decided)[number]> = {
    mode: 'live',
    name: 'visits.live',
    kinds: decided,
    follow(facts) {
      for (const fact of facts) {
        live.follow(fact.userId, fact.machineId)
        if (fact.kind === 'control.taken' && fact.from !== null && fact.from !== fact.userId)
          live.follow(fact.from, fact.machineId)
      }
    },
  }
  return [pages, visits]
}

function tell(events: VisitEvents, fact: Fact<(typeof pushed)[number]>): void {
  if (fact.kind === 'control.taken' || fact.kind === 'control.freed') events.enqueueMachine(fact.machineId)
  else events.enqueueVisit(fact.visitId, 'holder' in fact ? (fact.holder ?? undefined) : undefined)
}
