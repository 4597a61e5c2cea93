import { machines, mayInEnterprise } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AlarmCentre } from '../../entities/alarm/alarm-centre.tsx'
import { RuleList } from '../../entities/alarm-rule/rule-list.tsx'
import { permissionQuery } from '../../entities/enterprise/enterprise-queries.ts'
import { isSettingKey, type Machine } from '../../entities/machine/machine.ts'
import {
  enterpriseMachinesQuery,
  machineListQuery,
  machineTagsQuery,
} from '../../entities/machine/machine-queries.ts'
import { useLang, useText } from '../../shared/i18n/index.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { Button } from '../../shared/ui/button.tsx'
import { ComboBox } from '../../shared/ui/combo-box/combo-box.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Stack } from '../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { deviceChoices } from './rule-of-device.tsx'
import css from './rules-page.module.css'
import type { RulesSearch } from './search.ts'
import { SpaceRules } from './space-rules.tsx'

/** The value of the choice of all devices. */
const everyDevice = 'all'

/** The rules that raise alarms: of all devices of the space, or of one. */
export function RulesPage(): ReactNode {
  return <AlarmCentre tab="rules">{(space) => <RulesOfSpace space={space} />}</AlarmCentre>
}

function RulesOfSpace({ space: { asked, enterprise } }: { space: PageSpace }) {
  const t = useText().alarmRules.pick
  const lang = useLang()
  const { machine: wished } = useSearch({ from: '/shell/alarmCenter/rules' })
  const navigate = useNavigate()
  const isOwn = enterprise === undefined
  const own = useQuery({ ...machineListQuery(lang), enabled: isOwn })
  const ofEnterprise = useQuery({ ...enterpriseMachinesQuery(asked.eid ?? 0, 1, lang), enabled: !isOwn })
  const { data: permission } = useQuery({ ...permissionQuery(asked.eid ?? 0), enabled: !isOwn })
  const { data, isError } = isOwn ? own : ofEnterprise
  const mayAsMember = mayInEnterprise(permission, 'alarm')
  // Variables are only for people with a right to the device.
  const list = data?.list.filter(({ level }) => mayAsMember || level > machines.limitAuthority.ordinary)
  const mayEdit = (machine: Machine) => isSettingKey(machine) || mayAsMember
  const chosen = list?.find(({ id }) => id === wished)
  const show = (machine: number | undefined) =>
    void navigate({
      to: '/alarmCenter/rules',
      search: ({ machine: _, ...kept }: RulesSearch) => (machine === undefined ? kept : { ...kept, machine }),
    })
  if (!list) return isError ? <EmptyState icon="warning" title={t.failed} /> : <Skeleton height={160} />
  if (list.length === 0) return <EmptyState icon="devices" title={t.none} />
  return (
    <Stack gap={12} shrinks>
      <div className={css.device}>
        <ComboBox
          label={t.device}
          choices={[{ value: everyDevice, label: t.all }, ...deviceChoices(list)]}
          chosen={[chosen ? String(chosen.id) : everyDevice]}
          onChoose={([id]) => show(id === everyDevice ? undefined : Number(id))}
          searchLabel={t.search}
          noneText={t.noMatch}
        />
      </div>
      {chosen ? (
        <RulesOfMachine key={chosen.id} machine={chosen} machines={list} mayEdit={mayEdit(chosen)} />
      ) : (
        <SpaceRules asked={asked} machines={list} editable={list.filter(mayEdit)} onDevice={show} />
      )}
    </Stack>
  )
}

interface RulesOfMachineProps {
  machine: Machine
  machines: readonly Machine[]
  mayEdit: boolean
}

function RulesOfMachine({ machine, machines: list, mayEdit }: RulesOfMachineProps) {
  const { machines: words } = useText()
  const tags = useQuery(machineTagsQuery(machine.id, useLang()))
  if (tags.data) return <RuleList machine={machine} tags={tags.data} machines={list} mayEdit={mayEdit} />
  if (!tags.isError) return <Skeleton height={160} />
  return (
    <EmptyState icon="warning" title={words.variables.failed} hint={words.failed.hint}>
      <Button icon="refresh" busy={tags.isFetching} onClick={() => void tags.refetch()}>
        {words.failed.retry}
      </Button>
    </EmptyState>
  )
}
