import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { ToggleGroup } from '../../../shared/ui/toggle-group/toggle-group.tsx'
import type { SmsList } from '../search.ts'
import { useMaySet } from '../use-may-set.ts'
import { Allocations } from './allocations.tsx'
import { DeviceSettings } from './device-settings.tsx'
import { MemberStocks } from './member-stocks.tsx'
import { Sales } from './sales.tsx'
import { SmsBalance } from './sms-balance.tsx'
import { SmsRecords } from './sms-records.tsx'

const lists: Record<SmsList, (props: { space: PageSpace }) => ReactNode> = {
  devices: DeviceSettings,
  sent: SmsRecords,
  sales: Sales,
  members: MemberStocks,
  allocations: Allocations,
}

/** The SMS of a space: the balance, and one of its lists. */
export function SmsPart({ space }: { space: PageSpace }): ReactNode {
  const t = useText().notifications.lists
  const maySet = useMaySet(space)
  const search = useSearch({ from: '/shell/alarmCenter/notifications' })
  const { list: wished = 'devices' } = search
  const navigate = useNavigate()
  const shown: readonly SmsList[] =
    space.asked.eid === undefined
      ? ['devices', 'sent', 'sales']
      : maySet
        ? ['devices', 'sent', 'sales', 'members', 'allocations']
        : ['devices', 'sent', 'sales', 'allocations']
  const list = shown.includes(wished) ? wished : 'devices'
  const List = lists[list]
  return (
    <>
      <SmsBalance space={space} />
      <ToggleGroup
        label={t.label}
        size="small"
        value={list}
        onChange={(next) =>
          void navigate({
            to: '/alarmCenter/notifications',
            search: { ...search, list: next },
            replace: true,
          })
        }
        options={shown.map((value) => ({ value, label: t[value] }))}
      />
      <List key={list} space={space} />
    </>
  )
}
