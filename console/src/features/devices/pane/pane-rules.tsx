import { mayInEnterprise, type telemetry } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { RuleList } from '../../../entities/alarm-rule/rule-list.tsx'
import { isSettingKey, type Machine } from '../../../entities/machine/machine.ts'
import { useLang } from '../../../shared/i18n/index.ts'
import { Box } from '../../../shared/ui/layout/layout.tsx'
import { useDeviceSpace } from '../space.ts'
import { spaceListQuery } from '../space-queries.ts'

const noMachines: readonly Machine[] = []

/** The rules of a machine; those who may edit them copy them to the other machines of the list. */
export function PaneRules({ machine, tags }: { machine: Machine; tags: readonly telemetry.Tag[] }) {
  const space = useDeviceSpace()
  const { data } = useQuery(spaceListQuery(space, useLang()))
  const mayAsMember = space.kind === 'owned' && mayInEnterprise(space.permission, 'alarm')
  return (
    <Box as="section" pad="12 16">
      <RuleList
        machine={machine}
        tags={tags}
        mayEdit={isSettingKey(machine) || mayAsMember}
        machines={data?.list ?? noMachines}
      />
    </Box>
  )
}
