import type { access } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { bkeysQuery } from '../../entities/access/access-queries.ts'
import { useText } from '../../shared/i18n/index.ts'
import { useReturnedDraft } from '../../shared/session/drafts.ts'
import { Button } from '../../shared/ui/button.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { MenuItem, MenuLine } from '../../shared/ui/menu/menu.tsx'
import css from '../../shared/ui/people/people.module.css'
import { RowMenu } from '../../shared/ui/people/row-menu.tsx'
import { AddPersonDialog } from './add-person-dialog.tsx'
import { useAdministration } from './administration.ts'
import { AlarmBit, ModeBit } from './grant-bits.tsx'
import { PeopleList } from './people-list.tsx'
import { PersonCell } from './person-cell.tsx'
import { usePersonActions } from './use-person-actions.ts'

const template = 'minmax(170px, 1.6fr) minmax(150px, 1fr) minmax(84px, 0.6fr) 40px'

/** Who looks after the machine with the Akey. */
export function BkeysSection() {
  const { machineId, isAkey, mayPropose, userId } = useAdministration()
  const t = useText().access
  const query = useQuery(bkeysQuery(machineId))
  const actions = usePersonActions()
  const [adding, setAdding] = useState<{ account?: string | undefined }>()
  useReturnedDraft(`bkey-${machineId}`, userId, setAdding)

  const add = (isAkey || mayPropose) && (
    <Button kind="primary" icon="plus" onClick={() => setAdding({})}>
      {isAkey ? t.bkeys.add : t.bkeys.propose}
    </Button>
  )
  const row = (bkey: access.Bkey) => (
    <li key={bkey.id} className={css.row}>
      <PersonCell person={bkey} withEmail />
      <ModeBit grant={bkey} actions={actions} fixed={!isAkey} />
      <AlarmBit grant={bkey} actions={actions} fixed={!isAkey && bkey.userId !== userId} />
      <div className={css.actions}>
        {isAkey && (
          <RowMenu name={bkey.name}>
            <MenuItem icon="arrowDown" onAction={() => actions.lower(bkey)}>
              {t.bkeys.lower}
            </MenuItem>
            <MenuLine />
            <MenuItem icon="ban" danger onAction={() => actions.block(bkey)}>
              {t.visitors.block}
            </MenuItem>
          </RowMenu>
        )}
      </div>
    </li>
  )
  return (
    <>
      <PeopleList
        title={t.tabs.bkeys}
        lead={t.bkeys.lead}
        query={query}
        people={query.data}
        columns={[t.columns.person, t.columns.may, t.columns.alarms]}
        template={template}
        row={row}
        add={query.data?.length === 0 ? undefined : add}
        empty={
          <EmptyState
            icon="key"
            title={t.bkeys.empty}
            hint={isAkey || mayPropose ? t.bkeys.emptyHint : t.bkeys.emptyBkey}
          >
            {add}
          </EmptyState>
        }
      >
        {!isAkey && query.data && query.data.length > 0 && (
          <p className={css.quiet}>{mayPropose ? t.bkeys.akeyOnly : t.bkeys.akeyOnlyAll}</p>
        )}
      </PeopleList>
      {adding && (
        <AddPersonDialog kind="bkey" account={adding.account} onClose={() => setAdding(undefined)} />
      )}
    </>
  )
}
