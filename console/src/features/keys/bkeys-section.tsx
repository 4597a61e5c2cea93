import type { access } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { bkeysQuery } from '../../entities/access/access-queries.ts'
import { useText } from '../../shared/i18n/index.ts'
import { List } from '../../shared/resource/list.tsx'
import { whole } from '../../shared/resource/rows.ts'
import { useReturnedDraft } from '../../shared/session/drafts.ts'
import { Text } from '../../shared/ui/layout/layout.tsx'
import { AddPersonDialog } from './add-person-dialog.tsx'
import { useAdministration } from './administration.ts'
import { AlarmBit, ModeBit } from './grant-bits.tsx'
import { usePersonActs } from './person-acts.ts'
import { accountOf, personColumn } from './person-cell.tsx'

const grantOf = (bkey: access.Bkey) => bkey

/** The Bkeys, who look after the machine with the Akey. */
export function BkeysSection() {
  const { machineId, isAkey, mayPropose, userId, refresh } = useAdministration()
  const t = useText().access
  const { data } = useQuery(bkeysQuery(machineId))
  const acts = usePersonActs(grantOf)
  const [adding, setAdding] = useState<{ account?: string | undefined }>()
  useReturnedDraft(`bkey-${machineId}`, userId, setAdding)
  const mayAdd = isAkey || mayPropose
  return (
    <>
      <List
        id="keys.bkeys"
        title={t.tabs.bkeys}
        lead={t.bkeys.lead}
        rows={whole(bkeysQuery(machineId))}
        rowKey="id"
        titles={t.columns}
        columns={{
          person: personColumn(true),
          may: {
            kind: 'text',
            value: ({ limitRead }) => t.modes[limitRead === 1 ? 'ro' : 'rw'],
            cell: (bkey) => <ModeBit grant={bkey} fixed={!isAkey} />,
            ...{ width: 170, grow: 0.6, card: 'plain' },
          },
          alarms: {
            kind: 'text',
            value: ({ limitAlarm }) => (limitAlarm === 0 ? t.no : t.yes),
            cell: (bkey) => <AlarmBit grant={bkey} fixed={!isAkey && bkey.userId !== userId} />,
            ...{ width: 110, grow: 0.4 },
          },
        }}
        search={t.search}
        searched={accountOf}
        touched={refresh}
        add={mayAdd && { label: isAkey ? t.bkeys.add : t.bkeys.propose, run: () => setAdding({}) }}
        acts={isAkey ? [{ ...acts.lower, icon: 'arrowDown', place: 'menu' }, acts.block] : []}
        empty={{
          icon: 'key',
          title: t.bkeys.empty,
          hint: mayAdd ? t.bkeys.emptyHint : t.bkeys.emptyBkey,
        }}
      >
        {!isAkey && data && data.length > 0 && (
          <Text as="p" line="top" pad="12 16" tone="quiet">
            {mayPropose ? t.bkeys.akeyOnly : t.bkeys.akeyOnlyAll}
          </Text>
        )}
      </List>
      {adding && (
        <AddPersonDialog kind="bkey" account={adding.account} onClose={() => setAdding(undefined)} />
      )}
    </>
  )
}
