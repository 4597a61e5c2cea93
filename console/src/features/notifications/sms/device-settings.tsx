import { notifications } from '@busbar/contract'
import { useMemo, useState } from 'react'
import { call } from '../../../shared/api/client.ts'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Switch } from '../../../shared/ui/switch.tsx'
import { NameCell } from '../../../shared/ui/table/cells.tsx'
import type { TableColumn } from '../../../shared/ui/table/column.ts'
import { DataTable } from '../../../shared/ui/table/data-table.tsx'
import { useAct } from '../../../shared/ui/use-act.ts'
import { deviceSettingsQuery, type MachineMsgConfig, notificationsKey } from '../notification-queries.ts'
import css from '../notifications.module.css'
import { useNotificationList } from '../use-notification-list.ts'
import { SharedAccountsDialog } from './shared-accounts-dialog.tsx'

interface Change {
  readonly machineIds: number[]
  readonly smsFlag?: 0 | 1
  readonly emailFlag?: 0 | 1
  readonly linkFlag?: 0 | 1
}

const keyOf = ({ machineId }: MachineMsgConfig) => machineId
const nameOf = ({ machineName }: MachineMsgConfig) => machineName

/** The machines of a space, each with its switches for SMS and e-mails and the people notified. */
export function DeviceSettings({ space }: { space: PageSpace }) {
  const text = useText()
  const t = text.notifications.devices
  const { eid } = space.asked
  const { view, source } = useNotificationList(`devices.${eid === undefined ? 'own' : 'enterprise'}`, (ask) =>
    deviceSettingsQuery(space.asked, ask),
  )
  const [openId, open] = useState<number>()
  const { mutate } = useAct({
    call: (change: Change) =>
      eid === undefined
        ? call(notifications.setMachineSmsFlag, change)
        : call(notifications.setEnterpriseMachineSmsFlag, { ...change, eid }),
    done: t.done,
    touched: [notificationsKey],
  })
  const opened = source.rows?.find(({ machineId }) => machineId === openId)

  const refusal = eid === undefined ? text.access.lacks.settings : text.notifications.settings.readOnly

  const columns = useMemo((): readonly TableColumn<MachineMsgConfig>[] => {
    const flag = (
      name: 'smsFlag' | 'emailFlag' | 'linkFlag',
      title: string,
      label: (name: string) => string,
    ) =>
      ({
        id: name,
        title,
        ...{ width: name === 'linkFlag' ? 104 : 80, rank: name === 'linkFlag' ? 3 : 2 },
        value: (row) => row[name],
        csv: (row) => (row[name] ? t.on : t.off),
        cell: (row) => (
          <Switch
            label={label(row.machineName)}
            checked={row[name] === 1}
            disabled={!row.maySet}
            reason={row.maySet ? undefined : refusal}
            onChange={(isOn) => mutate({ machineIds: [row.machineId], [name]: isOn ? 1 : 0 })}
          />
        ),
      }) satisfies TableColumn<MachineMsgConfig>
    return [
      {
        id: 'name',
        title: t.columns.device,
        ...{ width: 190, grow: 2, rank: 0, pinned: 'start', card: 'name' },
        value: nameOf,
        cell: ({ machineName, machineCode }) => <NameCell name={machineName} minor={machineCode} />,
      },
      flag('smsFlag', t.columns.sms, t.switchSms),
      flag('emailFlag', t.columns.email, t.switchEmail),
      flag('linkFlag', t.columns.link, t.switchLink),
      {
        id: 'recipients',
        title: t.columns.recipients,
        ...{ width: 100, grow: 0.5, rank: 4 },
        value: ({ recipients }) => recipients,
        cell: ({ recipients }) => <span className={css.right}>{t.people(formatNumber(recipients))}</span>,
      },
      {
        id: 'shared',
        title: t.columns.shared,
        ...{ width: 130, grow: 1, rank: 3 },
        value: ({ sharedAccounts }) => sharedAccounts.length,
        csv: ({ sharedAccounts }) => sharedAccounts.map(({ name }) => name).join(', '),
        cell: ({ machineId, machineName, sharedAccounts }) => {
          const count = formatNumber(sharedAccounts.length)
          return (
            <button
              type="button"
              className={css.link}
              aria-label={t.show(machineName, count)}
              onClick={() => open(machineId)}
            >
              {t.people(count)}
            </button>
          )
        },
      },
    ]
  }, [t, refusal, mutate])

  return (
    <>
      <DataTable
        title={t.title}
        lead={t.lead}
        view={view}
        source={source}
        columns={columns}
        rowKey={keyOf}
        rowName={nameOf}
        search={t.search}
        fileName={t.title}
        {...(source.rows?.some((row) => row.maySet)
          ? {
              bulk: (rows: readonly MachineMsgConfig[]) => {
                const machineIds = rows.filter(({ maySet }) => maySet).map(keyOf)
                if (machineIds.length === 0) return <span>{refusal}</span>
                const set = (change: Omit<Change, 'machineIds'>) => () => mutate({ machineIds, ...change })
                return (
                  <>
                    <Button size="small" onClick={set({ smsFlag: 1 })}>
                      {t.bulk.smsOn}
                    </Button>
                    <Button size="small" onClick={set({ smsFlag: 0 })}>
                      {t.bulk.smsOff}
                    </Button>
                    <Button size="small" onClick={set({ emailFlag: 1 })}>
                      {t.bulk.emailOn}
                    </Button>
                    <Button size="small" onClick={set({ emailFlag: 0 })}>
                      {t.bulk.emailOff}
                    </Button>
                    <Button size="small" onClick={set({ linkFlag: 1 })}>
                      {t.bulk.linkOn}
                    </Button>
                    <Button size="small" onClick={set({ linkFlag: 0 })}>
                      {t.bulk.linkOff}
                    </Button>
                  </>
                )
              },
            }
          : {})}
        empty={{ icon: 'devices', title: t.empty, hint: t.emptyHint }}
      />
      {opened && (
        <SharedAccountsDialog
          device={opened}
          isPersonal={eid === undefined}
          onClose={() => open(undefined)}
        />
      )}
    </>
  )
}
