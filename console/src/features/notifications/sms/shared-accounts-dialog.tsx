import { notifications } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { machineListQuery } from '../../../entities/machine/machine-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { useLang, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { Switch } from '../../../shared/ui/switch.tsx'
import { Tag } from '../../../shared/ui/tag.tsx'
import { useAct } from '../../../shared/ui/use-act.ts'
import { type MachineMsgConfig, notificationsKey } from '../notification-queries.ts'
import css from '../notifications.module.css'

interface SharedAccountsDialogProps {
  device: MachineMsgConfig
  /** For personal devices: the holder of the Akey chooses the visitors. */
  isPersonal: boolean
  onClose: () => void
}

/** The accounts that get the alarms of a machine; of the visitors, the Akey chooses those told by SMS and e-mail. */
export function SharedAccountsDialog({ device, isPersonal, onClose }: SharedAccountsDialogProps) {
  const t = useText().notifications.people
  const done = useText().notifications.devices.done
  const lang = useLang()
  const { machineId, machineName, sharedAccounts } = device
  const machine = useQuery({ ...machineListQuery(lang), enabled: isPersonal }).data?.list.find(
    ({ id }) => id === machineId,
  )
  const mayChoose = isPersonal && machine?.role === 'akey'
  const visitors = sharedAccounts.filter(({ role }) => role === 'visitor')
  const { mutate, isPending } = useAct({
    call: (userIds: number[]) => call(notifications.setMachineSmsFlag, { machineIds: [machineId], userIds }),
    done,
    touched: [notificationsKey],
  })
  const toldIds = visitors.filter(({ told }) => told).map(({ userId }) => userId)
  return (
    <Dialog
      title={t.title(machineName)}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t.close}</Button>}
    >
      <Stack gap={4}>
        <Text as="p" size="12/18" tone="quiet">
          {sharedAccounts.length === 0 ? t.none : t.lead} {visitors.length > 0 && t.visitorHint}
        </Text>
        <ul>
          {sharedAccounts.map(({ userId, name, accountMasked, role, told }) => (
            <li key={userId} className={css.person}>
              <Stack as="span" grows breaks>
                <span>{name}</span>
                <Text size="12/18" tone="quiet">
                  {accountMasked} · {told ? t.told : t.notTold}
                </Text>
              </Stack>
              <Tag>{t.roles[role]}</Tag>
              {role === 'visitor' && mayChoose && (
                <Switch
                  label={t.choose(name)}
                  checked={told}
                  disabled={isPending}
                  onChange={(isTold) =>
                    mutate(isTold ? [...toldIds, userId] : toldIds.filter((other) => other !== userId))
                  }
                />
              )}
            </li>
          ))}
        </ul>
      </Stack>
    </Dialog>
  )
}
