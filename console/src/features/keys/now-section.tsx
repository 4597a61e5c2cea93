import type { access } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { bkeysQuery, reachQuery, visitorsQuery } from '../../entities/access/access-queries.ts'
import { isOver } from '../../entities/access/visit-time.ts'
import { VisitTimeText } from '../../entities/access/visit-time-text.tsx'
import { useText } from '../../shared/i18n/index.ts'
import { List } from '../../shared/resource/list.tsx'
import { whole } from '../../shared/resource/rows.ts'
import { useFromNow } from '../../shared/ui/use-now.ts'
import { useAdministration } from './administration.ts'
import { LiveVisits } from './live-visits.tsx'
import { sortReach, usePeopleCollator } from './people-order.ts'
import { usePersonActs } from './person-acts.ts'
import { accountOf, personColumn, untilColumn } from './person-cell.tsx'

type Reach = access.Reach

const overTickMs = 1_000

/** People inside and people with access: by which right, until when, and how to revoke it. */
export function NowSection() {
  const { machineId, isAkey, userId, refresh } = useAdministration()
  const t = useText().access
  const reach = useQuery(reachQuery(machineId)).data
  const visitors = useQuery(visitorsQuery(machineId)).data
  const bkeys = useQuery(bkeysQuery(machineId)).data
  // Drawn again when another visitor's time is over.
  useFromNow(overTickMs, (now) => reach?.filter(({ until }) => isOver(until, now)).length ?? 0)
  const collator = usePeopleCollator()
  const grantOf = useCallback(
    ({ by, userId: ofUser }: Reach) => {
      const grants = by === 'visitor' ? visitors : by === 'bkey' ? bkeys : undefined
      return grants?.find((grant) => grant.userId === ofUser)
    },
    [visitors, bkeys],
  )
  const acts = usePersonActs(grantOf)
  /** The caller's own right and the Akey's cannot be revoked here. */
  const mayTake = (row: Reach) =>
    row.userId !== userId && grantOf(row) !== undefined && (row.by === 'visitor' || isAkey)
  return (
    <>
      <LiveVisits />
      <List
        id="keys.now"
        title={t.tabs.now}
        lead={t.now.lead}
        rows={whole(reachQuery(machineId), (rows) => sortReach(rows, Date.now(), collator))}
        rowKey={({ by, userId: ofUser }) => `${by} ${ofUser}`}
        titles={t.columns}
        columns={{
          person: personColumn(),
          by: { kind: 'state', value: 'by', words: t.by, filter: 'several', rank: 2 },
          may: { kind: 'state', value: 'mode', words: t.modes, rank: 4 },
          until: untilColumn<Reach>(
            ({ until }) => until,
            t.time.forever,
            ({ until, by }) => <VisitTimeText visitTime={until} note={by === 'akey' ? '' : undefined} />,
          ),
        }}
        search={t.search}
        searched={accountOf}
        isExported
        isSelectable={false}
        touched={refresh}
        acts={[
          { ...acts.end, fits: (row) => row.by === 'visitor' && mayTake(row) },
          { ...acts.lower, look: 'default', fits: (row) => row.by === 'bkey' && mayTake(row) },
          { ...acts.block, fits: mayTake },
        ]}
        empty={{ icon: 'lock', title: t.now.empty, hint: t.now.emptyHint }}
      />
    </>
  )
}
