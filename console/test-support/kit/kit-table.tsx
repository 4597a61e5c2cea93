import { enterprises } from '@busbar/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useText } from '../../src/shared/i18n/index.ts'
import { type Person, personQuery } from '../../src/shared/session/account-queries.ts'
import { Button } from '../../src/shared/ui/button.tsx'
import { TextField } from '../../src/shared/ui/field.tsx'
import { FormDialog } from '../../src/shared/ui/form/form-dialog.tsx'
import { useForm } from '../../src/shared/ui/form/use-form.ts'
import { MenuItem } from '../../src/shared/ui/menu/menu.tsx'
import { RowMenu } from '../../src/shared/ui/people/row-menu.tsx'
import { actionsColumn, type TableColumn } from '../../src/shared/ui/table/column.ts'
import { DataTable } from '../../src/shared/ui/table/data-table.tsx'
import { useTableView } from '../../src/shared/ui/table/use-table-view.ts'
import { showToast } from '../../src/shared/ui/toast/toast-store.ts'
import css from './kit-page.module.css'
import { KitPart } from './kit-part.tsx'
import { t } from './kit-text.ts'

interface Device {
  readonly id: number
  readonly name: string
  readonly isOnline: boolean
  readonly temperature: number
  readonly line: string
}

const devices = Array.from(
  { length: 24 },
  (_, place): Device => ({
    id: place + 1,
    name: t.press(place + 1),
    isOnline: place % 5 !== 4,
    temperature: 40 + ((place * 37) % 60),
    line: t.lines[place % t.lines.length] ?? '',
  }),
)
const keyOf = ({ id }: Device) => id
const nameOf = ({ name }: Device) => name

/** Sample data: a visitor without a session sees the parts, too, and the platform is not called. */
function KitData({ children }: { children: ReactNode }) {
  const [client] = useState(() => {
    const made = new QueryClient()
    made.setQueryData(personQuery.queryKey, { userid: 0 } as Person)
    return made
  })
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

/** A list: sorted, filtered, arranged, its rows selected and opened. */
export function KitTable() {
  return (
    <KitData>
      <KitPart name={t.parts.table} isWide>
        <Devices />
      </KitPart>
    </KitData>
  )
}

function Devices() {
  const words = useText().table
  const view = useTableView({ id: 'kit' })
  const [opened, setOpened] = useState<number | null>(null)
  const columns = useMemo(
    (): TableColumn<Device>[] => [
      {
        id: 'name',
        title: t.name,
        width: 140,
        grow: 2,
        rank: 0,
        value: nameOf,
        card: 'name',
        pinned: 'start',
      },
      {
        id: 'state',
        title: t.state,
        width: 90,
        grow: 1,
        rank: 2,
        value: ({ isOnline }) => (isOnline ? t.online : t.offline),
        filter: { kind: 'choice', choices: { [t.online]: t.online, [t.offline]: t.offline } },
      },
      { id: 'temperature', title: t.temperature, width: 150, rank: 3, value: (device) => device.temperature },
      { id: 'line', title: t.line, width: 140, grow: 1, rank: 4, value: ({ line }) => line },
      actionsColumn(words.actions, 48, ({ name }) => (
        <RowMenu name={name}>
          <MenuItem icon="edit" onAction={() => showToast(`${t.rename}: ${name}`)}>
            {t.rename}
          </MenuItem>
        </RowMenu>
      )),
    ],
    [words],
  )
  return (
    <div className={css.list}>
      <DataTable
        title={t.devices}
        view={view}
        source={{ rows: devices, isFailed: false, isRefused: false, isFetching: false, retry: () => {} }}
        columns={columns}
        rowKey={keyOf}
        rowName={nameOf}
        search={t.searchDevices}
        fileName={t.devices}
        openKey={opened}
        onOpen={({ id }) => setOpened(id === opened ? null : id)}
        hasKeys={false}
        bulk={(chosen) => (
          <Button size="small" onClick={() => showToast(t.many(chosen.length), 'info')}>
            {t.share}
          </Button>
        )}
        empty={{ icon: 'group', title: t.none }}
      />
    </div>
  )
}

/** A form in a dialog, with the rules of a call. */
export function KitForm() {
  const [isOpen, setOpen] = useState(false)
  return (
    <KitData>
      <KitPart name={t.parts.form}>
        <Button onClick={() => setOpen(true)}>{t.openForm}</Button>
        {isOpen && <GroupForm onClose={() => setOpen(false)} />}
      </KitPart>
    </KitData>
  )
}

function GroupForm({ onClose }: { onClose: () => void }) {
  const form = useForm({
    route: enterprises.createGroup,
    initial: { name: '' },
    words: { name: { required: t.nameEmpty } },
    send: async () => {},
    done: t.done,
    onSent: onClose,
  })
  return (
    <FormDialog title={t.openForm} submit={t.save} form={form} onClose={onClose}>
      <TextField label={t.name} autoFocus {...form.text('name')} />
    </FormDialog>
  )
}
