import { notifications } from '@busbar/contract'
import { call } from '../../../shared/api/client.ts'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import { List } from '../../../shared/resource/list.tsx'
import { pages } from '../../../shared/resource/rows.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Text } from '../../../shared/ui/layout/layout.tsx'
import { Switch } from '../../../shared/ui/switch.tsx'
import { useAct } from '../../../shared/ui/use-act.ts'
import { type MachineMsgConfig, notificationsKey, paging } from '../notification-queries.ts'
import { useMaySet } from '../use-may-set.ts'
import { SharedAccountsDialog } from './shared-accounts-dialog.tsx'

const flags = ['smsFlag', 'emailFlag', 'linkFlag'] as const
type Flag = (typeof flags)[number]
type Change = { machineIds: number[] } & { [Name in Flag]?: 0 | 1 }

/** The machines of a space, each with its switches for SMS and e-mails and the people notified. */
export function DeviceSettings({ space }: { space: PageSpace }) {
  const text = useText()
  const t = text.notifications.devices
  const { eid } = space.asked
  const isPersonal = eid === undefined
  const maySet = useMaySet(space)
  const { mutate } = useAct({
    call: (change: Change) =>
      eid === undefined
        ? call(notifications.setMachineSmsFlag, change)
        : call(notifications.setEnterpriseMachineSmsFlag, { ...change, eid }),
    done: t.done,
    touched: [notificationsKey],
  })
  const refusal = isPersonal ? text.access.lacks.settings : text.notifications.settings.readOnly
  const words = {
    smsFlag: { of: t.switchSms, on: t.bulk.smsOn, off: t.bulk.smsOff },
    emailFlag: { of: t.switchEmail, on: t.bulk.emailOn, off: t.bulk.emailOff },
    linkFlag: { of: t.switchLink, on: t.bulk.linkOn, off: t.bulk.linkOff },
  }
  const flag = (name: Flag) =>
    ({
      kind: 'count',
      value: name,
      csv: (row: MachineMsgConfig) => (row[name] ? t.on : t.off),
      cell: (row: MachineMsgConfig) => (
        <Switch
          label={words[name].of(row.machineName)}
          checked={row[name] === 1}
          disabled={!row.maySet}
          reason={row.maySet ? undefined : refusal}
          onChange={(isOn) => mutate({ machineIds: [row.machineId], [name]: isOn ? 1 : 0 })}
        />
      ),
    }) as const

  const setMany = (rows: readonly MachineMsgConfig[]) => {
    const machineIds = rows.filter(({ maySet }) => maySet).map(({ machineId }) => machineId)
    if (machineIds.length === 0) return <span>{refusal}</span>
    return flags.flatMap((name) =>
      ([1, 0] as const).map((value) => (
        <Button key={`${name} ${value}`} size="small" onClick={() => mutate({ machineIds, [name]: value })}>
          {words[name][value ? 'on' : 'off']}
        </Button>
      )),
    )
  }

  return (
    <List
      id={`notifications.devices.${isPersonal ? 'own' : 'enterprise'}`}
      title={t.title}
      lead={t.lead}
      rows={
        isPersonal
          ? pages(notifications.listPersonalMachine, {}, { ...paging, searchField: 'blur' })
          : pages(notifications.listEnterpriseMachine, { eid }, { ...paging, searchField: 'blur' })
      }
      rowKey="machineId"
      titles={t.columns}
      columns={{
        device: { kind: 'name', value: 'machineName', minor: ({ machineCode }) => machineCode, grow: 2 },
        sms: { ...flag('smsFlag'), width: 80, rank: 2 },
        email: { ...flag('emailFlag'), width: 80, rank: 2 },
        link: { ...flag('linkFlag'), width: 104, rank: 3 },
        recipients: {
          kind: 'count',
          value: 'recipients',
          cell: ({ recipients }) => <Text numbers>{t.people(formatNumber(recipients))}</Text>,
          grow: 0.5,
          rank: 4,
        },
        shared: {
          kind: 'count',
          value: ({ sharedAccounts }) => sharedAccounts.length,
          csv: ({ sharedAccounts }) => sharedAccounts.map(({ name }) => name).join(', '),
          width: 130,
          grow: 1,
          rank: 3,
        },
      }}
      search={t.search}
      isExported
      bulk={maySet ? setMany : undefined}
      opens={(close, device) => <SharedAccountsDialog {...{ device, isPersonal }} onClose={close} />}
      empty={{ icon: 'devices', title: t.empty, hint: t.emptyHint }}
    />
  )
}
