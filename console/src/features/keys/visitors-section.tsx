import type { access } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { visitorsQuery } from '../../entities/access/access-queries.ts'
import { isOver } from '../../entities/access/visit-time.ts'
import { VisitTimeText } from '../../entities/access/visit-time-text.tsx'
import { emptyMark, useText } from '../../shared/i18n/index.ts'
import { List } from '../../shared/resource/list.tsx'
import { whole } from '../../shared/resource/rows.ts'
import { useReturnedDraft } from '../../shared/session/drafts.ts'
import { Text } from '../../shared/ui/layout/layout.tsx'
import { useFromNow } from '../../shared/ui/use-now.ts'
import { AddPersonDialog } from './add-person-dialog.tsx'
import { useAdministration } from './administration.ts'
import { AlarmBit, ModeBit } from './grant-bits.tsx'
import { sortVisitors, usePeopleCollator } from './people-order.ts'
import { usePersonActs } from './person-acts.ts'
import { accountOf, personColumn, untilColumn } from './person-cell.tsx'
import css from './rows.module.css'
import { VisitTimeDialog } from './visit-time-dialog.tsx'

type Visitor = access.Visitor

/** A visitor's end is shown immediately, not with the next answer. */
const overTickMs = 1_000
const grantOf = (visitor: Visitor) => visitor

/** Visitors: let in, given longer, ended. */
export function VisitorsSection() {
  const { machineId, isAkey, mayPropose, limits, userId, refresh } = useAdministration()
  const t = useText().access
  const { data } = useQuery(visitorsQuery(machineId))
  const acts = usePersonActs(grantOf)
  const collator = usePeopleCollator()
  const [adding, setAdding] = useState<{ account?: string | undefined }>()
  useReturnedDraft(`visitor-${machineId}`, userId, setAdding)
  const overIds = useFromNow(
    overTickMs,
    (now) =>
      data
        ?.filter(({ visitTime }) => isOver(visitTime, now))
        .map(({ id }) => id)
        .join() ?? '',
  )
  const over = useMemo(() => new Set(overIds ? overIds.split(',').map(Number) : []), [overIds])
  const isOverNow = ({ id }: Visitor) => over.has(id)
  const isInside = ({ id }: Visitor) => !over.has(id)
  const changeTime = (close: () => void, visitor: Visitor) => (
    <VisitTimeDialog visitor={visitor} onClose={close} />
  )
  return (
    <>
      <List
        id="keys.visitors"
        title={t.tabs.visitors}
        lead={t.visitors.lead}
        note={
          over.size > 0 && (
            <Text tone="quiet" size={12} weight={400}>
              {t.visitors.over(over.size)}
            </Text>
          )
        }
        rows={whole(visitorsQuery(machineId), (rows) => sortVisitors(rows, Date.now(), collator))}
        rowKey="id"
        titles={t.columns}
        columns={{
          person: personColumn(),
          may: {
            kind: 'text',
            value: ({ limitRead }) => t.modes[limitRead === 1 ? 'ro' : 'rw'],
            cell: (visitor) => <ModeBit grant={visitor} fixed={isOverNow(visitor)} />,
            ...{ width: 184, grow: 0, rank: 3, card: 'plain' },
          },
          until: {
            ...untilColumn<Visitor>(
              ({ visitTime }) => visitTime,
              t.time.forever,
              (visitor) => <VisitTimeText visitTime={isOverNow(visitor) ? 0 : visitor.visitTime} />,
            ),
            rank: 2,
          },
          alarms: {
            kind: 'text',
            value: ({ limitAlarm }) => (limitAlarm === 0 ? t.no : t.yes),
            cell: (visitor) => (isOverNow(visitor) ? emptyMark : <AlarmBit grant={visitor} fixed={false} />),
            ...{ width: 120, grow: 0, rank: 4 },
          },
        }}
        rowClass={(visitor) => (isOverNow(visitor) ? css.over : undefined)}
        search={t.search}
        searched={accountOf}
        isExported
        touched={refresh}
        add={{ label: t.visitors.add, run: () => setAdding({}) }}
        acts={[
          { label: t.visitors.again, fits: isOverNow, opens: changeTime },
          { ...acts.end, fits: isInside },
          { label: t.visitors.change, icon: 'clock', place: 'menu', fits: isInside, opens: changeTime },
          isAkey && acts.raise,
          !isAkey && mayPropose && acts.propose,
          acts.remove,
          acts.block,
        ]}
        actsWidth={144}
        empty={{ icon: 'user', title: t.visitors.empty, hint: t.visitors.emptyHint }}
      >
        {limits.mode && data && data.length > 0 && (
          <Text as="p" line="top" pad="12 16" tone="quiet">
            {t.lacks.mode}
          </Text>
        )}
      </List>
      {adding && (
        <AddPersonDialog kind="visitor" account={adding.account} onClose={() => setAdding(undefined)} />
      )}
    </>
  )
}
