import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useAlarmMachines } from '../../../entities/machine/alarm-machines.ts'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx'
import { NameCell, RowActions } from '../../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../../shared/ui/table/column.ts'
import { DataTable } from '../../../shared/ui/table/data-table.tsx'
import { wholeList } from '../../../shared/ui/table/table-source.ts'
import { useTableView } from '../../../shared/ui/table/use-table-view.ts'
import { Tag, type TagTone } from '../../../shared/ui/tag.tsx'
import { useAct } from '../../../shared/ui/use-act.ts'
import { type Contact, contactActs, contactsQuery } from '../contact-queries.ts'
import { notificationsKey } from '../notification-queries.ts'
import { useMaySet } from '../use-may-set.ts'
import { ContactDialog } from './contact-dialog.tsx'

const keyOf = ({ id }: Contact) => id
const nameOf = ({ name }: Contact) => name
const tones: Readonly<Record<Contact['state'], TagTone>> = { asked: 'warn', confirmed: 'good', left: 'plain' }

/** People without an account who get alarms by e-mail: who confirmed, of which machines, and whether they acknowledge. */
export function ContactsList({ space }: { space: PageSpace }) {
  const text = useText()
  const t = text.notifications.contacts
  const queries = useQueryClient()
  const maySet = useMaySet(space)
  const view = useTableView({ id: 'notifications.contacts' })
  const query = useQuery(contactsQuery(space.asked))
  const machines = useAlarmMachines(space.asked.eid)
  const [edited, edit] = useState<Contact | 'new'>()
  const [removed, remove] = useState<Contact>()
  const acts = useMemo(() => contactActs(space.asked), [space.asked])
  const { mutate: askAgain } = useAct({ call: acts.ask, done: t.asked, touched: [notificationsKey] })

  const columns = useMemo((): readonly TableColumn<Contact>[] => {
    const names = new Map(machines.map(({ id, name }) => [id, name]))
    const shown: TableColumn<Contact>[] = [
      {
        id: 'name',
        title: t.columns.name,
        ...{ width: 180, grow: 2, rank: 0, pinned: 'start', card: 'name' },
        value: nameOf,
        cell: ({ name, email }) => <NameCell name={name} minor={email} />,
      },
      {
        id: 'state',
        title: t.columns.state,
        ...{ width: 110, grow: 0.6, rank: 2, card: 'plain' },
        value: ({ state }) => t.states[state],
        cell: ({ state }) => <Tag tone={tones[state]}>{t.states[state]}</Tag>,
      },
      {
        id: 'devices',
        title: t.columns.devices,
        ...{ width: 150, grow: 1.4, rank: 3, card: 'plain' },
        value: ({ machineIds }) =>
          machineIds.length <= 2 && machineIds.every((id) => names.has(id))
            ? machineIds.map((id) => names.get(id)).join(', ')
            : t.devices(formatNumber(machineIds.length)),
      },
      {
        id: 'mayConfirm',
        title: t.columns.mayConfirm,
        ...{ width: 150, rank: 4 },
        value: ({ mayConfirm }) => (mayConfirm ? t.yes : t.no),
      },
    ]
    if (!maySet) return shown
    return [
      ...shown,
      actionsColumn<Contact>(
        text.table.actions,
        220,
        (contact) => (
          <RowActions>
            {contact.state === 'asked' && (
              <Button size="small" aria-label={t.againOf(contact.name)} onClick={() => askAgain(contact.id)}>
                {t.again}
              </Button>
            )}
            <Button size="small" aria-label={t.editOf(contact.name)} onClick={() => edit(contact)}>
              {t.edit}
            </Button>
            <Button size="small" aria-label={t.removeOf(contact.name)} onClick={() => remove(contact)}>
              {t.remove}
            </Button>
          </RowActions>
        ),
        'foot',
      ),
    ]
  }, [t, text, machines, maySet, askAgain])

  const add = maySet && (
    <Button kind="primary" icon="plus" onClick={() => edit('new')}>
      {t.add}
    </Button>
  )
  return (
    <>
      <DataTable
        title={t.title}
        lead={t.lead}
        view={view}
        source={wholeList(query)}
        columns={columns}
        rowKey={keyOf}
        rowName={nameOf}
        search={t.search}
        searched={({ email }) => [email]}
        actions={add}
        hasKeys={false}
        empty={{ icon: 'mail', title: t.empty, hint: t.emptyHint }}
      />
      {edited && (
        <ContactDialog
          space={space}
          machines={machines}
          contact={edited === 'new' ? undefined : edited}
          onClose={() => edit(undefined)}
        />
      )}
      {removed && (
        <ConfirmDialog
          confirmation={{
            title: t.removeTitle(removed.name),
            body: t.removeBody,
            action: t.remove,
            done: t.removed,
            call: () => acts.remove(removed.id),
          }}
          onClose={() => remove(undefined)}
          onSettled={() => queries.invalidateQueries({ queryKey: notificationsKey })}
        />
      )}
    </>
  )
}
